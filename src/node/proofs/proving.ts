import { ProofFailedError } from '../../chain/errors.ts'
import { CodedError } from '../../primitives/errors.ts'

/**
 * Runs one step of a check. Whatever the codec refuses in it (bytes that are no bag of cells, a pruned branch where more was
 * needed) is a proof that failed; `what` says at which step. The innermost step that names itself has the word.
 */
export const proving = <T>(what: string, step: () => T): T => {
  try {
    return step()
  } catch (cause) {
    if (cause instanceof ProofFailedError || !(cause instanceof CodedError)) throw cause
    throw new ProofFailedError(`The proof of ${what} failed: ${cause.message}`, { cause })
  }
}
