import { CellError, PrunedBranchError } from '../../codec/cell/errors.ts'
import { ContentError, ContentLimitError } from '../../codec/content/ContentBudget.ts'
import { CodedError } from '../../primitives/errors.ts'

/** A get-method left something else than its standard says. */
export class UnexpectedResultError extends CodedError {
  readonly code = 'unexpected_method_result'
}

/**
 * What `read` makes of a contract's answer, or `undefined` where the answer is not what it looks for. An answer is no
 * proof: a pruned branch in it is as good as any other cell that cannot be read.
 */
export const findReadable = <T>(read: () => T): T | undefined => {
  try {
    return read()
  } catch (error) {
    if (isUnreadable(error)) return undefined
    throw error
  }
}

const isUnreadable = (error: unknown): boolean =>
  error instanceof UnexpectedResultError ||
  error instanceof CellError ||
  error instanceof PrunedBranchError ||
  error instanceof ContentError ||
  error instanceof ContentLimitError
