import { CodedError } from '../../primitives/errors.ts'

/** The database server that comes with the program could not be started. The message says why and what to do. */
export class EmbeddedServerError extends CodedError {
  readonly code = 'embedded_database'
}

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** The code of a failed system call, such as ENOENT. */
export const systemCode = (error: unknown): string | undefined =>
  error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined
