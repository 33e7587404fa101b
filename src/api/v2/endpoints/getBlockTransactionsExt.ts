import { blockListParams, checkBlockList, readBlockList } from '../blockList.ts'
import { getNamedBlock } from '../namedBlock.ts'
import { toTransactionReading } from '../TransactionReading.ts'
import { v2Endpoint } from '../v2Endpoint.ts'
import { BlockTransactionsExtView, toBlockTransactionsExtView } from '../views/BlockTransactionsExtView.ts'
import { toRawTransactionExtView } from '../views/RawTransactionExtView.ts'

export const getBlockTransactionsExt = v2Endpoint({
  name: 'getBlockTransactionsExt',
  tags: ['blocks', 'transactions'],
  summary: 'The transactions of a block, whole, by account, then by logical time.',
  description: 'The next page starts after the account (after_hash) and the lt (after_lt) of the last transaction.',
  params: blockListParams,
  result: BlockTransactionsExtView,
  errors: [],
  lifetime: () => 'forever',
  check: checkBlockList,
  async handle({ node }, question) {
    const block = await getNamedBlock(node, question)
    const list = await readBlockList(block, question, {
      getPage: (page) => node.getBlockTransactions(block, page),
      toItem: (listed) => toRawTransactionExtView(toTransactionReading(block.workchain, listed)),
    })
    return toBlockTransactionsExtView(list)
  },
})
