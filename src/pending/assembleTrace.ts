import type { Cell } from '../codec/cell/Cell.ts'
import { openCell } from '../codec/cell/CellReader.ts'
import { readWhole, writeWhole } from '../codec/cell/wholeCell.ts'
import { packCell } from '../codec/stored/packCell.ts'
import { addressKeyOfMsgAddress, packDescription } from '../codec/stored/packDescription.ts'
import { openAccount } from '../codec/tlb/Account.ts'
import type { ExtraCurrencies } from '../codec/tlb/CurrencyCollection.ts'
import { bodyCell, type Message, normalizedExternalHash, readMessage } from '../codec/tlb/Message.ts'
import type { ShardAccount } from '../codec/tlb/ShardAccounts.ts'
import { writeStateInit } from '../codec/tlb/StateInit.ts'
import { writeTransactionDescr } from '../codec/tlb/TransactionDescr.ts'
import { addressKeyOf } from '../primitives/Address.ts'
import { bytesEqual } from '../primitives/bytes.ts'
import { toHex } from '../primitives/hex.ts'
import type { ActionRecord } from '../store/reader/actions.ts'
import type { Finality, PendingAction, PendingTrace, PendingTransaction } from '../store/reader/pending.ts'
import type {
  MessageRecord,
  StateSnapshot,
  StoredContent,
  TransactionRecord,
} from '../store/reader/TransactionRecord.ts'
import type { TraceRecord } from '../store/reader/traces.ts'
import type { ExtraAmounts } from '../store/schema/codes.ts'
import type { EmulatedTransaction, Emulation } from './emulate.ts'
import type { SentMessage } from './TraceEmulator.ts'

/** `undefined` if there are none. */
const toExtraAmounts = (extra: ExtraCurrencies): ExtraAmounts | undefined => {
  if (extra.isEmpty) return undefined
  const amounts: Record<string, string> = {}
  extra.forEach((id, amount) => {
    amounts[id] = amount.toString()
  })
  return amounts
}

/** A message record like those of the index. */
const toMessageRecord = (
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

export type TraceFacts = {
  readonly traceId: Uint8Array
  /** The message that started it. */
  readonly externalHash: Uint8Array
  readonly hasExtraFlags: boolean
  /** Receiving transactions by message hash. */
  readonly receivers: ReadonlyMap<string, Uint8Array>
}

/** An emulated transaction as a record like those of the index. It is in no block. */
const toTransactionRecord = (emulated: EmulatedTransaction, facts: TraceFacts): TransactionRecord => {
  const { address, transaction, outMessages, before, after, shard, cell } = emulated
  const { hasExtraFlags, receivers } = facts
  const hash = cell.hash()
  return {
    account: addressKeyOf(address),
    hash,
    lt: transaction.lt,
    now: transaction.now,
    mcSeqno: 0,
    traceId: facts.traceId,
    traceExternalHash: facts.externalHash,
    prevHash: transaction.prevTransLt === 0n ? undefined : transaction.prevTransHash,
    prevLt: transaction.prevTransLt,
    origStatus: transaction.origStatus,
    endStatus: transaction.endStatus,
    totalFees: transaction.totalFees.grams,
    totalFeesExtra: toExtraAmounts(transaction.totalFees.extra),
    description: packDescription(writeWhole(writeTransactionDescr, transaction.description)),
    block: { workchain: address.workchain, shard, seqno: 0 },
    inMessage: transaction.inMsg && toMessageRecord(transaction.inMsg, { hasExtraFlags, receivedBy: hash }),
    outMessages: outMessages.map((message) =>
      toMessageRecord(message, { hasExtraFlags, receivedBy: receivers.get(toHex(message.hash())) }),
    ),
    stateBefore: toSnapshot(before),
    stateAfter: toSnapshot(after),
  }
}

const toSnapshot = ({ account: cell }: ShardAccount): StateSnapshot => {
  const account = openAccount(cell)
  if (account.kind === 'none') return { hash: undefined, known: nobody }
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

const nobody = {
  status: 'nonexist',
  balance: 0n,
  extra: undefined,
  frozenHash: undefined,
  dataHash: undefined,
  codeHash: undefined,
} as const

/** Classifies the actions of a trace that is partly emulated; `undefined` if that is not possible now. */
export type ClassifyTrace = (
  trace: TraceRecord,
  transactions: readonly TransactionRecord[],
) => Promise<readonly ActionRecord[] | undefined>

export type TracePieces = {
  readonly message: Pick<SentMessage, 'hash' | 'normalHash'>
  /** Indexed transactions, the root included; or none. */
  readonly real: readonly TransactionRecord[]
  readonly emulation: Emulation
  readonly hasExtraFlags: boolean
}

/** A trace of indexed and emulated transactions; `undefined` if there are none. */
export const assembleTrace = async (
  pieces: TracePieces,
  classify: ClassifyTrace,
): Promise<PendingTrace | undefined> => {
  const { message, real, emulation } = pieces
  const rootId = real[0]?.traceId ?? emulation.transactions[0]?.cell.hash()
  if (rootId === undefined) return undefined
  const emulated = recordsOf(pieces, rootId)
  const records = [...real.map((record) => withReceivers(record, emulated)), ...emulated]
  const traceId = real.length > 0 ? rootId : undefined
  const actions = await classify(toTraceRecord(rootId, records), [...records].sort(byLt))
  const finalities = new Map<string, Finality>()
  const transactions = records.map((record, k): PendingTransaction => {
    const isEmulated = k >= real.length
    const finality = isEmulated ? 'pending' : 'finalized'
    finalities.set(toHex(record.hash), finality)
    return { ...record, traceId, isEmulated, finality }
  })
  return {
    externalHash: real[0]?.traceExternalHash ?? message.hash,
    externalHashNorm: message.normalHash,
    traceId,
    transactions,
    actions: actions?.map(
      (action): PendingAction => ({ ...action, traceId, finality: finalityOf(action, finalities) }),
    ),
    isIncomplete: emulation.isIncomplete,
  }
}

const recordsOf = ({ message, emulation, hasExtraFlags }: TracePieces, traceId: Uint8Array): TransactionRecord[] => {
  const receivers = new Map<string, Uint8Array>()
  for (const { transaction, cell } of emulation.transactions) {
    if (transaction.inMsg !== undefined) receivers.set(toHex(transaction.inMsg.hash()), cell.hash())
  }
  const facts = { traceId, externalHash: message.hash, hasExtraFlags, receivers }
  return emulation.transactions.map((each) => toTransactionRecord(each, facts))
}

/** Links messages of indexed transactions to the emulated ones that receive them. */
const withReceivers = (record: TransactionRecord, emulated: readonly TransactionRecord[]): TransactionRecord => ({
  ...record,
  outMessages: record.outMessages.map((sent) => {
    const receiver = emulated.find(({ inMessage }) => inMessage !== undefined && bytesEqual(inMessage.hash, sent.hash))
    return receiver === undefined ? sent : { ...sent, receivedBy: receiver.hash }
  }),
})

const byLt = (a: TransactionRecord, b: TransactionRecord): number => (a.lt < b.lt ? -1 : a.lt > b.lt ? 1 : 0)

const toTraceRecord = (traceId: Uint8Array, records: readonly TransactionRecord[]): TraceRecord => {
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

/** The lowest finality of its transactions. */
const finalityOf = ({ transactions }: ActionRecord, finalities: ReadonlyMap<string, Finality>): Finality =>
  transactions.every((hash) => finalities.get(toHex(hash)) === 'finalized') ? 'finalized' : 'pending'
