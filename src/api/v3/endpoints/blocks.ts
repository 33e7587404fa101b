import { Type } from 'typebox'
import { findEdgeBlocks, findShardTops, listBlocks } from '../../../store/reader/blocks.ts'
import { optional } from '../../core/params.ts'
import { IndexEmptyError, NotIndexedError } from '../errors.ts'
import {
  hashParam,
  int32Param,
  pageParams,
  requiredSeqnoParam,
  ShardParam,
  sortParam,
  windowParams,
} from '../params.ts'
import { v3Endpoint } from '../v3Endpoint.ts'
import { BlocksView, BlockView, toBlockView } from '../views/blocks.ts'

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

export const masterchainInfo = v3Endpoint({
  name: 'masterchainInfo',
  tags: ['blocks'],
  summary: 'The first and the last masterchain block between which everything is indexed.',
  params: {},
  result: Type.Object({ last: BlockView, first: BlockView }, { $id: 'MasterchainInfo' }),
  errors: ['index_empty'],
  async handle({ points }) {
    const edges = await findEdgeBlocks(points)
    if (edges === undefined) throw new IndexEmptyError()
    return { last: toBlockView(edges.last), first: toBlockView(edges.first) }
  },
})

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
