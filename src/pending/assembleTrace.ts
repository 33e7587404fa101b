import type { Emulation } from '../emulate/emulate.ts'
import { toTraceRecord, toTransactionRecords } from '../emulate/records.ts'
import { bytesEqual } from '../primitives/bytes.ts'
import { toHex } from '../primitives/hex.ts'
import type { ActionRecord } from '../store/reader/actions.ts'
import type { Finality, PendingAction, PendingTrace, PendingTransaction } from '../store/reader/pending.ts'
import type { TransactionRecord } from '../store/reader/TransactionRecord.ts'
import type { TraceRecord } from '../store/reader/traces.ts'
import type { SentMessage } from './TraceEmulator.ts'

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
  const emulated = toTransactionRecords(emulation.transactions, {
    traceId: rootId,
    externalHash: message.hash,
    hasExtraFlags: pieces.hasExtraFlags,
  })
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

/** Links messages of indexed transactions to the emulated ones that receive them. */
const withReceivers = (record: TransactionRecord, emulated: readonly TransactionRecord[]): TransactionRecord => ({
  ...record,
  outMessages: record.outMessages.map((sent) => {
    const receiver = emulated.find(({ inMessage }) => inMessage !== undefined && bytesEqual(inMessage.hash, sent.hash))
    return receiver === undefined ? sent : { ...sent, receivedBy: receiver.hash }
  }),
})

const byLt = (a: TransactionRecord, b: TransactionRecord): number => (a.lt < b.lt ? -1 : a.lt > b.lt ? 1 : 0)

/** The lowest finality of its transactions. */
const finalityOf = ({ transactions }: ActionRecord, finalities: ReadonlyMap<string, Finality>): Finality =>
  transactions.every((hash) => finalities.get(toHex(hash)) === 'finalized') ? 'finalized' : 'pending'
