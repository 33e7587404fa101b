import { ProofFailedError } from '../../chain/errors.ts'
import { formatBlockId } from '../../primitives/BlockId.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import type { ProvenHeader } from './ProvenHeader.ts'
import type { SignatureSet } from './SignatureSet.ts'
import type { SigningRules } from './SigningRules.ts'
import { sessionIdOf } from './sessionId.ts'
import { validatorListHash } from './validatorListHash.ts'
import { validatorSubset } from './validatorSubset.ts'
import { verifySignatures } from './verifySignatures.ts'

export type SignedBlock = {
  readonly signedWeight: bigint
  /**
   * Whether the votes name the session that follows from the rules; absent for ordinary signatures. Light clients do not
   * insist on it: the votes name the block, and the validators are checked.
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
