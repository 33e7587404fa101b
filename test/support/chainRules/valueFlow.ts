import { shardPrefixLength } from '../../../src/primitives/shard.ts'
import {
  type Amount,
  amountOf,
  amountOfMaybe,
  gramsAmount,
  gramsOf,
  NOTHING,
  subtractAmount,
  sumAmounts,
} from './amounts.ts'
import type { BlockContext } from './BlockContext.ts'
import type { Findings } from './Findings.ts'
import { listInjected } from './origins.ts'
import type { StateView } from './StateView.ts'

/** Below this, what was collected is not paid out. */
const LEAST_RECOVERED = 1_000_000_000n

const rootBalance = ({ accounts }: StateView): Amount => amountOf(accounts.rootExtra.balance)

/** The money of a block: where it came from and where it went. `added` is what a developer changed in balances. */
export const checkValueFlow = (context: BlockContext, added: Amount, findings: Findings): void => {
  const { block, after } = context
  const { flow } = block
  const burned = amountOfMaybe(flow.burned)
  const sources = [flow.fromPrevBlk, flow.imported, flow.feesImported, flow.created, flow.minted, flow.recovered]
  const targets = [flow.toNextBlk, flow.exported, flow.feesCollected].map(amountOf)
  const [income, outcome] = [sumAmounts(sources.map(amountOf)), sumAmounts([...targets, burned])]
  findings.equal('value flow, which adds up', outcome, income)
  findings.equal('from_prev_blk', amountOf(flow.fromPrevBlk), balanceBefore(context))
  findings.equal('to_next_blk', amountOf(flow.toNextBlk), rootBalance(after))
  findings.equal('total_balance', amountOf(after.totals.totalBalance), rootBalance(after))
  findings.equal('imported', amountOf(flow.imported), amountOf(block.inDescr.rootExtra.valueImported))
  findings.equal('exported', amountOf(flow.exported), amountOf(block.outDescr.rootExtra))
  findings.equal('created', amountOf(flow.created), gramsAmount(expectedCreated(context)))
  if (flow.burned !== undefined) findings.isTrue('burned', burned.size > 0, 'something, if it is written', burned)
  checkFees(context, burned, findings)
  checkMinted(context, added, burned, findings)
  checkRecovered(context, burned, findings)
}

/** After a split only the own half of the parent's balance counts. */
const balanceBefore = ({ block, before, after }: BlockContext): Amount => {
  if (!block.info.afterSplit) return sumAmounts(before.map(rootBalance))
  const own = after.state.shard.shard
  return sumHalf(before[0]!, own)
}

const sumHalf = (parent: StateView, shard: bigint): Amount => {
  const length = BigInt(shardPrefixLength(shard))
  const amounts: Amount[] = []
  parent.accounts.forEach((id, _, { balance }) => {
    const prefix = BigInt(`0x${Buffer.from(id.subarray(0, 8)).toString('hex')}`)
    if (prefix >> (64n - length) === shard >> (64n - length)) amounts.push(amountOf(balance))
  })
  return sumAmounts(amounts)
}

const expectedCreated = ({ config, own, isMaster }: BlockContext): bigint =>
  isMaster ? config.masterBlockFee : config.baseBlockFee >> BigInt(shardPrefixLength(own.shard))

/** Fees of the block itself and, in the masterchain, those that come with the shard blocks. */
const checkFees = (context: BlockContext, burned: Amount, findings: Findings): void => {
  const { block, before, after, config } = context
  const { flow } = block
  const fromShards = block.master === undefined ? NOTHING : amountOf(block.master.shardFees.rootExtra.fees)
  findings.equal('fees_imported', amountOf(flow.feesImported), fromShards)
  const collected = sumAmounts([
    amountOf(block.accountDict.rootExtra),
    gramsAmount(block.inDescr.rootExtra.feesCollected),
    amountOf(flow.created),
    fromShards,
  ])
  const feeBurned = config.burning === undefined ? NOTHING : burned
  findings.equal('fees_collected', amountOf(flow.feesCollected), subtractAmount(collected, feeBurned))
  const old = block.info.afterSplit
    ? halfOf(amountOf(before[0]!.totals.totalValidatorFees), isRight(context))
    : sumAmounts(before.map(({ totals }) => amountOf(totals.totalValidatorFees)))
  const expected = subtractAmount(sumAmounts([old, amountOf(flow.feesCollected)]), amountOf(flow.recovered))
  findings.equal('total_validator_fees', amountOf(after.totals.totalValidatorFees), expected)
}

const isRight = ({ before, own }: BlockContext): boolean => own.shard > before[0]!.state.shard.shard

const halfOf = (fees: Amount, right: boolean): Amount =>
  new Map([...fees].map(([currency, amount]) => [currency, (amount + (right ? 1n : 0n)) >> 1n]))

/** Only the masterchain mints, by parameter 7, and what a developer adds or takes away is booked in any block. */
const checkMinted = (context: BlockContext, added: Amount, burned: Amount, findings: Findings): void => {
  const { block, before, config, isMaster, options, memory } = context
  const minted = amountOf(block.flow.minted)
  const injected = listInjected(block)
  if (options.allowDevControls) memory.injected += injected.length
  const byHand = [
    added,
    ...injected.flatMap(({ envelope, msg }) => [
      amountOf(envelope!.info.value),
      gramsAmount(msg.kind === 'immediate' ? msg.fwdFee : 0n),
    ]),
  ]
  const planned = isMaster ? plannedMint(before[0]!, config.toMint) : NOTHING
  const net = config.burning === undefined ? subtractAmount(minted, burned) : minted
  findings.equal('minted less burned', net, sumAmounts([planned, ...(options.allowDevControls ? byHand : [])]))
}

/** Of each extra currency of parameter 7 as much as is lacking. */
export const plannedMint = (before: StateView, toMint: ReadonlyMap<number, bigint>): Amount => {
  const there = amountOf(before.master.extra.globalBalance)
  const lacking = [...toMint].map(([currency, amount]) => [currency, amount - (there.get(currency) ?? 0n)] as const)
  return new Map(lacking.filter(([, amount]) => amount > 0n))
}

/** What the masterchain pays out of the fees: all there were before, with those of the shards and of the new block. */
const checkRecovered = (context: BlockContext, burned: Amount, findings: Findings): void => {
  const { block, before, config, isMaster } = context
  const { created, feesImported, recovered } = block.flow
  if (!isMaster) {
    findings.equal('recovered outside of the masterchain', amountOf(recovered), NOTHING)
    return
  }
  if (config.burning !== undefined && burned.size > 0) return
  const fees = sumAmounts([created, feesImported, before[0]!.totals.totalValidatorFees].map(amountOf))
  const isPaid = gramsOf(fees) >= LEAST_RECOVERED && config.feeCollector !== ''
  findings.equal('recovered', amountOf(recovered), isPaid ? fees : NOTHING)
}
