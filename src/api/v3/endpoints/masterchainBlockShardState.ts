import { findShardTops } from '../../../store/reader/blocks.ts'
import { NotIndexedError } from '../errors.ts'
import { requiredSeqnoParam } from '../params.ts'
import { v3Endpoint } from '../v3Endpoint.ts'
import { BlocksView, toBlockView } from '../views/BlockView.ts'

export const masterchainBlockShardState = v3Endpoint({
  name: 'masterchainBlockShardState',
  tags: ['blocks'],
  summary: 'A masterchain block and the newest block of every shard that it knows of.',
  params: { seqno: requiredSeqnoParam('The number of a masterchain block.') },
  result: BlocksView,
  errors: ['not_indexed'],
  async handle({ points }, { seqno }) {
    const found = await findShardTops(points, seqno)
    if (found.length === 0) throw new NotIndexedError('blocks not found')
    return { blocks: found.map(toBlockView) }
  },
})
