import { Type } from 'typebox'
import { findEdgeBlocks } from '../../../store/reader/blocks.ts'
import { IndexEmptyError } from '../errors.ts'
import { v3Endpoint } from '../v3Endpoint.ts'
import { BlockView, toBlockView } from '../views/BlockView.ts'

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
