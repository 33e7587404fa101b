import { CodedError } from '../primitives/errors.ts'

type StoreErrorCode =
  | 'cursor_refused'
  | 'database_conflict'
  | 'database_extension'
  | 'database_full'
  | 'database_refused'
  | 'database_schema'
  | 'database_timeout'
  | 'database_unavailable'
  | 'database_version'
  | 'lease_held'
  | 'lease_lost'
  | 'query_too_costly'

/** The database did not do what was asked, for a reason that lies outside the statement. */
export abstract class StoreError extends CodedError {
  abstract override readonly code: StoreErrorCode
}

/** The server cannot be reached, has no room for another connection, or went away in the middle. */
export class DatabaseUnavailableError extends StoreError {
  readonly code = 'database_unavailable'
  override readonly retryable = true
}

/** A statement, or the wait for a lock or a connection, took longer than it may. */
export class DatabaseTimeoutError extends StoreError {
  readonly code = 'database_timeout'
  override readonly retryable = true
}

/** Two transactions were in each other's way, and this one was ended. */
export class DatabaseConflictError extends StoreError {
  readonly code = 'database_conflict'
  override readonly retryable = true
}

/** The disk or the memory of the server is used up. Another try helps once somebody has made room. */
export class DatabaseFullError extends StoreError {
  readonly code = 'database_full'
  override readonly retryable = true
}

/** The server does not let us in, or not do this: a wrong password, no such database, a missing right, a read-only server. */
export class DatabaseRefusedError extends StoreError {
  readonly code = 'database_refused'
}

/** The server is too old. */
export class DatabaseVersionError extends StoreError {
  readonly code = 'database_version'
}

/** What is asked for takes an extension that the server does not have. */
export class DatabaseExtensionError extends StoreError {
  readonly code = 'database_extension'
}

/** A place to go on from is none in the order that is asked for. */
export class CursorRefusedError extends StoreError {
  readonly code = 'cursor_refused'
  constructor() {
    super('The cursor belongs to another question. Give it with the parameters of the answer that it came with.')
  }
}

/** The tables are not those that this version of the program works with. */
export class DatabaseSchemaError extends StoreError {
  readonly code = 'database_schema'
}

/** Somebody else leads, and is not waited for. */
export class LeaseHeldError extends StoreError {
  readonly code = 'lease_held'
}

/** Somebody else leads now. What was about to be written must not be. */
export class LeaseLostError extends StoreError {
  readonly code = 'lease_lost'
}

/** No index serves the question, and answering it would mean reading a whole table. */
export class QueryTooCostlyError extends StoreError {
  readonly code = 'query_too_costly'
}

type StoreErrorClass = new (message: string, options?: ErrorOptions) => CodedError

type Rule = { readonly states: RegExp; readonly kind: StoreErrorClass; readonly sentence: string }

// By SQLSTATE, the five characters by which the server tells kinds of failures apart.
const rules: readonly Rule[] = [
  { states: /^(08(?!P01)|57P0[1-5])/, kind: DatabaseUnavailableError, sentence: 'The database is not available' },
  { states: /^53300/, kind: DatabaseUnavailableError, sentence: 'The database has no connection left' },
  { states: /^53/, kind: DatabaseFullError, sentence: 'The database has run out of space or memory' },
  { states: /^58030/, kind: DatabaseFullError, sentence: 'The database cannot read or write its files' },
  { states: /^(57014|55P03|25P03|25P04)/, kind: DatabaseTimeoutError, sentence: 'The database took too long' },
  { states: /^40/, kind: DatabaseConflictError, sentence: 'The database ended a transaction that met another' },
  { states: /^(28|3D000|42501)/, kind: DatabaseRefusedError, sentence: 'The database refuses' },
  { states: /^25006/, kind: DatabaseRefusedError, sentence: 'The database takes no writes' },
]

/**
 * What the driver threw, as one of our errors where the reason lies outside the statement. A wrong statement stays what it is: a
 * bug. Messages quote the server, which never repeats a password.
 */
export const toDatabaseError = (error: unknown): unknown => {
  if (!(error instanceof Error) || error instanceof CodedError) return error
  const code = String((error as { code?: unknown }).code ?? '')
  if (/^[0-9A-Z]{5}$/.test(code) && 'severity' in error) {
    const rule = rules.find(({ states }) => states.test(code))
    return rule === undefined ? error : new rule.kind(`${rule.sentence}: ${error.message}.`, { cause: error })
  }
  if (/^Query read timeout$/.test(error.message)) {
    return new DatabaseTimeoutError('The database did not answer in time.', { cause: error })
  }
  if (/^timeout exceeded when trying to connect$/.test(error.message)) {
    return new DatabaseTimeoutError('No connection to the database became free in time.', { cause: error })
  }
  if (/CERT|SSL|TLS/.test(`${code} ${error.message}`)) {
    return new DatabaseRefusedError(`No secure connection to the database could be made: ${error.message}.`, {
      cause: error,
    })
  }
  return isConnectionLoss(error, code)
    ? new DatabaseUnavailableError(`The connection to the database failed: ${describe(error)}.`, { cause: error })
    : error
}

const isConnectionLoss = (error: Error, code: string): boolean =>
  /^(E[A-Z]+|ERR_SOCKET.*|ERR_STREAM.*)$/.test(code) ||
  error instanceof AggregateError ||
  /^(Connection terminated|Client (has encountered|was closed)|timeout expired|Cannot use a pool after)/.test(
    error.message,
  )

/** A name with several addresses fails with one error for each and no words of its own. */
const describe = (error: Error): string =>
  error.message !== ''
    ? error.message
    : error instanceof AggregateError
      ? error.errors.map(String).join('; ')
      : error.name

/** The database server that comes with the program could not be started. The message says why and what to do. */
export class EmbeddedServerError extends CodedError {
  readonly code = 'embedded_database'
}

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** The code of a failed system call, such as ENOENT. */
export const systemCode = (error: unknown): string | undefined =>
  error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined
