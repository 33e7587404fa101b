import { bytesEqual } from '../primitives/bytes.ts'
import { toHex } from '../primitives/hex.ts'
import type { ActionRecord } from '../store/reader/actions.ts'
import type { Finality, PendingAction, PendingTrace, PendingTransaction } from '../store/reader/pending.ts'
import type { TransactionRecord } from '../store/reader/TransactionRecord.ts'
import type { TraceRecord } from '../store/reader/traces.ts'
import type { Emulation } from './emulate.ts'
import type { SentMessage } from './SentMessage.ts'
import { toTransactionRecord } from './toTransactionRecord.ts'

/** What happens in a trace, part of which may never have happened yet; `undefined` where nobody can tell now. */
export type ClassifyTrace = (
  trace: TraceRecord,
  transactions: readonly TransactionRecord[],
) => Promise<readonly ActionRecord[] | undefined>

export type TracePieces = {
  readonly message: Pick<SentMessage, 'hash' | 'normalHash'>
  /** Those that are in the index, the first one of the trace among them, or none. */
  readonly real: readonly TransactionRecord[]
  readonly emulation: Emulation
  readonly hasExtraFlags: boolean
}

/** A trace of what has happened and of what is foreseen; `undefined` where there is neither. */
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

/** What a real one has sent may be received by one that is foreseen. */
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

/** It is as sure as the least sure of its transactions. */
const finalityOf = ({ transactions }: ActionRecord, finalities: ReadonlyMap<string, Finality>): Finality =>
  transactions.every((hash) => finalities.get(toHex(hash)) === 'finalized') ? 'finalized' : 'pending'
