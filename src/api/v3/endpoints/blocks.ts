import { listBlocks } from '../../../store/reader/blocks.ts'
import { optional } from '../../core/Param.ts'
import { hashParam, int32Param, pageParams, ShardParam, sortParam, windowParams } from '../params.ts'
import { v3Endpoint } from '../v3Endpoint.ts'
import { BlocksView, toBlockView } from '../views/BlockView.ts'

export const blocks = v3Endpoint({
  name: 'blocks',
  tags: ['blocks'],
  summary: 'Blocks by the time at which they were made.',
  params: {
    workchain: optional(int32Param('Only blocks of this workchain.')),
    shard: optional(ShardParam),
    seqno: optional(int32Param('Only blocks with this number.')),
    root_hash: optional(hashParam('The root hash of a block.')),
    file_hash: optional(hashParam('The file hash of a block.')),
    mc_seqno: optional(int32Param('Only blocks that this masterchain block was the first to include, and itself.')),
    ...windowParams('the block'),
    ...pageParams,
    sort: sortParam(),
  },
  result: BlocksView,
  errors: ['cursor_refused', 'query_too_costly'],
  async handle({ lists, readPage, tellNext }, params) {
    const question = {
      workchain: params.workchain,
      shard: params.shard,
      seqno: params.seqno,
      rootHash: params.root_hash,
      fileHash: params.file_hash,
      mcSeqno: params.mc_seqno,
      startUtime: params.start_utime,
      endUtime: params.end_utime,
      startLt: params.start_lt,
      endLt: params.end_lt,
      direction: params.sort,
    }
    const { rows, next } = await listBlocks(lists, question, readPage(params))
    tellNext(next)
    return { blocks: rows.map(toBlockView) }
  },
})
