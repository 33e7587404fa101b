import { ProofFailedError } from '../../chain/errors.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import { type BlockProof, openBlockProof } from '../../codec/tlb/BlockProof.ts'
import { type BlockIdExt, formatBlockId, masterchain } from '../../primitives/BlockId.ts'
import { expectBlock } from './blockIds.ts'
import { openKeyBlockConfig } from './keyBlockConfig.ts'
import { type LinkedHeader, readLinkedHeader, stateHashOf } from './ProvenHeader.ts'
import { proving } from './proving.ts'
import { signatureSetOfPackage } from './SignatureSet.ts'
import { readSigningRules, type SigningRules } from './SigningRules.ts'
import { unwrapRoot } from './unwrapProof.ts'
import { type SignedBlock, verifySignedBlock } from './verifySignedBlock.ts'

export type ProvenPackageLink = LinkedHeader & { readonly stateHash: Uint8Array }

export type ProvenPackageProof = ProvenPackageLink &
  SignedBlock & {
    /** What a key block says about the blocks after it; absent for other blocks. */
    readonly nextRules: SigningRules | undefined
  }

/** A `proof_` entry of an archive package, against what the key block before the block says of its signers. */
export const verifyPackageProof = (id: BlockIdExt, bytes: Uint8Array, rules: SigningRules): ProvenPackageProof => {
  const proof = openProof(bytes)
  const { signatures } = proof
  if (id.workchain !== masterchain || signatures === undefined) {
    throw new ProofFailedError(`The proof of block ${formatBlockId(id)} should be signed, but it is not.`)
  }
  const { header, root } = readProof(id, proof)
  const signed = verifySignedBlock(header, rules, signatureSetOfPackage(signatures))
  if (signed.signedWeight !== signatures.sigWeight) {
    throw new ProofFailedError(
      `A block says that weight ${signatures.sigWeight} signed it, it was ${signed.signedWeight}.`,
    )
  }
  const nextRules = header.info.keyBlock
    ? readSigningRules(id.seqno, openKeyBlockConfig(header, root).config)
    : undefined
  return { ...header, ...signed, nextRules }
}

/** A `prooflink_` entry for a trusted block: its header without signatures, which the masterchain stands in for. */
export const verifyPackageLink = (trusted: BlockIdExt, bytes: Uint8Array): ProvenPackageLink =>
  readProof(trusted, openProof(bytes)).header

const openProof = (bytes: Uint8Array): BlockProof =>
  proving('a block in a package', () => openBlockProof(decodeSingleBoc(bytes)))

const readProof = (id: BlockIdExt, { proofFor, root: proof }: BlockProof) => {
  expectBlock('The block of a package proof', id, proofFor)
  const root = unwrapRoot('a block in a package', proof, id.rootHash, false)
  const header = readLinkedHeader(root, id)
  return { header: { ...header, stateHash: stateHashOf(header) }, root }
}
