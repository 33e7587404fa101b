import type { ParamIssue } from '../core/errors.ts'
import { keywordsOf } from '../core/schemaKeywords.ts'
import { outOfRange, RefusedRequestError, unreadable } from './RefusedRequestError.ts'

const maxInt32 = 0x7fff_ffff

/** What is wrong with a parameter, in the words of this interface. */
export const describeIssue = ({ name, keyword, message, error, schema }: ParamIssue): RefusedRequestError => {
  if (error instanceof RefusedRequestError) return error
  const { minimum, maximum } = schema === undefined ? {} : keywordsOf(schema)
  switch (keyword) {
    case 'unknown':
      return unreadable(`Unknown property '${name}'`)
    case 'minimum':
      return outOfRange(`${name} should be ${minimum === 1 ? 'positive' : 'non-negative'}`)
    case 'maximum':
      // A number that does not fit its type is no number.
      return maximum === maxInt32
        ? unreadable(`failed to parse ${name}`)
        : outOfRange(`${name} should be less or equal ${maximum}`)
    default:
      // The arguments of JSON-RPC are under this name, and no parameter is.
      return name === 'params' ? new RefusedRequestError('handle', message) : unreadable(`failed to parse ${name}`)
  }
}
