import { type Static, Type } from 'typebox'
import type { BlockIdExt } from '../../../primitives/BlockId.ts'
import { BlockIdView, toBlockIdView } from './BlockIdView.ts'
import { typeName } from './scalars.ts'

export const ShardsView = Type.Object(
  { '@type': typeName('blocks.shards'), shards: Type.Array(BlockIdView) },
  { $id: 'Shards', description: 'The newest blocks of all shards.' },
)

export const toShardsView = (shards: readonly BlockIdExt[]): Static<typeof ShardsView> => ({
  '@type': 'blocks.shards',
  shards: shards.map(toBlockIdView),
})
