import { findReceived, type PendingTransaction } from '../../../store/reader/pending.ts'
import { keyText } from '../../../store/reader/TransactionRecord.ts'
import { optional } from '../../core/Param.ts'
import { NotIndexedError } from '../errors.ts'
import { readAddressBook } from '../hydrate/readAddressBook.ts'
import { addressListParam, hashListParam } from '../params.ts'
import { RefusedRequestError } from '../RefusedRequestError.ts'
import type { V3Context } from '../V3Context.ts'
import { v3Endpoint } from '../v3Endpoint.ts'
import { inTraceOrder, toPendingTransactionView } from '../views/PendingView.ts'
import { addressesOfTransactions, TransactionsView } from '../views/TransactionView.ts'

export const pendingTransactions = v3Endpoint({
  name: 'pendingTransactions',
  tags: ['transactions'],
  summary: 'Transactions that are foreseen, the latest first.',
  params: {
    account: optional(addressListParam('Accounts of the transactions.')),
    trace_id: optional(
      hashListParam('Traces: hashes of their first transactions, or of the messages that began them.'),
    ),
  },
  result: TransactionsView,
  errors: ['not_indexed', 'query_too_costly'],
  async handle(context, { account, trace_id: hashes }) {
    const found = await select(context, account, hashes)
    const received = await findReceived(
      context.lists,
      found.flatMap(({ inMessage }) => (inMessage === undefined ? [] : [inMessage.hash])),
    )
    const indexed = new Set(received.map(keyText))
    const transactions = inTraceOrder(found)
      .reverse()
      .filter(({ inMessage }) => inMessage === undefined || !indexed.has(keyText(inMessage.hash)))
    return {
      transactions: await context.budget.writeRows(transactions, (each) =>
        toPendingTransactionView(each, context.budget),
      ),
      // Here it cannot be declined.
      address_book: await readAddressBook(context, addressesOfTransactions(transactions)),
    }
  },
})

/** Those that are only foreseen. Where both are given, both count. */
const select = async (
  { pending }: V3Context,
  accounts: readonly Uint8Array[] | undefined,
  hashes: readonly Uint8Array[] | undefined,
): Promise<PendingTransaction[]> => {
  if (accounts === undefined && hashes === undefined) {
    throw new RefusedRequestError('at least 1 account address or trace_id required')
  }
  const traces = await pending.find(hashes === undefined ? { accounts: accounts ?? [] } : { hashes })
  if (traces.length === 0) throw new NotIndexedError('emulated traces not found')
  const wanted = accounts && new Set(accounts.map(keyText))
  return traces
    .flatMap(({ transactions }) => transactions)
    .filter(({ isEmulated, account }) => isEmulated && (wanted === undefined || wanted.has(keyText(account))))
}
