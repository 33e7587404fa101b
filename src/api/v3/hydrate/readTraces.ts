import { type ActionRecord, type ActionTypes, findTraceActions } from '../../../store/reader/actions.ts'
import { findTransactionsByHash } from '../../../store/reader/findTransactions.ts'
import { readTransactions, type TransactionEnds } from '../../../store/reader/readTransactions.ts'
import { keyText, type TransactionRecord, type TransactionRow } from '../../../store/reader/TransactionRecord.ts'
import { findTraceTransactions, type TraceRecord } from '../../../store/reader/traces.ts'
import { expectShowable, MAX_MESSAGES, MAX_TRANSACTIONS, takeShowable } from '../errors.ts'
import type { V3Context } from '../V3Context.ts'
import { addressesOfActions } from '../views/actions.ts'
import { addressesOfTransactions } from '../views/transactions.ts'
import { distinctKeys, hydrate } from './hydrate.ts'

/** Larger traces are marked as incomplete: limits of transactions and of external-out messages. */
const MAX_TRACE = 4000
const MAX_TRACE_MESSAGES = 20_000

const isShownWhole = ({ transactions, messages }: TraceRecord): boolean =>
  transactions <= MAX_TRACE && messages <= MAX_TRACE_MESSAGES

/** The message that started a trace. */
export type TraceBeginning = { readonly hash: Uint8Array; readonly normalHash: Uint8Array | undefined }

/** What is needed of a transaction to find its place in a trace. */
type TracedTransaction = Pick<TransactionRecord, 'hash' | 'traceId'> & {
  readonly inMessage: TraceBeginning | undefined
}

export type FoundTrace<T> = {
  readonly trace: TraceRecord
  readonly beginning: TraceBeginning | undefined
  /** By logical time, then account; `undefined` if there are too many. */
  readonly transactions: readonly T[] | undefined
  /** `undefined` if not requested. */
  readonly actions: readonly ActionRecord[] | undefined
}

/** What names the addresses that an answer shows. */
type Names = Awaited<ReturnType<typeof hydrate>>

type ReadNames = (ends: readonly TransactionEnds[]) => Promise<Names>

/** Reads everything that a page of traces shows. Names are read while `readRows` reads the contents of messages. */
export const readFoundTraces = async <T extends TracedTransaction>(
  context: V3Context,
  traces: readonly TraceRecord[],
  types: ActionTypes | undefined,
  readRows: (
    rows: readonly TransactionRow[],
    readNames: ReadNames,
  ) => Promise<{ readonly transactions: readonly T[]; readonly beside: Names }>,
): Promise<{ readonly found: FoundTrace<T>[]; readonly beside: Names }> => {
  const { listReads } = context
  const whole = traces.filter(createFit())
  const ids = whole.map(({ traceId }) => traceId)
  const cut = traces.filter((trace) => !whole.includes(trace)).map(({ traceId }) => traceId)
  const readingActions = types && findTraceActions(listReads, ids, types)
  const readNames: ReadNames = async (ends) => {
    const [endsOf, actionsOf] = [groupByTrace(ends), groupByTrace((await readingActions) ?? [])]
    const texts = ids.map(keyText)
    return hydrate(context, [
      ...texts.flatMap((id) => addressesOfTransactions(endsOf.get(id) ?? [])),
      ...texts.flatMap((id) => addressesOfActions(actionsOf.get(id) ?? [])),
    ])
  }
  const [{ transactions: read, beside }, actions, cutBeginnings] = await Promise.all([
    findTraceTransactions(listReads, whole).then((rows) => readRows(expectShowable(rows), readNames)),
    readingActions,
    readBeginnings({ listReads }, cut),
  ])
  const transactionsOf = groupByTrace(read)
  const actionsOf = actions && groupByTrace(actions)
  const found = traces.map((trace) => {
    const id = keyText(trace.traceId)
    const isWhole = whole.includes(trace)
    const transactions = transactionsOf.get(id) ?? []
    return {
      trace,
      beginning: isWhole ? beginningOf(transactions, id) : cutBeginnings.get(id),
      transactions: isWhole ? transactions : undefined,
      actions: isWhole && actionsOf !== undefined ? (actionsOf.get(id) ?? []) : undefined,
    }
  })
  return { found, beside }
}

/**
 * Decides for one trace after the other whether it is shown whole. Traces beyond the size of a response are shown like those that are too
 * large by themselves; they can be requested by id.
 */
const createFit = (): ((trace: TraceRecord) => boolean) => {
  let [transactions, messages] = [MAX_TRANSACTIONS, MAX_MESSAGES]
  return (trace) => {
    const ofTrace = trace.transactions + trace.messages
    const fits = isShownWhole(trace) && trace.transactions <= transactions && ofTrace <= messages
    if (fits) {
      transactions -= trace.transactions
      messages -= ofTrace
    }
    return fits
  }
}

/** The messages that started these traces, by trace id; absent if no message did, or if it was deleted by retention. */
export const readBeginnings = async (
  { listReads }: Pick<V3Context, 'listReads'>,
  traceIds: readonly Uint8Array[],
): Promise<ReadonlyMap<string, TraceBeginning>> => {
  const beginnings = new Map<string, TraceBeginning>()
  for (const { hash, in_hash, in_hash_norm } of await findTransactionsByHash(listReads, traceIds)) {
    if (in_hash !== null) beginnings.set(keyText(hash), { hash: in_hash, normalHash: in_hash_norm ?? undefined })
  }
  return beginnings
}

const beginningOf = (transactions: readonly TracedTransaction[], traceId: string): TraceBeginning | undefined =>
  transactions.find(({ hash }) => keyText(hash) === traceId)?.inMessage

const groupByTrace = <T extends { readonly traceId: Uint8Array }>(items: readonly T[]): Map<string, T[]> => {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const id = keyText(item.traceId)
    const others = groups.get(id)
    if (others === undefined) groups.set(id, [item])
    else others.push(item)
  }
  return groups
}

/** Transactions by hash for a whole page; only the first ones if a response cannot hold all. */
export const readFullTransactions = async (
  { listReads, keyedReads }: Pick<V3Context, 'listReads' | 'keyedReads'>,
  hashes: Iterable<Uint8Array>,
): Promise<ReadonlyMap<string, TransactionRecord>> => {
  const distinct = distinctKeys(hashes).slice(0, MAX_TRANSACTIONS)
  const found = await findTransactionsByHash(listReads, distinct)
  const rowOf = new Map(found.map((row) => [keyText(row.hash), row]))
  const rows = distinct.map((hash) => rowOf.get(keyText(hash))).filter((row) => row !== undefined)
  const records = await readTransactions({ listReads, keyedReads }, takeShowable(rows))
  return new Map(records.map((record) => [keyText(record.hash), record]))
}
