import { locateResult, recoverLocating, routeParams } from '../locateTransaction.ts'
import { v2Endpoint } from '../v2Endpoint.ts'
import { ExtTransactionView, toExtTransactionView } from '../views/ExtTransactionView.ts'

export const tryLocateResultTx = v2Endpoint({
  name: 'tryLocateResultTx',
  tags: ['transactions'],
  summary: 'The transaction that a message set off.',
  params: routeParams,
  result: ExtTransactionView,
  errors: ['transaction_not_found'],
  lifetime: () => 'forever',
  handle: async ({ node }, route) => toExtTransactionView(await locateResult(node, route)),
  recover: recoverLocating,
})
