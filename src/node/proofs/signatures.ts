import { isSignatureValid, keyIdOf } from '../../adnl/keys.ts'
import { ProofFailedError } from '../../chain/errors.ts'
import type { AnyLiteServerSignatureSet } from '../../codec/tl/liteServerTypes.ts'
import { decodeTlUnion, encodeTlObject } from '../../codec/tl/tlObject.ts'
import type { ValidatorDescr } from '../../codec/tlb/ValidatorSet.ts'
import { type BlockIdExt, formatBlockId } from '../../primitives/BlockId.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import { sha256 } from '../../primitives/hash.ts'
import { fromHex, toHex } from '../../primitives/hex.ts'
import type { ProvenHeader } from './ProvenHeader.ts'
import { blockIdsEqual, proving } from './unwrapProof.ts'
import { type SigningRules, validatorListHash, validatorSubset } from './validatorSets.ts'

export type BlockSignature = { readonly nodeId: Uint8Array; readonly signature: Uint8Array }

/** The part of a simplex session that is signed. `candidate` is a boxed consensus.CandidateHashData. */
type SimplexVote = { readonly sessionId: Uint8Array; readonly slot: number; readonly candidate: Uint8Array }

/** The signatures under a block, as answers and packages have them alike. */
export type SignatureSet = {
  readonly validatorListHash: number
  readonly catchainSeqno: number
  readonly signatures: readonly BlockSignature[]
  /** Absent for ordinary signatures, which are over the hashes of the block. */
  readonly vote: SimplexVote | undefined
}

/** The form in answers, where 32-bit numbers are signed. */
export const signatureSetOfAnswer = (set: AnyLiteServerSignatureSet): SignatureSet => ({
  validatorListHash: set.validatorSetHash >>> 0,
  catchainSeqno: (set.kind === 'liteServer.signatureSet.simplex' ? set.ccSeqno : set.catchainSeqno) >>> 0,
  signatures: set.signatures.map(({ nodeIdShort, signature }) => ({ nodeId: nodeIdShort, signature })),
  vote:
    set.kind === 'liteServer.signatureSet.simplex'
      ? { sessionId: set.sessionId, slot: set.slot, candidate: set.candidate }
      : undefined,
})

/** The bytes that validators sign to finalize a block. */
const signedBytes = (block: BlockIdExt, { vote }: SignatureSet): Uint8Array =>
  vote === undefined
    ? encodeTlObject({ kind: 'ton.blockId', rootCellHash: block.rootHash, fileHash: block.fileHash })
    : finalVoteBytes(block, vote)

const finalVoteBytes = (block: BlockIdExt, { sessionId, slot, candidate }: SimplexVote): Uint8Array => {
  const { block: voted } = proving('a vote for a block', () => decodeTlUnion('consensus.CandidateHashData', candidate))
  if (!blockIdsEqual(voted, block)) {
    throw new ProofFailedError(`The vote for block ${formatBlockId(block)} is in truth one for another block.`)
  }
  const data = encodeTlObject({ kind: 'consensus.simplex.finalizeVote', id: { slot, hash: sha256(candidate) } })
  return encodeTlObject({ kind: 'consensus.dataToSign', sessionId, data })
}

/** Once a hash of consensus settings; nodes have kept its last value. */
const CONFIG_HASH = fromHex('0a5bf2399f172fee5a8e786f55a9d27149d1ed33e6b8e0cc81ef45fa3b8cb8d7')
const NO_ADDRESS = new Uint8Array(32)

/** The id of the session in which these validators made a block. */
export const sessionIdOf = ({ info }: ProvenHeader, nodes: readonly ValidatorDescr[]): Uint8Array =>
  sha256(
    encodeTlObject({
      kind: 'validator.groupNew',
      workchain: info.workchain,
      shard: info.shard,
      verticalSeqno: info.vertSeqno | 0,
      lastKeyBlockSeqno: info.prevKeyBlockSeqno | 0,
      catchainSeqno: info.genCatchainSeqno | 0,
      configHash: CONFIG_HASH,
      members: nodes.map(({ publicKey, weight, adnlAddress }) => ({
        publicKeyHash: keyIdOf(publicKey),
        adnl: adnlAddress ?? NO_ADDRESS,
        weight: BigInt.asIntN(64, weight),
      })),
    }),
  )

/**
 * More than two thirds of the validators, by weight, must have signed. Each signature must be valid, and by another of them.
 * Returns the weight that signed.
 */
const verifySignatures = (block: BlockIdExt, nodes: readonly ValidatorDescr[], set: SignatureSet): bigint => {
  const message = signedBytes(block, set)
  const waiting = new Map(nodes.map((node) => [toHex(keyIdOf(node.publicKey)), node]))
  const totalWeight = nodes.reduce((sum, { weight }) => sum + weight, 0n)
  let signedWeight = 0n
  for (const { nodeId, signature } of set.signatures) {
    const name = toHex(nodeId)
    const node = waiting.get(name)
    if (node === undefined) {
      throw new ProofFailedError(
        `Block ${formatBlockId(block)} is signed by ${name}, a stranger or for the second time.`,
      )
    }
    waiting.delete(name)
    if (!isSignatureValid(node.publicKey, message, signature)) {
      throw new ProofFailedError(`The signature of ${name} under block ${formatBlockId(block)} is not valid.`)
    }
    signedWeight += node.weight
  }
  if (3n * signedWeight <= 2n * totalWeight) {
    throw new ProofFailedError(
      `Block ${formatBlockId(block)} is signed with weight ${signedWeight} of ${totalWeight}; more than two thirds are needed.`,
    )
  }
  return signedWeight
}

export type SignedBlock = {
  readonly signedWeight: bigint
  /**
   * Whether the votes name the session that follows from the rules; absent for ordinary signatures. Light clients do not
   * require it: the votes name the block, and the validators are checked.
   */
  readonly isSessionKnown: boolean | undefined
}

/** The header of a block that its signers, chosen by the rules of the key block before it, have signed. */
export const verifySignedBlock = (header: ProvenHeader, rules: SigningRules, set: SignatureSet): SignedBlock => {
  const { id, info } = header
  if (info.prevKeyBlockSeqno !== rules.keyBlockSeqno) {
    throw new ProofFailedError(
      `Block ${formatBlockId(id)} follows key block ${info.prevKeyBlockSeqno}, not ${rules.keyBlockSeqno} as stated.`,
    )
  }
  const nodes = validatorSubset(rules, id, info.genCatchainSeqno)
  const hash = validatorListHash(nodes, info.genCatchainSeqno)
  if (
    hash !== info.genValidatorListHashShort ||
    hash !== set.validatorListHash ||
    set.catchainSeqno !== info.genCatchainSeqno
  ) {
    throw new ProofFailedError(`Block ${formatBlockId(id)} was made by other validators than key block rules say.`)
  }
  return {
    signedWeight: verifySignatures(id, nodes, set),
    isSessionKnown: set.vote === undefined ? undefined : bytesEqual(set.vote.sessionId, sessionIdOf(header, nodes)),
  }
}
