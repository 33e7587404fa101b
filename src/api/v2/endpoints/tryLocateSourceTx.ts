import { locateSource, recoverLocating, routeParams } from '../locateTransaction.ts'
import { v2Endpoint } from '../v2Endpoint.ts'
import { ExtTransactionView, toExtTransactionView } from '../views/ExtTransactionView.ts'

export const tryLocateSourceTx = v2Endpoint({
  name: 'tryLocateSourceTx',
  tags: ['transactions'],
  summary: 'The transaction that sent a message.',
  params: routeParams,
  result: ExtTransactionView,
  errors: ['transaction_not_found'],
  lifetime: () => 'forever',
  handle: async ({ node }, route) => toExtTransactionView(await locateSource(node, route)),
  recover: recoverLocating,
})
