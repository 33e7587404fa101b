import { getNamedHeader, namedBlockParams } from '../namedBlock.ts'
import { v2Endpoint } from '../v2Endpoint.ts'
import { BlockHeaderView, toBlockHeaderView } from '../views/BlockHeaderView.ts'

export const getBlockHeader = v2Endpoint({
  name: 'getBlockHeader',
  tags: ['blocks'],
  summary: 'What a block says of itself.',
  params: namedBlockParams,
  result: BlockHeaderView,
  errors: [],
  lifetime: () => 'forever',
  handle: async ({ node }, name) => toBlockHeaderView(await getNamedHeader(node, name)),
})
