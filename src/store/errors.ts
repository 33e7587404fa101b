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
