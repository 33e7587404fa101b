import { readTransactions } from '../../../store/reader/readTransactions.ts'
import { listTransactions } from '../../../store/reader/transactions.ts'
import { answerTransactions } from '../answerTransactions.ts'
import { expectIndexed } from '../expectIndexed.ts'
import { expectShowable } from '../PageTooLargeError.ts'
import { pageParams, requiredSeqnoParam, sortParam } from '../params.ts'
import { v3Endpoint } from '../v3Endpoint.ts'
import { TransactionsView } from '../views/TransactionView.ts'

export const transactionsByMasterchainBlock = v3Endpoint({
  name: 'transactionsByMasterchainBlock',
  tags: ['blockchain data'],
  summary: 'The transactions of a masterchain block and of all blocks that it is the first to include.',
  params: { seqno: requiredSeqnoParam('The seqno of the masterchain block.'), sort: sortParam(), ...pageParams },
  result: TransactionsView,
  errors: ['not_indexed', 'cursor_refused', 'query_too_costly'],
  async handle(context, params) {
    const { seqno: mcSeqno, sort: direction } = params
    const question = { mcSeqno, time: {}, direction }
    const { rows, next } = await listTransactions(context.lists, question, context.readPage(params))
    // A block that has any is indexed.
    if (rows.length === 0) await expectIndexed(context, mcSeqno)
    context.tellNext(next)
    return answerTransactions(context, await readTransactions(context, expectShowable(rows)))
  },
})
