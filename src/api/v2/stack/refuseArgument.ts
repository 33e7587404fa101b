import { RefusedRequestError } from '../RefusedRequestError.ts'

/** An argument of a get-method that cannot be taken as it is. */
export const refuseArgument = (reason: string): RefusedRequestError => new RefusedRequestError('handle', reason)

const shownLength = 100

/** A value in a reason, cut where somebody wants to see a megabyte again. */
export const show = (value: unknown): string => {
  const text = typeof value === 'string' ? value : typeof value === 'bigint' ? value.toString() : JSON.stringify(value)
  return text.slice(0, shownLength)
}
