import { packDescriptionView } from '../../codec/stored/packDescription.ts'
import { accountNoneCell } from '../../codec/tlb/Account.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import { toTexts } from './accountAfter.ts'
import type { FoundTransaction } from './FoundTransaction.ts'
import type { StoredMessage } from './MessageReader.ts'
import { type LargeAmounts, NO_TRACE_ID, putExtraFlags, putIhrFee, type UnitFacts } from './messageRow.ts'
import type { RowBuilder } from './RowBuilder.ts'

const COLUMNS = 39

/** The message that a transaction received, and by which hashes it is known. */
export type ReceivedMessage = {
  readonly message: StoredMessage
  readonly hash: Uint8Array
  /** Only where it differs. */
  readonly normalHash: Uint8Array | undefined
}

/** Writes a row of transactions, field by field in the order of chainTables.ts. */
export const putTransactionRow = (
  rows: RowBuilder,
  unit: UnitFacts,
  tx: FoundTransaction,
  hash: Uint8Array,
  received: ReceivedMessage | undefined,
): void => {
  const { after, block, totalFees } = tx
  const message = received?.message
  const info = message?.info
  const internal = info?.kind === 'internal' ? info : undefined
  let large: LargeAmounts | undefined
  rows.startRow(COLUMNS)
  rows.int8(tx.lt)
  rows.int8(tx.prevLt)
  rows.int8(block.id.shard)
  if (!rows.amount(totalFees.grams)) large = { total_fees: totalFees.grams.toString() }
  if (after === undefined) rows.absent()
  else if (!rows.amount(after.balance)) large = { ...large, balance: after.balance.toString() }
  if (internal === undefined) {
    rows.absent()
    rows.absent()
    rows.absent()
  } else {
    const { value, fwdFee, extraFlags } = internal
    if (!rows.amount(value.grams)) large = { ...large, in_value: value.grams.toString() }
    if (!rows.amount(fwdFee)) large = { ...large, in_fwd_fee: fwdFee.toString() }
    if (!putIhrFee(rows, extraFlags, unit)) large = { ...large, in_ihr_fee: extraFlags.toString() }
  }
  // One that does not fit is nowhere else either: the interface has null for it.
  if (info?.kind === 'externalIn') rows.amount(info.importFee)
  else rows.absent()
  if (internal === undefined) rows.absent()
  else rows.int8(internal.createdLt)
  rows.int4(tx.now)
  rows.int4(unit.seqno)
  rows.int4(block.id.seqno)
  if (internal === undefined) rows.absent()
  else rows.int4(internal.createdAt)
  if (message?.opcode === undefined) rows.absent()
  else rows.int4(message.opcode)
  rows.int2(tx.origStatus)
  rows.int2(tx.endStatus)
  rows.int2(message?.bits ?? 0)
  rows.int2(tx.outMsgCount)
  putHashes(rows, tx, hash, received)
  rows.longBytes(packDescriptionView(tx.description))
  rows.json(toTexts(totalFees.extra))
  rows.json(after?.extraCurrencies)
  rows.json(internal && toTexts(internal.value.extra))
  putExtraFlags(rows, internal?.extraFlags ?? 0n, unit)
  rows.json(large)
  rows.bytes(NO_TRACE_ID)
  rows.endRow()
}

const NO_ACCOUNT = accountNoneCell.hash()

const putHashes = (
  rows: RowBuilder,
  tx: FoundTransaction,
  hash: Uint8Array,
  received: ReceivedMessage | undefined,
): void => {
  const { after } = tx
  const message = received?.message
  rows.bytes(tx.account)
  rows.bytes(hash)
  rows.bytesOrAbsent(tx.prevLt === 0n ? undefined : tx.prevHash)
  rows.bytesOrAbsent(bytesEqual(tx.stateBefore, NO_ACCOUNT) ? undefined : tx.stateBefore)
  rows.bytes(tx.stateAfter)
  rows.bytesOrAbsent(after?.frozenHash)
  rows.bytesOrAbsent(after?.dataHash)
  rows.bytesOrAbsent(after?.codeHash)
  rows.bytesOrAbsent(received?.hash)
  rows.bytesOrAbsent(received?.normalHash)
  if (message?.info.kind === 'internal') rows.address(message.info.source)
  else rows.absent()
  rows.bytesOrAbsent(message?.bodyHash)
  rows.bytesOrAbsent(message?.initHash)
}
