import type { CurrencyCollection } from '../../../src/codec/tlb/CurrencyCollection.ts'
import type { ShardFeeCreated } from '../../../src/codec/tlb/McBlockExtra.ts'
import { toHex } from '../../../src/primitives/hex.ts'
import { type Amount, amountOf, formatAmount, NOTHING, sumAmounts } from './amounts.ts'
import { checkSums, type Sums } from './augmented.ts'
import type { BlockContext } from './BlockContext.ts'
import type { InMsgView, OutMsgView, TransactionView } from './BlockView.ts'
import { carriedBy } from './EnvelopeView.ts'
import type { Findings } from './Findings.ts'

type Import = { readonly fees: bigint; readonly value: Amount }
type Fees = { readonly fees: Amount; readonly create: Amount }

const NO_IMPORT: Import = { fees: 0n, value: NOTHING }

/** What a message brings into the shard, and what is earned by it. */
const importOf = ({ msg, envelope }: InMsgView, ihrFeeCounts: boolean): Import => {
  const value = envelope === undefined ? NOTHING : carriedBy(envelope, ihrFeeCounts)
  switch (msg.kind) {
    case 'immediate':
      return { fees: msg.fwdFee, value: NOTHING }
    case 'final':
    case 'deferredFinal':
      return { fees: envelope!.envelope.fwdFeeRemaining, value }
    case 'transit':
      return { fees: msg.transitFee, value }
    case 'deferredTransit':
      return { fees: 0n, value }
    default:
      return NO_IMPORT
  }
}

/** What leaves the shard, or waits in its queues, with a message. */
const exportOf = ({ msg, envelope }: OutMsgView, ihrFeeCounts: boolean): Amount => {
  switch (msg.kind) {
    case 'new':
    case 'newDeferred':
    case 'transit':
    case 'requeuedTransit':
    case 'deferredTransit':
      return carriedBy(envelope!, ihrFeeCounts)
    default:
      return NOTHING
  }
}

const amountSums = <K, V>(leaf: (value: V, key: K) => Amount): Sums<K, V, CurrencyCollection, Amount> => ({
  stated: amountOf,
  leaf,
  fork: (left, right) => sumAmounts([left, right]),
  empty: NOTHING,
  format: formatAmount,
})

const feesOf = (transactions: readonly TransactionView[]): Amount =>
  sumAmounts(transactions.map(({ tx }) => amountOf(tx.totalFees)))

/** What the dictionaries of a block sum up: fees of transactions, and the money that messages bring and take. */
export const checkDescriptionSums = ({ block, config }: BlockContext, findings: Findings): void => {
  const { accountBlocks, inMsgs, outMsgs } = block
  for (const { account, block: accountBlock, transactions } of accountBlocks.values()) {
    const byLt = new Map(transactions.map((view) => [view.tx.lt, view]))
    const sums = amountSums((_, lt: bigint) => feesOf([byLt.get(lt)!]))
    checkSums(`transactions of ${account}`, accountBlock.transactions, sums, findings)
  }
  const accountSums = amountSums((_, id: Uint8Array) => feesOf(accountBlocks.get(toHex(id))!.transactions))
  checkSums('account_blocks', block.accountDict, accountSums, findings)
  checkSums(
    'in_msg_descr',
    block.inDescr,
    {
      stated: ({ feesCollected, valueImported }): Import => ({ fees: feesCollected, value: amountOf(valueImported) }),
      leaf: (_, key) => importOf(inMsgs.get(toHex(key))!, config.ihrFeeCounts),
      fork: (left, right) => ({ fees: left.fees + right.fees, value: sumAmounts([left.value, right.value]) }),
      empty: NO_IMPORT,
      format: ({ fees, value }) => `fees ${fees}, value ${formatAmount(value)}`,
    },
    findings,
  )
  const exportSums = amountSums((_, key: Uint8Array) => exportOf(outMsgs.get(toHex(key))!, config.ihrFeeCounts))
  checkSums('out_msg_descr', block.outDescr, exportSums, findings)
  if (block.master !== undefined) checkSums('shard_fees', block.master.shardFees, shardFeeSums, findings)
}

const readFees = ({ fees, create }: ShardFeeCreated): Fees => ({ fees: amountOf(fees), create: amountOf(create) })

const shardFeeSums: Sums<unknown, ShardFeeCreated, ShardFeeCreated, Fees> = {
  stated: readFees,
  leaf: readFees,
  fork: (left, right) => ({
    fees: sumAmounts([left.fees, right.fees]),
    create: sumAmounts([left.create, right.create]),
  }),
  empty: { fees: NOTHING, create: NOTHING },
  format: ({ fees, create }) => `fees ${formatAmount(fees)}, created ${formatAmount(create)}`,
}
