import { type Static, Type } from 'typebox'
import type { TransactionKey } from '../../../chain/LiveChain.ts'
import type { TransactionReading } from '../TransactionReading.ts'
import { RawTransactionView, toRawTransactionView } from './RawTransactionView.ts'
import { typeName } from './scalars.ts'
import { TransactionIdView, toTransactionIdView } from './TransactionIdView.ts'

export const RawTransactionsView = Type.Object(
  {
    '@type': typeName('raw.transactions'),
    transactions: Type.Array(RawTransactionView),
    previous_transaction_id: TransactionIdView,
  },
  { $id: 'RawTransactions', description: 'A part of a history and where it goes on.' },
)

export const toRawTransactionsView = (
  transactions: readonly TransactionReading[],
  next: TransactionKey | undefined,
): Static<typeof RawTransactionsView> => ({
  '@type': 'raw.transactions',
  transactions: transactions.map(toRawTransactionView),
  previous_transaction_id: toTransactionIdView(next),
})
