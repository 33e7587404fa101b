import { ProofFailedError } from '../../chain/errors.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import type { LiteServerAccountId, LiteServerRunMethodResult } from '../../codec/tl/liteServerTypes.ts'
import type { BlockIdExt } from '../../primitives/BlockId.ts'
import { type AccountPlace, locateAccount } from './locateAccount.ts'
import { expectNothing, unwrapProof } from './unwrapProof.ts'

/** Exit code of a method of an account that is not there, or has no code to run. */
const NO_CODE = -0x100

export type ProvenMethodRun = AccountPlace & {
  /** What the method touched of the Account, all else pruned; absent where there is no account. */
  readonly account: Cell | undefined
  /**
   * What the server says came of it. The proofs are of the account that the method ran on, and of nothing that it computed:
   * whoever needs certainty runs the method again on `account`.
   */
  readonly unproven: {
    readonly exitCode: number
    readonly result: Uint8Array | undefined
    readonly initC7: Uint8Array | undefined
  }
}

/** The proofs in an answer to runSmcMethod, which must have been asked for (mode bits 0 and 1). */
export const verifyMethodRun = (
  trusted: BlockIdExt,
  question: { readonly account: LiteServerAccountId },
  answer: LiteServerRunMethodResult,
  skipProofChecks = false,
): ProvenMethodRun => {
  const { shardProof, proof, stateProof, exitCode, result, initC7 } = answer
  if (shardProof === undefined || proof === undefined || stateProof === undefined) {
    throw new ProofFailedError('The proofs of a method run did not come: mode bits 0 and 1 ask for them.')
  }
  const { id, shardblk } = answer
  const { entry, ...place } = locateAccount(
    trusted,
    question.account,
    { id, shardblk, shardProof, proof },
    skipProofChecks,
  )
  const unproven = { exitCode, result, initC7 }
  if (entry === undefined) {
    expectNothing('The state of an account that is proven absent', stateProof)
    if (exitCode !== NO_CODE) {
      throw new ProofFailedError(`The account is proven absent, but its method ran and ended with ${exitCode}.`)
    }
    return { ...place, account: undefined, unproven }
  }
  const account = unwrapProof('an account state', stateProof, entry.account.hash(0), skipProofChecks)
  return { ...place, account, unproven }
}
