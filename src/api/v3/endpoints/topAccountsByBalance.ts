import { Type } from 'typebox'
import { listTopAccounts } from '../../../store/reader/accounts.ts'
import { pageParams } from '../params.ts'
import { v3Endpoint } from '../v3Endpoint.ts'
import { AccountBalanceView, toAccountBalanceView } from '../views/AccountBalanceView.ts'

export const topAccountsByBalance = v3Endpoint({
  name: 'topAccountsByBalance',
  tags: ['stats'],
  summary: 'The accounts with the largest balances, the largest first.',
  params: pageParams,
  result: Type.Array(AccountBalanceView),
  errors: [],
  async handle({ lists, readPage, tellNext }, params) {
    const { rows, next } = await listTopAccounts(lists, readPage(params))
    tellNext(next)
    return rows.map(toAccountBalanceView)
  },
})
