import { CodedError } from '../primitives/errors.ts'
import type { Rate } from '../primitives/Rate.ts'

// The words are those that clients of such services know.

/** A request names a key that there is not, or no longer. */
export class UnknownKeyError extends CodedError {
  readonly code = 'unauthorized'
  constructor() {
    super('API key does not exist')
  }
}

/** A request names a key of another network. */
export class ForeignKeyError extends CodedError {
  readonly code = 'forbidden'
  constructor() {
    super('Network not allowed')
  }
}

/** More is asked than may be. */
export class RateLimitedError extends CodedError {
  readonly code = 'rate_limited'
  override readonly retryable = true
}

export const overPlan = (): RateLimitedError => new RateLimitedError('Ratelimit exceeded')

export const overAnonymous = ({ perSecond }: Rate): RateLimitedError =>
  new RateLimitedError(`Ratelimit without API Key exceed: ${perSecond} per second`)
