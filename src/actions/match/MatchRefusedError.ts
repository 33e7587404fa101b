import { CodedError } from '../../primitives/errors.ts'

/** What looked like a match is none. The trace is classified without it. */
export class MatchRefusedError extends CodedError {
  readonly code = 'match_refused'
}

/** What a pattern needs to be there. */
export const expectPresent = <T>(value: T | undefined, what: string): T => {
  if (value === undefined) throw new MatchRefusedError(`There is no ${what}.`)
  return value
}
