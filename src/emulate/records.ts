import type { Cell } from '../codec/cell/Cell.ts'
import { openCell } from '../codec/cell/CellReader.ts'
import { emptyCell } from '../codec/cell/CellWriter.ts'
import { PrunedBranchError } from '../codec/cell/errors.ts'
import { readWhole, writeWhole } from '../codec/cell/wholeCell.ts'
import { packCell, unpackCell } from '../codec/stored/packCell.ts'
import { addressKeyOfMsgAddress, packDescription } from '../codec/stored/packDescription.ts'
import { openAccount } from '../codec/tlb/Account.ts'
import { type ExtraCurrencies, NO_EXTRA_CURRENCIES } from '../codec/tlb/CurrencyCollection.ts'
import {
  bodyCell,
  type CommonMsgInfo,
  type Message,
  normalizedExternalHash,
  readMessage,
  writeMessage,
} from '../codec/tlb/Message.ts'
import { ADDR_NONE, type AddrStd } from '../codec/tlb/MsgAddress.ts'
import type { ShardAccount } from '../codec/tlb/ShardAccounts.ts'
import { readStateInit, writeStateInit } from '../codec/tlb/StateInit.ts'
import { writeTransactionDescr } from '../codec/tlb/TransactionDescr.ts'
import { addressKeyOf, parseAddressKey } from '../primitives/Address.ts'
import { bytesEqual } from '../primitives/bytes.ts'
import { toHex } from '../primitives/hex.ts'
import {
  type MessageRecord,
  NO_STATE,
  type StateSnapshot,
  type StoredContent,
  type TransactionRecord,
} from '../store/reader/TransactionRecord.ts'
import type { TraceRecord } from '../store/reader/traces.ts'
import type { ExtraAmounts } from '../store/schema/codes.ts'
import type { EmulatedTransaction } from './emulate.ts'
import { toAddrStd } from './walletMessages.ts'

/** `undefined` if there are none, `unknown` if a block does not show them because they did not change. */
const toExtraAmounts = (extra: ExtraCurrencies): ExtraAmounts | undefined => {
  if (extra.isEmpty) return undefined
  const amounts: Record<string, string> = {}
  try {
    extra.forEach((id, amount) => {
      amounts[id] = amount.toString()
    })
  } catch (error) {
    if (error instanceof PrunedBranchError) return 'unknown'
    throw error
  }
  return amounts
}

/** A message record like those of the index. */
export const toMessageRecord = (
  cell: Cell,
  { hasExtraFlags, receivedBy }: { readonly hasExtraFlags: boolean; readonly receivedBy: Uint8Array | undefined },
): MessageRecord => {
  const message = readWhole(cell, readMessage, 'A message')
  const { info, init } = message
  const hash = cell.hash()
  const body = bodyCell(message.body)
  const internal = info.kind === 'internal' ? info : undefined
  return {
    kind: info.kind,
    hash,
    normalHash: info.kind === 'externalIn' ? normalHashOf(message, hash) : undefined,
    source: info.kind === 'externalIn' ? undefined : addressKeyOfMsgAddress(info.source),
    destination: info.kind === 'externalOut' ? undefined : addressKeyOfMsgAddress(info.destination),
    value: internal?.value.grams,
    valueExtra: internal && toExtraAmounts(internal.value.extra),
    fwdFee: internal?.fwdFee,
    ihrFee: internal && (hasExtraFlags ? 0n : internal.extraFlags),
    extraFlags: internal && hasExtraFlags ? internal.extraFlags : undefined,
    importFee: info.kind === 'externalIn' ? info.importFee : undefined,
    createdLt: info.kind === 'externalIn' ? undefined : info.createdLt,
    createdAt: info.kind === 'externalIn' ? undefined : info.createdAt,
    opcode: body.bits < 32 || body.isExotic ? undefined : openCell(body).readInt(32),
    bounce: internal?.bounce,
    bounced: internal?.bounced,
    ihrDisabled: internal?.ihrDisabled,
    body: body.bits === 0 && body.refCount === 0 ? undefined : toContent(body),
    init: init && toContent(writeWhole(writeStateInit, init.value)),
    receivedBy,
  }
}

const normalHashOf = (message: Message, hash: Uint8Array): Uint8Array | undefined => {
  const normal = normalizedExternalHash(message)
  return bytesEqual(normal, hash) ? undefined : normal
}

const toContent = (cell: Cell): StoredContent => ({ hash: cell.hash(), packed: packCell(cell) })

/** The block that a transaction is expected in: its seqno, and that of the masterchain block that includes it. */
export type ExpectedBlock = { readonly seqno: number; readonly mcSeqno: number }

export type TraceFacts = {
  readonly traceId: Uint8Array
  /** The message that started it, if it is an external-in message. */
  readonly externalHash: Uint8Array | undefined
  readonly hasExtraFlags: boolean
  /** Receiving transactions by message hash. */
  readonly receivers: ReadonlyMap<string, Uint8Array>
}

/** A transaction that is not in the index, with its surroundings. */
export type TransactionParts = Pick<EmulatedTransaction, 'address' | 'cell' | 'transaction' | 'outMessages'> & {
  readonly before: StateSnapshot
  readonly after: StateSnapshot
  readonly shard: bigint
  readonly block: ExpectedBlock
}

/** A transaction as a record like those of the index. */
export const toTransactionRecord = (parts: TransactionParts, facts: TraceFacts): TransactionRecord => {
  const { address, transaction, outMessages, before, after, cell, shard, block } = parts
  const { hasExtraFlags, receivers } = facts
  const hash = cell.hash()
  return {
    account: addressKeyOf(address),
    hash,
    lt: transaction.lt,
    now: transaction.now,
    mcSeqno: block.mcSeqno,
    traceId: facts.traceId,
    traceExternalHash: facts.externalHash,
    prevHash: transaction.prevTransLt === 0n ? undefined : transaction.prevTransHash,
    prevLt: transaction.prevTransLt,
    origStatus: transaction.origStatus,
    endStatus: transaction.endStatus,
    totalFees: transaction.totalFees.grams,
    totalFeesExtra: toExtraAmounts(transaction.totalFees.extra),
    description: packDescription(writeWhole(writeTransactionDescr, transaction.description)),
    block: { workchain: address.workchain, shard, seqno: block.seqno },
    inMessage: transaction.inMsg && toMessageRecord(transaction.inMsg, { hasExtraFlags, receivedBy: hash }),
    outMessages: outMessages.map((message) =>
      toMessageRecord(message, { hasExtraFlags, receivedBy: receivers.get(toHex(message.hash())) }),
    ),
    stateBefore: before,
    stateAfter: after,
  }
}

export const toSnapshot = ({ account: cell }: Pick<ShardAccount, 'account'>): StateSnapshot => {
  const account = openAccount(cell)
  if (account.kind === 'none') return NO_STATE
  const { state, balance } = account
  const init = state.kind === 'active' ? state.init : undefined
  return {
    hash: cell.hash(0),
    known: {
      status: state.kind,
      balance: balance.grams,
      extra: toExtraAmounts(balance.extra),
      frozenHash: state.kind === 'frozen' ? state.stateHash : undefined,
      dataHash: init?.data?.hash(0),
      codeHash: init?.code?.hash(0),
    },
  }
}

export type RecordedTrace = {
  /** Hash of the first transaction. */
  readonly traceId: Uint8Array
  /** Hash of the message that started it. */
  readonly externalHash: Uint8Array
  readonly hasExtraFlags: boolean
  /** By default in no block: all numbers are 0. */
  readonly blockOf?: (transaction: EmulatedTransaction) => ExpectedBlock
}

const noBlock: ExpectedBlock = { seqno: 0, mcSeqno: 0 }

/** Emulated transactions as records like those of the index, in the same order. */
export const toTransactionRecords = (
  transactions: readonly EmulatedTransaction[],
  { blockOf = () => noBlock, ...trace }: RecordedTrace,
): TransactionRecord[] => {
  const receivers = new Map<string, Uint8Array>()
  for (const { transaction, cell } of transactions) {
    if (transaction.inMsg !== undefined) receivers.set(toHex(transaction.inMsg.hash()), cell.hash())
  }
  const facts = { ...trace, receivers }
  return transactions.map((each) =>
    toTransactionRecord(
      {
        ...each,
        before: toSnapshot(each.before),
        after: toSnapshot(each.after),
        shard: each.shardBlock.shard,
        block: blockOf(each),
      },
      facts,
    ),
  )
}

/** The trace of these transactions. */
export const toTraceRecord = (traceId: Uint8Array, records: readonly TransactionRecord[]): TraceRecord => {
  const lts = records.map(({ lt }) => lt).sort((a, b) => (a < b ? -1 : 1))
  const times = records.map(({ now }) => now)
  const seqnos = records.map(({ mcSeqno }) => mcSeqno)
  return {
    traceId,
    startLt: lts[0] ?? 0n,
    endLt: lts.at(-1) ?? 0n,
    startUtime: Math.min(...times),
    endUtime: Math.max(...times),
    startSeqno: Math.min(...seqnos),
    endSeqno: Math.max(...seqnos),
    transactions: records.length,
    messages: 1 + records.reduce((sum, { outMessages }) => sum + outMessages.length, 0),
  }
}

/** The message of a record, as far as a record holds it: the same for the contract that gets it. */
const toMessageCell = (record: MessageRecord): Cell | undefined => {
  const destination = record.destination && parseAddressKey(record.destination)
  if (destination === undefined || typeof destination === 'string') return undefined
  const info = infoOf(record, toAddrStd(destination))
  if (info === undefined) return undefined
  const init = record.init?.packed && readWhole(unpackCell(record.init.packed), readStateInit, 'A StateInit')
  const body = record.body?.packed === undefined ? emptyCell : unpackCell(record.body.packed)
  return writeWhole(writeMessage, { info, init: init && { inRef: true, value: init }, body })
}

const infoOf = (record: MessageRecord, destination: AddrStd): CommonMsgInfo | undefined => {
  if (record.kind === 'externalIn') {
    return { kind: 'externalIn', source: ADDR_NONE, destination, importFee: record.importFee ?? 0n }
  }
  const source = record.source && parseAddressKey(record.source)
  if (record.kind !== 'internal' || source === undefined || typeof source === 'string') return undefined
  return {
    kind: 'internal',
    ihrDisabled: record.ihrDisabled ?? true,
    bounce: record.bounce ?? false,
    bounced: record.bounced ?? false,
    source: toAddrStd(source),
    destination,
    value: { grams: record.value ?? 0n, extra: NO_EXTRA_CURRENCIES },
    extraFlags: record.extraFlags ?? record.ihrFee ?? 0n,
    fwdFee: record.fwdFee ?? 0n,
    createdLt: record.createdLt ?? 0n,
    createdAt: record.createdAt ?? 0,
  }
}

/** The messages that a pending trace waits for: those that no emulated transaction sends. */
export const startsOf = (
  transactions: readonly (Pick<TransactionRecord, 'inMessage' | 'outMessages'> & { readonly isEmulated: boolean })[],
): Cell[] => {
  const emulated = transactions.filter(({ isEmulated }) => isEmulated)
  const sent = new Set(emulated.flatMap(({ outMessages }) => outMessages.map(({ hash }) => toHex(hash))))
  return emulated.flatMap(({ inMessage }) =>
    inMessage === undefined || sent.has(toHex(inMessage.hash)) ? [] : (toMessageCell(inMessage) ?? []),
  )
}
