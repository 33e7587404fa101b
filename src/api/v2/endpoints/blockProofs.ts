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
import { CountParam, SeqnoParam, ShardParam, WorkchainParam } from '../params.ts'
import { getMasterchainBlock } from '../readAccount.ts'
import { v2Endpoint } from '../v2Endpoint.ts'
import { BlockIdView, toBlockIdView } from '../views/blocks.ts'
import { BytesView, HashView, typeName } from '../views/scalars.ts'

const SignatureView = Type.Object(
  { '@type': typeName('blocks.signature'), node_id_short: HashView, signature: BytesView },
  { $id: 'BlockSignature', description: 'Signature of one validator.' },
)

const members = { id: BlockIdView, signatures: Type.Array(SignatureView) }

const OrdinaryView = Type.Object(
  { '@type': typeName('blocks.blockSignatures'), ...members },
  { $id: 'BlockSignatures', description: 'Signatures of the block hashes.' },
)

const SimplexView = Type.Object(
  {
    '@type': typeName('blocks.blockSignatures.simplex'),
    ...members,
    session_id: HashView,
    slot: Type.Integer(),
    candidate: BytesView,
  },
  { $id: 'BlockSignaturesSimplex', description: 'Signatures of a simplex consensus vote.' },
)

const BlockSignaturesView = Type.Union([OrdinaryView, SimplexView], {
  $id: 'MasterchainBlockSignatures',
  description: 'Signatures of a masterchain block, in the form of its consensus.',
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
  summary: 'Validator signatures of a masterchain block.',
  params: { seqno: whenMissing(SeqnoParam, outOfRange('seqno should be positive')) },
  result: BlockSignaturesView,
  errors: [],
  lifetime: () => 'forever',
  async handle({ node }, { seqno }) {
    const chain = { workchain: masterchain, shard: wholeShard }
    const { id: previous } = await node.lookupBlock(chain, { seqno: seqno - 1 })
    const { id } = await node.lookupBlock(chain, { seqno })
    const { steps } = await node.getBlockProof(previous, id)
    const last = steps.at(-1)
    if (last?.kind !== 'liteServer.blockLinkForward' || last.to.seqno !== seqno) {
      throw new NodeClientError(`The node returned no forward link to block ${seqno}.`)
    }
    return toBlockSignaturesView(id, last.signatures)
  },
})

const ShardLinkView = Type.Object(
  { '@type': typeName('blocks.shardBlockLink'), id: BlockIdView, proof: BytesView },
  { $id: 'ShardBlockLink', description: 'A block, and the proof that the previous link leads to it.' },
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
  { $id: 'BlockLinkBack', description: 'Proof that a masterchain block is an ancestor.' },
)

const ShardBlockProofView = Type.Object(
  {
    '@type': typeName('blocks.shardBlockProof'),
    from: BlockIdView,
    mc_id: BlockIdView,
    links: Type.Array(ShardLinkView, { maxItems: 8 }),
    mc_proof: Type.Array(LinkBackView, { maxItems: 1 }),
  },
  { $id: 'ShardBlockProof', description: 'Proof that a block belongs to the chain of a masterchain block.' },
)

/** `back` leads from the trusted masterchain block to the first block of the links; absent if they are the same. */
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
  summary: 'Proof that a block belongs to the chain of a masterchain block, by default the newest.',
  params: {
    workchain: whenMissing(WorkchainParam, unreadable('workchain required')),
    shard: whenMissing(ShardParam, unreadable('shard required')),
    seqno: whenMissing(SeqnoParam, unreadable('seqno required')),
    from_seqno: optional(CountParam),
  },
  result: ShardBlockProofView,
  errors: [],
  lifetime: ({ from_seqno }) => (from_seqno === undefined ? 'head' : 'forever'),
  async handle({ node }, { from_seqno, ...chain }) {
    const id = await node.getBlockId(chain)
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
    throw new NodeClientError(`Expected one back link to block ${to.seqno}; the node returned another chain of links.`)
  }
  return link
}
