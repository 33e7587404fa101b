import { CodedError } from '../../primitives/errors.ts'
import {
  DatabaseConflictError,
  DatabaseFullError,
  DatabaseRefusedError,
  DatabaseTimeoutError,
  DatabaseUnavailableError,
} from '../errors.ts'

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
