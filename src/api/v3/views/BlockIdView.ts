import { type Static, Type } from 'typebox'
import type { BlockId } from '../../../primitives/BlockId.ts'
import { ShardText, shardText } from './scalars.ts'

export const BlockIdView = Type.Object(
  { workchain: Type.Integer(), shard: ShardText, seqno: Type.Integer() },
  { $id: 'BlockId' },
)

export const toBlockIdView = ({ workchain, shard, seqno }: BlockId): Static<typeof BlockIdView> => ({
  workchain,
  shard: shardText(shard),
  seqno,
})
