import { findTransactionsByHash } from '../../../store/reader/findTransactions.ts'
import { readTransactions } from '../../../store/reader/readTransactions.ts'
import { keyText, type TransactionRecord } from '../../../store/reader/TransactionRecord.ts'
import { expectShowable, MAX_TRANSACTIONS } from '../PageTooLargeError.ts'
import type { V3Context } from '../V3Context.ts'
import { distinctKeys } from './distinctKeys.ts'

/** Transactions by the texts of their hashes, for a whole page at once: the first of them, where an answer has no room for all. */
export const readFullTransactions = async (
  { lists, points }: Pick<V3Context, 'lists' | 'points'>,
  hashes: Iterable<Uint8Array>,
): Promise<ReadonlyMap<string, TransactionRecord>> => {
  const distinct = distinctKeys(hashes).slice(0, MAX_TRANSACTIONS)
  const rows = await findTransactionsByHash(lists, distinct)
  const records = await readTransactions({ lists, points }, expectShowable(rows))
  return new Map(records.map((record) => [keyText(record.hash), record]))
}
