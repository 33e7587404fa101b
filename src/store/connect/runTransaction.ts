import type pg from 'pg'
import { DatabaseConflictError } from '../errors.ts'
import { toDatabaseError } from './toDatabaseError.ts'

/** Runs work between BEGIN and COMMIT on a connection of the pool. A connection on which undoing failed is not used again. */
export const runTransaction = async <T>(pool: pg.Pool, work: (client: pg.ClientBase) => Promise<T>): Promise<T> => {
  const client = await pool.connect().catch((error: unknown) => {
    throw toDatabaseError(error)
  })
  // A connection may be lost between two statements, when nobody waits for an answer that could tell.
  const ignore = (): void => {}
  client.on('error', ignore)
  let failure: Error | undefined
  try {
    await client.query('BEGIN')
    const result = await work(client)
    await commit(client)
    return result
  } catch (error) {
    await client.query('ROLLBACK').catch((cause: unknown) => {
      failure = cause instanceof Error ? cause : new Error(String(cause))
    })
    throw toDatabaseError(error)
  } finally {
    client.off('error', ignore)
    client.release(failure)
  }
}

/** Where a statement failed and the work went on all the same, the server answers a COMMIT with a rollback, and no error. */
const commit = async (client: pg.ClientBase): Promise<void> => {
  const { command } = await client.query('COMMIT')
  if (command === 'COMMIT') return
  throw new DatabaseConflictError('The transaction was undone, since a statement in it had failed.')
}
