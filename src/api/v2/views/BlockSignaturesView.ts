import { type Static, Type } from 'typebox'
import type { AnyLiteServerSignatureSet } from '../../../codec/tl/liteServerTypes.ts'
import type { BlockIdExt } from '../../../primitives/BlockId.ts'
import { toBase64 } from '../../../primitives/base64.ts'
import { BlockIdView, toBlockIdView } from './BlockIdView.ts'
import { BytesView, HashView, typeName } from './scalars.ts'

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

export const BlockSignaturesView = Type.Union([OrdinaryView, SimplexView], {
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
