import { blockListParams, checkBlockList, readBlockList } from '../blockList.ts'
import { getNamedBlock } from '../namedBlock.ts'
import { v2Endpoint } from '../v2Endpoint.ts'
import { BlockTransactionsView, toBlockTransactionsView } from '../views/BlockTransactionsView.ts'
import { toShortIdView } from '../views/ShortIdView.ts'

export const getBlockTransactions = v2Endpoint({
  name: 'getBlockTransactions',
  tags: ['blocks', 'transactions'],
  summary: 'Which transactions a block has, by account, then by logical time.',
  description: 'The next page starts after the account (after_hash) and the lt (after_lt) of the last transaction.',
  params: blockListParams,
  result: BlockTransactionsView,
  errors: [],
  lifetime: () => 'forever',
  check: checkBlockList,
  async handle({ node }, question) {
    const block = await getNamedBlock(node, question)
    const list = await readBlockList(block, question, {
      getPage: (page) => node.listBlockTransactions(block, page),
      toItem: (key) => toShortIdView(block.workchain, key),
    })
    return toBlockTransactionsView(list)
  },
})
