import type { Static } from 'typebox'
import type { TransactionRecord } from '../../store/reader/TransactionRecord.ts'
import { hydrateAddressBook } from './hydrate/hydrate.ts'
import type { V3Context } from './V3Context.ts'
import { addressesOfTransactions, type TransactionsView, toTransactionView } from './views/TransactionView.ts'

/** The answer of the endpoints that list transactions. */
export const answerTransactions = async (
  context: V3Context,
  records: readonly TransactionRecord[],
): Promise<Static<typeof TransactionsView>> => {
  // Before the transactions are put into words: of all that is made, least is alive while others are waited for.
  const beside = await hydrateAddressBook(context, addressesOfTransactions(records))
  const { budget } = context
  return { transactions: await budget.writeRows(records, (record) => toTransactionView(record, budget)), ...beside }
}
