import { receivedRowOf, sourceOf } from '../../../store/reader/messageRecord.ts'
import { readTransactions, readTransactionsWith, type TransactionEnds } from '../../../store/reader/readTransactions.ts'
import type { TransactionRecord, TransactionRow } from '../../../store/reader/TransactionRecord.ts'
import { asJson } from '../../core/json/stringifyJson.ts'
import type { AnswerBudget } from '../AnswerBudget.ts'
import type { SentMessage, TransactionText, TransactionTexts } from '../TransactionTexts.ts'
import type { V3Context } from '../V3Context.ts'
import { type TransactionView, toTransactionView, transactionJson } from '../views/transactions.ts'

/** A transaction that an answer shows, with what is needed of it beside its text. Addresses are keys. */
export type ShownTransaction = TransactionEnds & {
  readonly hash: Uint8Array
  readonly inMessage: ShownMessage | undefined
  readonly outMessages: readonly SentMessage[]
  /** Its text, whose cost is charged to the budget of the answer. */
  toView(budget: AnswerBudget): TransactionView | Promise<TransactionView>
}

type ShownMessage = {
  readonly hash: Uint8Array
  readonly normalHash: Uint8Array | undefined
  readonly source: Uint8Array | undefined
}

/** Longer pages would fill the cache by themselves. */
const MAX_CACHED_PAGE = 128

type Context = Pick<V3Context, 'keyedReads' | 'listReads' | 'transactionTexts'>

/**
 * The transactions of a page, in the order of their rows: those whose text is cached need not be read any further. `beside` is read as by
 * {@link readTransactionsWith}; `lookahead` is the row after the page.
 */
export const showTransactions = async <T>(
  context: Context,
  rows: readonly TransactionRow[],
  beside: (transactions: readonly TransactionEnds[]) => Promise<T>,
  lookahead?: TransactionRow,
): Promise<{ readonly transactions: readonly ShownTransaction[]; readonly beside: T }> => {
  const cache = rows.length <= MAX_CACHED_PAGE ? context.transactionTexts : undefined
  const cached = rows.map((row) => {
    const found = cache?.find(row)
    return found && showCached(context, row, found)
  })
  const missing = rows.filter((_row, k) => cached[k] === undefined)
  const others = rows.filter((_row, k) => cached[k] !== undefined)
  const read = await readTransactionsWith(
    context,
    missing,
    (ends) => beside(others.length === 0 ? ends : fillIn(cached, ends)),
    { others: lookahead === undefined ? others : [...others, lookahead] },
  )
  const written = read.records.map((record, k): ShownTransaction => {
    const row = missing[k]!
    const isToCache = cache !== undefined && record.isComplete && cache.wasSeen(row)
    const { account, traceId, hash, inMessage, outMessages } = record
    return {
      account,
      traceId,
      hash,
      inMessage,
      outMessages,
      toView: (budget) => (isToCache ? writeToCache(cache, row, record, budget) : toTransactionView(record, budget)),
    }
  })
  return { transactions: fillIn(cached, written), beside: read.beside }
}

const writeToCache = (
  cache: TransactionTexts,
  row: TransactionRow,
  record: TransactionRecord,
  budget: AnswerBudget,
): TransactionView => {
  const before = budget.left
  const json = transactionJson(record, budget)
  if (budget.isEnough) {
    cache.set(row, { json, outMessages: record.outMessages, cost: budget.costOfRow(before) })
  }
  return asJson(json)
}

/** The cached ones, with the others in the gaps between them. */
const fillIn = <C, R>(cached: readonly (C | undefined)[], others: readonly R[]): (C | R)[] => {
  let at = 0
  return cached.map((each) => each ?? others[at++]!)
}

const showCached = (context: Context, row: TransactionRow, found: TransactionText): ShownTransaction => {
  const { in_hash: hash } = row
  const received = receivedRowOf(row)
  return {
    account: row.account,
    traceId: row.trace_id,
    hash: row.hash,
    inMessage:
      hash === null || received === undefined
        ? undefined
        : { hash, normalHash: row.in_hash_norm ?? undefined, source: sourceOf(received) },
    outMessages: found.outMessages,
    // Where too little of the budget is left to show all of it, it is written anew.
    toView: (budget) => (budget.takeRow(found.cost) ? asJson(found.json) : writeAnew(context, row, budget)),
  }
}

const writeAnew = async (context: Context, row: TransactionRow, budget: AnswerBudget): Promise<TransactionView> => {
  const [record] = await readTransactions(context, [row])
  return toTransactionView(record!, budget)
}
