import type { Pattern } from '../../match/Pattern.ts'

/** More exchanges in a row than any route has. Traces are made by anybody, and patterns call each other. */
const MAX_HOPS = 32

/** A pattern that may hold itself, as far down as a route may be long. */
export const nested = (make: (deeper: Pattern) => Pattern): Pattern => {
  let pattern: Pattern = { take: () => undefined }
  for (let hop = 0; hop < MAX_HOPS; hop++) pattern = make(pattern)
  return pattern
}
