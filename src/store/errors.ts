import { CodedError } from '../primitives/errors.ts'

type StoreErrorCode =
  | 'compaction_running'
  | 'cursor_refused'
  | 'database_conflict'
  | 'database_extension'
  | 'database_full'
  | 'database_refused'
  | 'database_schema'
  | 'database_timeout'
  | 'database_unavailable'
  | 'database_version'
  | 'database_worker_unavailable'
  | 'index_behind'
  | 'lease_held'
  | 'lease_lost'
  | 'query_too_costly'

/** The database failed for a reason outside the statement. */
export abstract class StoreError extends CodedError {
  abstract override readonly code: StoreErrorCode
}

/** The server is unreachable, has no free connection slot, or disconnected. */
export class DatabaseUnavailableError extends StoreError {
  readonly code = 'database_unavailable'
  override readonly retryable = true
}

/** A worker of a Citus cluster is unreachable or disconnected. The coordinator works, and so do reads that do not need the worker. */
export class DatabaseWorkerError extends StoreError {
  readonly code = 'database_worker_unavailable'
  override readonly retryable = true
}

/** Whether a connection was lost, to the server or behind it: one more try may find another one. */
export const isLostConnection = (error: unknown): boolean =>
  error instanceof DatabaseUnavailableError || error instanceof DatabaseWorkerError

/** A statement, or the wait for a lock or a connection, exceeded its timeout. */
export class DatabaseTimeoutError extends StoreError {
  readonly code = 'database_timeout'
  override readonly retryable = true
}

/** No server of the index has a block that the caller has seen elsewhere. */
export class IndexBehindError extends StoreError {
  readonly code = 'index_behind'
  override readonly retryable = true

  constructor(seqno: number | undefined, head: number | undefined) {
    super(
      head === undefined
        ? 'No server of the index database answers. Retry later.'
        : `The index is at masterchain block ${head}, and the request asks for block ${seqno}. Retry later.`,
    )
  }
}

/** Two transactions conflicted, and this one was rolled back. */
export class DatabaseConflictError extends StoreError {
  readonly code = 'database_conflict'
  override readonly retryable = true
}

/** The tables were distributed over a cluster while a query in the form of one server ran. Asked again, it has the other form. */
export class DistributionChangedError extends DatabaseConflictError {}

/** The server is out of disk space or memory. A retry helps after the operator has freed some. */
export class DatabaseFullError extends StoreError {
  readonly code = 'database_full'
  override readonly retryable = true
}

/** The server refuses access: wrong password, no such database, missing privilege, read-only server. */
export class DatabaseRefusedError extends StoreError {
  readonly code = 'database_refused'
}

/** The server is too old. */
export class DatabaseVersionError extends StoreError {
  readonly code = 'database_version'
}

/** A required extension is missing on the server. */
export class DatabaseExtensionError extends StoreError {
  readonly code = 'database_extension'
}

/** A cursor does not belong to the order of this query. */
export class CursorRefusedError extends StoreError {
  readonly code = 'cursor_refused'
  constructor() {
    super('The cursor belongs to another query. Send it with the parameters of the response that it came from.')
  }
}

/** The schema does not fit this version of the program. */
export class DatabaseSchemaError extends StoreError {
  readonly code = 'database_schema'
}

/** Another process is the leader, and the caller does not wait. */
export class LeaseHeldError extends StoreError {
  readonly code = 'lease_held'
}

/** Another process is the leader now; pending writes must not be committed. */
export class LeaseLostError extends StoreError {
  readonly code = 'lease_lost'
}

/** Another process is compacting indexes. */
export class CompactionRunningError extends StoreError {
  readonly code = 'compaction_running'
  override readonly retryable = true
}

type StoreErrorClass = new (message: string, options?: ErrorOptions) => CodedError

type Rule = { readonly states: RegExp; readonly kind: StoreErrorClass; readonly sentence: string }

// By SQLSTATE.
const rules: readonly Rule[] = [
  { states: /^(08(?!P01)|57P0[1-5])/, kind: DatabaseUnavailableError, sentence: 'The database is not available' },
  { states: /^53300/, kind: DatabaseUnavailableError, sentence: 'The database has no connection left' },
  { states: /^53/, kind: DatabaseFullError, sentence: 'The database has run out of space or memory' },
  { states: /^58030/, kind: DatabaseFullError, sentence: 'The database cannot read or write its files' },
  { states: /^(57014|55P03|25P03|25P04)/, kind: DatabaseTimeoutError, sentence: 'The database took too long' },
  { states: /^40/, kind: DatabaseConflictError, sentence: 'The database rolled back a conflicting transaction' },
  { states: /^(28|3D000|42501)/, kind: DatabaseRefusedError, sentence: 'The database refuses' },
  { states: /^25006/, kind: DatabaseRefusedError, sentence: 'The database takes no writes' },
]

/**
 * Maps an error of the driver to one of ours if its cause lies outside the statement. A wrong statement stays as it is: a bug.
 * Messages quote the server, which never repeats a password.
 */
export const toDatabaseError = (error: unknown): unknown => {
  if (!(error instanceof Error) || error instanceof CodedError) return error
  const code = String((error as { code?: unknown }).code ?? '')
  if (/^[0-9A-Z]{5}$/.test(code) && 'severity' in error) {
    if (isOfWorker(error, code)) {
      return new DatabaseWorkerError(`A worker of the database cluster is not available: ${error.message}.`, {
        cause: error,
      })
    }
    if (code === 'XX000' && BUSY.test(error.message)) {
      return new DatabaseConflictError(`The database cluster is moving rows: ${error.message}.`, { cause: error })
    }
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
    return new DatabaseRefusedError(`The TLS connection to the database failed: ${error.message}.`, {
      cause: error,
    })
  }
  return isConnectionLoss(error, code)
    ? new DatabaseUnavailableError(`The connection to the database failed: ${describe(error)}.`, { cause: error })
    : error
}

/**
 * The coordinator reports what a worker said, or that it could not be asked; for a connection that broke in the middle of a
 * transaction, without a code of its own. Its texts are not translated.
 */
const isOfWorker = (error: Error, code: string): boolean => {
  if (code === 'XX000') return BROKEN.test(error.message)
  if (!/^(08(?!P01)|57P0[1-5])/.test(code)) return false
  const { where } = error as { readonly where?: unknown }
  return /\b(?:remote|worker) node\b/.test(error.message) || /while executing command on/.test(String(where ?? ''))
}

const BROKEN =
  /^failure on connection marked as essential|^server closed the connection unexpectedly|connection not open$/

/** No partition is made while shards move to another worker. */
const BUSY = /^could not acquire the lock required to /

const isConnectionLoss = (error: Error, code: string): boolean =>
  /^(E[A-Z]+|ERR_SOCKET.*|ERR_STREAM.*)$/.test(code) ||
  error instanceof AggregateError ||
  /^(Connection terminated|Client (has encountered|was closed)|timeout expired|Cannot use a pool after)/.test(
    error.message,
  )

/** A host name with several addresses fails with an AggregateError without a message. */
const describe = (error: Error): string =>
  error.message !== ''
    ? error.message
    : error instanceof AggregateError
      ? error.errors.map(String).join('; ')
      : error.name

/** The bundled database server could not be started. The message says why and what to do. */
export class EmbeddedServerError extends CodedError {
  readonly code = 'embedded_database'
}

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** The code of a failed system call, such as ENOENT. */
export const systemCode = (error: unknown): string | undefined =>
  error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined
