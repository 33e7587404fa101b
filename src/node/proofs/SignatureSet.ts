import { ProofFailedError } from '../../chain/errors.ts'
import { openCell } from '../../codec/cell/CellReader.ts'
import { readSnake } from '../../codec/content/text.ts'
import type { AnyLiteServerSignatureSet } from '../../codec/tl/liteServerTypes.ts'
import type { BlockSignatures, CryptoSignature } from '../../codec/tlb/BlockSignatures.ts'
import { proving } from './proving.ts'

export type BlockSignature = { readonly nodeId: Uint8Array; readonly signature: Uint8Array }

/** What of a simplex session the signatures are over. `candidate` is a boxed consensus.CandidateHashData. */
export type SimplexVote = { readonly sessionId: Uint8Array; readonly slot: number; readonly candidate: Uint8Array }

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

/** The form in packages, whose count must be right. */
export const signatureSetOfPackage = (set: BlockSignatures): SignatureSet =>
  proving('the signatures of a block', () => {
    const signatures = set.signatures.entries().map(([number, { nodeIdShort, signature }], k) => {
      if (number !== k) throw new ProofFailedError(`Signature ${k} of a block is missing, ${number} follows.`)
      return { nodeId: nodeIdShort, signature: plainSignature(signature) }
    })
    if (signatures.length !== set.sigCount) {
      throw new ProofFailedError(`A block says that it has ${set.sigCount} signatures, it has ${signatures.length}.`)
    }
    return {
      validatorListHash: set.validatorListHashShort,
      catchainSeqno: set.catchainSeqno,
      signatures,
      vote:
        set.kind === 'simplex'
          ? { sessionId: set.sessionId, slot: set.slot | 0, candidate: readSnake(openCell(set.candidate)) }
          : undefined,
    }
  })

const plainSignature = (signature: CryptoSignature): Uint8Array => {
  if (signature.kind === 'simple') return signature.signature
  throw new ProofFailedError('A block is signed with a temporary key, which no known network allows.')
}
