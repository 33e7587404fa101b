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
  summary: 'List blocks, ordered by time.',
  params: {
    workchain: optional(int32Param('Workchain.')),
    shard: optional(ShardParam),
    seqno: optional(int32Param('Block seqno.')),
    root_hash: optional(hashParam('Root hash.')),
    file_hash: optional(hashParam('File hash.')),
    mc_seqno: optional(
      int32Param('Masterchain seqno: this block, and the shard blocks that it was the first to include.'),
    ),
    ...windowParams('the block'),
    ...pageParams,
    sort: sortParam(),
  },
  result: BlocksView,
  errors: ['cursor_refused', 'query_too_costly'],
  async handle({ listReads, readPage, tellNext }, params) {
    const filter = {
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
    const { rows, next } = await listBlocks(listReads, filter, readPage(params))
    tellNext(next)
    return { blocks: rows.map(toBlockView) }
  },
})

export const masterchainInfo = v3Endpoint({
  name: 'masterchainInfo',
  tags: ['blocks'],
  summary: 'First and last masterchain block of the index.',
  params: {},
  result: Type.Object({ last: BlockView, first: BlockView }, { $id: 'MasterchainInfo' }),
  errors: ['index_empty'],
  async handle({ keyedReads }) {
    const edges = await findEdgeBlocks(keyedReads)
    if (edges === undefined) throw new IndexEmptyError()
    return { last: toBlockView(edges.last), first: toBlockView(edges.first) }
  },
})

export const masterchainBlockShardState = v3Endpoint({
  name: 'masterchainBlockShardState',
  tags: ['blocks'],
  summary: 'A masterchain block, and the newest block of every shard as of it.',
  params: { seqno: requiredSeqnoParam('Masterchain seqno.') },
  result: BlocksView,
  errors: ['not_indexed'],
  async handle({ keyedReads }, { seqno }) {
    const found = await findShardTops(keyedReads, seqno)
    if (found.length === 0) throw new NotIndexedError('blocks not found')
    return { blocks: found.map(toBlockView) }
  },
})

export const masterchainBlockShards = v3Endpoint({
  name: 'masterchainBlockShards',
  tags: ['blocks'],
  summary: 'A masterchain block, and the shard blocks that it was the first to include.',
  params: { seqno: requiredSeqnoParam('Masterchain seqno.'), ...pageParams, sort: sortParam() },
  result: BlocksView,
  errors: ['not_indexed', 'cursor_refused'],
  async handle({ listReads, readPage, tellNext }, { seqno, sort, ...page }) {
    const { rows, next } = await listBlocks(listReads, { mcSeqno: seqno, direction: sort }, readPage(page))
    if (rows.length === 0) throw new NotIndexedError('blocks not found')
    tellNext(next)
    return { blocks: rows.map(toBlockView) }
  },
})
