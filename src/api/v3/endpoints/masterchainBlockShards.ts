import { listBlocks } from '../../../store/reader/blocks.ts'
import { NotIndexedError } from '../errors.ts'
import { pageParams, requiredSeqnoParam, sortParam } from '../params.ts'
import { v3Endpoint } from '../v3Endpoint.ts'
import { BlocksView, toBlockView } from '../views/BlockView.ts'

export const masterchainBlockShards = v3Endpoint({
  name: 'masterchainBlockShards',
  tags: ['blocks'],
  summary: 'A masterchain block and every block of a shard that it is the first to include.',
  params: { seqno: requiredSeqnoParam('The number of a masterchain block.'), ...pageParams, sort: sortParam() },
  result: BlocksView,
  errors: ['not_indexed', 'cursor_refused'],
  async handle({ lists, readPage, tellNext }, { seqno, sort, ...page }) {
    const { rows, next } = await listBlocks(lists, { mcSeqno: seqno, direction: sort }, readPage(page))
    if (rows.length === 0) throw new NotIndexedError('blocks not found')
    tellNext(next)
    return { blocks: rows.map(toBlockView) }
  },
})
