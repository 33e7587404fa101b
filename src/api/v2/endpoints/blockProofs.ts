import { type Static, Type } from 'typebox'
import type { LiveNode } from '../../../chain/LiveChain.ts'
import type {
  AnyLiteServerSignatureSet,
  LiteServerBlockLinkBack,
  LiteServerShardBlockLink,
  LiteServerShardBlockProof,
} from '../../../codec/tl/liteServerTypes.ts'
import { type BlockIdExt, masterchain } from '../../../primitives/BlockId.ts'
import { toBase64 } from '../../../primitives/base64.ts'
import { wholeShard } from '../../../primitives/shard.ts'
import { optional, whenMissing } from '../../core/params.ts'
import { NodeClientError, outOfRange, unreadable } from '../errors.ts'
import { lookUpBlock } from '../namedBlock.ts'
import { CountParam, SeqnoParam, ShardParam, WorkchainParam } from '../params.ts'
import { getMasterchainBlock } from '../readAccount.ts'
import { v2Endpoint } from '../v2Endpoint.ts'
import { BlockIdView, toBlockIdView } from '../views/blocks.ts'
import { BytesView, HashView, typeName } from '../views/scalars.ts'

const SignatureView = Type.Object(
  { '@type': typeName('blocks.signature'), node_id_short: HashView, signature: BytesView },
  { $id: 'BlockSignature', description: 'The signature of one validator.' },
)

const members = { id: BlockIdView, signatures: Type.Array(SignatureView) }

const OrdinaryView = Type.Object(
  { '@type': typeName('blocks.blockSignatures'), ...members },
  { $id: 'BlockSignatures', description: 'Signatures over the hashes of a block.' },
)

const SimplexView = Type.Object(
  {
    '@type': typeName('blocks.blockSignatures.simplex'),
    ...members,
    session_id: HashView,
    slot: Type.Integer(),
    candidate: BytesView,
  },
  { $id: 'BlockSignaturesSimplex', description: 'Signatures over a vote of the simplex consensus.' },
)

const BlockSignaturesView = Type.Union([OrdinaryView, SimplexView], {
  $id: 'MasterchainBlockSignatures',
  description: 'The signatures under a masterchain block, as its consensus makes them.',
})

export const toBlockSignaturesView = (
  block: BlockIdExt,
  set: AnyLiteServerSignatureSet,
): Static<typeof BlockSignaturesView> => {
  const id = toBlockIdView(block)
  const signatures = set.signatures.map(
    ({ nodeIdShort, signature }): Static<typeof SignatureView> => ({
      '@type': 'blocks.signature',
      node_id_short: toBase64(nodeIdShort),
      signature: toBase64(signature),
    }),
  )
  if (set.kind === 'liteServer.signatureSet.ordinary') return { '@type': 'blocks.blockSignatures', id, signatures }
  return {
    '@type': 'blocks.blockSignatures.simplex',
    id,
    signatures,
    session_id: toBase64(set.sessionId),
    slot: set.slot,
    candidate: toBase64(set.candidate),
  }
}

export const getMasterchainBlockSignatures = v2Endpoint({
  name: 'getMasterchainBlockSignatures',
  tags: ['blocks'],
  summary: 'The signatures of validators under a masterchain block.',
  params: { seqno: whenMissing(SeqnoParam, outOfRange('seqno should be positive')) },
  result: BlockSignaturesView,
  errors: [],
  lifetime: () => 'forever',
  async handle({ node }, { seqno }) {
    const place = { workchain: masterchain, shard: wholeShard }
    const { id: previous } = await node.lookupBlock(place, { seqno: seqno - 1 })
    const { id } = await node.lookupBlock(place, { seqno })
    const { steps } = await node.getBlockProof(previous, id)
    const last = steps.at(-1)
    if (last?.kind !== 'liteServer.blockLinkForward' || last.to.seqno !== seqno) {
      throw new NodeClientError(`The node has no link forward to block ${seqno}.`)
    }
    return toBlockSignaturesView(id, last.signatures)
  },
})

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

const ShardBlockProofView = Type.Object(
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
const toShardBlockProofView = (
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

export const getShardBlockProof = v2Endpoint({
  name: 'getShardBlockProof',
  tags: ['blocks'],
  summary:
    'What shows that a block belongs to the chain of a masterchain block, the newest one unless another is named.',
  params: {
    workchain: whenMissing(WorkchainParam, unreadable('workchain required')),
    shard: whenMissing(ShardParam, unreadable('shard required')),
    seqno: whenMissing(SeqnoParam, unreadable('seqno required')),
    from_seqno: optional(CountParam),
  },
  result: ShardBlockProofView,
  errors: [],
  lifetime: ({ from_seqno }) => (from_seqno === undefined ? 'head' : 'forever'),
  async handle({ node }, { from_seqno, ...place }) {
    const { id } = await lookUpBlock(node, place)
    const from = await getMasterchainBlock(node, from_seqno)
    const proof = await node.getShardBlockProof(id)
    return toShardBlockProofView(from, proof, await findLinkBack(node, from, proof.masterchainId))
  },
})

const findLinkBack = async (
  node: LiveNode,
  from: BlockIdExt,
  to: BlockIdExt,
): Promise<LiteServerBlockLinkBack | undefined> => {
  if (from.seqno < to.seqno) throw new NodeClientError('from mc block is too old')
  if (from.seqno === to.seqno) return undefined
  const { steps } = await node.getBlockProof(from, to)
  const [link] = steps
  if (steps.length !== 1 || link?.kind !== 'liteServer.blockLinkBack') {
    throw new NodeClientError(`One link back to block ${to.seqno} was expected, the node has another way.`)
  }
  return link
}
