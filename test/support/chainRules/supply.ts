import { type Amount, amountOf, amountOfMaybe, subtractAmount, sumAmounts } from './amounts.ts'
import type { BlockContext } from './BlockContext.ts'
import type { BlockView } from './BlockView.ts'
import { carriedBy } from './EnvelopeView.ts'
import type { Findings } from './Findings.ts'
import type { StateView } from './StateView.ts'

/**
 * Counts all money there is: on accounts, on the way, and in fees not yet paid out. It changes only as blocks say. This takes a
 * memory that goes back to the first block: else it is not known which of the waiting messages are delivered.
 */
export const checkSupply = (context: BlockContext, shardBlocks: readonly BlockView[], findings: Findings): void => {
  const { block, after, chain, memory } = context
  const shards = after.master.shards.map(({ workchain, shard, descr }) =>
    chain.getState({ workchain, shard, ...descr }),
  )
  if (block.info.seqno === 1) memory.supply = firstMoney(context)
  if (memory.supply === undefined) return
  const counted = countMoney(context, [after, ...shards])
  const issued = sumAmounts([...shardBlocks, block].map(issuedBy))
  findings.equal('all money of the network', counted, sumAmounts([memory.supply, issued]))
  memory.supply = counted
}

/** What the first states hold. */
const firstMoney = ({ before, after, chain }: BlockContext): Amount =>
  sumAmounts([
    amountOf(before[0]!.totals.totalBalance),
    ...after.master.shards
      .filter(({ descr }) => descr.seqno === 0)
      .map(({ workchain, shard, descr }) =>
        amountOf(chain.getState({ workchain, shard, ...descr }).totals.totalBalance),
      ),
  ])

const countMoney = ({ after, config, memory }: BlockContext, states: readonly StateView[]): Amount =>
  sumAmounts([
    amountOf(after.totals.totalValidatorFees),
    ...states.flatMap(({ totals, outQueue, dispatchQueue }) => [
      amountOf(totals.totalBalance),
      ...[...outQueue.values(), ...dispatchQueue.values()]
        .filter(({ envelope }) => !memory.delivered.has(envelope.message))
        .map(({ envelope }) => carriedBy(envelope, config.ihrFeeCounts)),
    ]),
  ])

const issuedBy = ({ flow }: BlockView): Amount =>
  subtractAmount(sumAmounts([amountOf(flow.created), amountOf(flow.minted)]), amountOfMaybe(flow.burned))
