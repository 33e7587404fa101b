import { CodedError } from '../../../primitives/errors.ts'

/** What a part of a body says; `undefined` where it cannot be read, and the rest is told without it. */
export const tryRead = <T>(read: () => T): T | undefined => {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    return undefined
  }
}
