import { type Static, Type } from 'typebox'
import type {
  LiteServerBlockLinkBack,
  LiteServerShardBlockLink,
  LiteServerShardBlockProof,
} from '../../../codec/tl/liteServerTypes.ts'
import type { BlockIdExt } from '../../../primitives/BlockId.ts'
import { toBase64 } from '../../../primitives/base64.ts'
import { BlockIdView, toBlockIdView } from './BlockIdView.ts'
import { BytesView, typeName } from './scalars.ts'

const ShardLinkView = Type.Object(
  { '@type': typeName('blocks.shardBlockLink'), id: BlockIdView, proof: BytesView },
  { $id: 'ShardBlockLink', description: 'A block, and what shows that the one before this link leads to it.' },
)

const LinkBackView = Type.Object(
  {
    '@type': typeName('blocks.blockLinkBack'),
    to_key_block: Type.Boolean(),
    from: BlockIdView,
    to: BlockIdView,
    dest_proof: BytesView,
    proof: BytesView,
    state_proof: BytesView,
  },
  { $id: 'BlockLinkBack', description: 'What shows that a masterchain block is an older one of the same chain.' },
)

export const ShardBlockProofView = Type.Object(
  {
    '@type': typeName('blocks.shardBlockProof'),
    from: BlockIdView,
    mc_id: BlockIdView,
    links: Type.Array(ShardLinkView, { maxItems: 8 }),
    mc_proof: Type.Array(LinkBackView, { maxItems: 1 }),
  },
  { $id: 'ShardBlockProof', description: 'What shows that a block belongs to the chain of a masterchain block.' },
)

/** `back` leads from the masterchain block that is trusted to the one where the links begin; absent where they are one. */
export const toShardBlockProofView = (
  from: BlockIdExt,
  { masterchainId, links }: LiteServerShardBlockProof,
  back: LiteServerBlockLinkBack | undefined,
): Static<typeof ShardBlockProofView> => ({
  '@type': 'blocks.shardBlockProof',
  from: toBlockIdView(from),
  mc_id: toBlockIdView(masterchainId),
  links: links.map(toShardLinkView),
  mc_proof: back === undefined ? [] : [toLinkBackView(back)],
})

const toShardLinkView = ({ id, proof }: LiteServerShardBlockLink): Static<typeof ShardLinkView> => ({
  '@type': 'blocks.shardBlockLink',
  id: toBlockIdView(id),
  proof: toBase64(proof),
})

const toLinkBackView = (link: LiteServerBlockLinkBack): Static<typeof LinkBackView> => ({
  '@type': 'blocks.blockLinkBack',
  to_key_block: link.toKeyBlock,
  from: toBlockIdView(link.from),
  to: toBlockIdView(link.to),
  dest_proof: toBase64(link.destProof),
  proof: toBase64(link.proof),
  state_proof: toBase64(link.stateProof),
})
