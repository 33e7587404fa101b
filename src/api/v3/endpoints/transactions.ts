import { readTransactions } from '../../../store/reader/readTransactions.ts'
import { listTransactions } from '../../../store/reader/transactions.ts'
import { optional } from '../../core/Param.ts'
import { answerTransactions } from '../answerTransactions.ts'
import { expectIndexed } from '../expectIndexed.ts'
import { distinctKeys } from '../hydrate/distinctKeys.ts'
import { expectShowable } from '../PageTooLargeError.ts'
import {
  addressFilterParam,
  addressListParam,
  hashListParam,
  int32Param,
  ltParam,
  pageParams,
  ShardParam,
  sortParam,
  windowParams,
} from '../params.ts'
import { v3Endpoint } from '../v3Endpoint.ts'
import { TransactionsView } from '../views/TransactionView.ts'

export const transactions = v3Endpoint({
  name: 'transactions',
  tags: ['blockchain data'],
  summary: 'Transactions, the newest first.',
  params: {
    workchain: optional(int32Param('The workchain of the block that holds them.')),
    shard: optional(ShardParam),
    seqno: optional(int32Param('The seqno of the block that holds them.')),
    mc_seqno: optional(int32Param('The masterchain block that was the first to include their blocks.')),
    account: optional(addressFilterParam('Transactions of any of these accounts.')),
    exclude_account: optional(addressListParam('Transactions of none of these accounts.')),
    hash: optional(hashListParam('Their hashes.')),
    lt: optional(ltParam('Their logical time.')),
    ...windowParams('a transaction'),
    sort: sortParam(),
    ...pageParams,
  },
  result: TransactionsView,
  errors: ['not_indexed', 'cursor_refused', 'query_too_costly'],
  async handle(context, params) {
    const { mc_seqno: mcSeqno, account } = params
    if (account?.length === 0) return answerTransactions(context, await readTransactions(context, [], undefined))
    const question = {
      workchain: params.workchain,
      shard: params.shard,
      seqno: params.seqno,
      mcSeqno,
      accounts: account && distinctKeys(account),
      excludedAccounts: params.exclude_account,
      hashes: params.hash,
      lt: params.lt,
      time: { from: params.start_utime, to: params.end_utime },
      startLt: params.start_lt,
      endLt: params.end_lt,
      direction: params.sort,
    }
    const { rows, next, beyond } = await listTransactions(context.lists, question, context.readPage(params))
    // A block that has any is indexed.
    if (rows.length === 0 && mcSeqno !== undefined) await expectIndexed(context, mcSeqno)
    context.tellNext(next)
    return answerTransactions(context, await readTransactions(context, expectShowable(rows), beyond))
  },
})
