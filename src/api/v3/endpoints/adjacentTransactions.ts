import { Type } from 'typebox'
import { findAdjacentTransactions } from '../../../store/reader/findTransactions.ts'
import { readTransactions } from '../../../store/reader/readTransactions.ts'
import { optional, param, shownAs } from '../../core/Param.ts'
import { answerTransactions } from '../answerTransactions.ts'
import { NotIndexedError } from '../errors.ts'
import { expectShowable } from '../PageTooLargeError.ts'
import { hashParam } from '../params.ts'
import { v3Endpoint } from '../v3Endpoint.ts'
import { TransactionsView } from '../views/TransactionView.ts'

/** Any other word than these two has always meant both. */
const SideParam = shownAs(
  param(Type.String(), (text): 'in' | 'out' | 'both' => (text === 'in' || text === 'out' ? text : 'both')),
  Type.Union([Type.Literal('in'), Type.Literal('out')], {
    description: 'The transaction that sent what it received, or those that received what it sent; both when absent.',
  }),
)

export const adjacentTransactions = v3Endpoint({
  name: 'adjacentTransactions',
  tags: ['blockchain data'],
  summary: 'The transactions before and after one in its trace.',
  params: { hash: hashParam('The hash of the transaction.'), direction: optional(SideParam) },
  result: TransactionsView,
  errors: ['not_indexed', 'query_too_costly'],
  async handle(context, { hash, direction = 'both' }) {
    const rows = await findAdjacentTransactions(context, hash, direction)
    if (rows.length === 0) throw new NotIndexedError('adjacent transactions not found')
    return answerTransactions(context, await readTransactions(context, expectShowable(rows)))
  },
})
