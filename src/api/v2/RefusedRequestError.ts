import { CodedError } from '../../primitives/errors.ts'
import type { ErrorCode } from '../core/wireErrors.ts'

/** At which point a request was refused: that decides the words before the reason. */
export type RefusalStage = 'parse' | 'validate' | 'handle'

/** A request that cannot be served as it is, in the words that clients of this interface know. */
export class RefusedRequestError extends CodedError {
  readonly code: ErrorCode = 'invalid_params'
  readonly stage: RefusalStage

  constructor(stage: RefusalStage, reason: string) {
    super(reason)
    this.stage = stage
  }
}

/** A parameter means nothing as it is written. */
export const unreadable = (reason: string): RefusedRequestError => new RefusedRequestError('parse', reason)

/** Parameters are readable, but out of range or at odds with each other. */
export const outOfRange = (reason: string): RefusedRequestError => new RefusedRequestError('validate', reason)
