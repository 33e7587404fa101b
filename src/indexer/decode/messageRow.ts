import { toTexts } from './accountAfter.ts'
import type { FoundTransaction } from './FoundTransaction.ts'
import type { SentMessage } from './MessageReader.ts'
import type { RowBuilder } from './RowBuilder.ts'
import type { WatchedAccounts } from './WatchedAccounts.ts'

/** What all rows of a unit have in common. */
export type UnitFacts = {
  readonly seqno: number
  readonly hasExtraFlags: boolean
  /** Takes no hash of a transaction from the block, but makes it. */
  readonly hashesAnew: boolean
  /** `undefined` where all accounts are. */
  readonly watched: WatchedAccounts | undefined
}

/** Amounts that are too large for their columns, as text by the names of those. */
export type LargeAmounts = Record<string, string>

const COLUMNS = 17
/** It is filled in when traces are known. */
export const NO_TRACE_ID: Uint8Array = new Uint8Array(32)

/** Writes a row of unreceived_messages, field by field in the order of chainTables.ts. */
export const putMessageRow = (
  rows: RowBuilder,
  unit: UnitFacts,
  sender: FoundTransaction,
  message: SentMessage,
  hash: Uint8Array,
): void => {
  const { info } = message
  const internal = info.kind === 'internal' ? info : undefined
  let large: LargeAmounts | undefined
  rows.startRow(COLUMNS)
  rows.int8(info.createdLt)
  if (internal === undefined) {
    rows.absent()
    rows.absent()
    rows.absent()
  } else {
    const { value, fwdFee, extraFlags } = internal
    if (!rows.amount(value.grams)) large = { value: value.grams.toString() }
    if (!rows.amount(fwdFee)) large = { ...large, fwd_fee: fwdFee.toString() }
    if (!putIhrFee(rows, extraFlags, unit)) large = { ...large, ihr_fee: extraFlags.toString() }
  }
  rows.int4(info.createdAt)
  rows.int4(unit.seqno)
  if (message.opcode === undefined) rows.absent()
  else rows.int4(message.opcode)
  rows.int2(message.bits)
  rows.bytes(sender.account)
  if (internal === undefined) rows.absent()
  else rows.address(internal.destination)
  rows.bytes(hash)
  rows.bytesOrAbsent(message.bodyHash)
  rows.bytesOrAbsent(message.initHash)
  rows.json(internal && toTexts(internal.value.extra))
  putExtraFlags(rows, internal?.extraFlags ?? 0n, unit)
  rows.json(large)
  rows.bytes(NO_TRACE_ID)
  rows.endRow()
}

/** The fee for instant routing, where messages have it and not the flags that took its place; zero is left out. */
export const putIhrFee = (rows: RowBuilder, slot: bigint, { hasExtraFlags }: UnitFacts): boolean => {
  if (!hasExtraFlags && slot !== 0n) return rows.amount(slot)
  rows.absent()
  return true
}

export const putExtraFlags = (rows: RowBuilder, slot: bigint, { hasExtraFlags }: UnitFacts): void => {
  if (hasExtraFlags && slot !== 0n) rows.numeric(slot)
  else rows.absent()
}
