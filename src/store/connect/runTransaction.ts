import type pg from 'pg'
import { onAbort } from '../../primitives/scheduling.ts'
import { DatabaseConflictError } from '../errors.ts'
import { endClient } from './endClient.ts'
import { toDatabaseError } from './toDatabaseError.ts'

/** What is almost done may still become so when the signal comes. */
const GRACE_MS = 500

/**
 * Runs work between BEGIN and COMMIT on a connection of the pool. A connection on which undoing failed is not used again. Where the
 * work is not done soon after the signal has come, its connection is ended, whatever the server is busy with.
 */
export const runTransaction = async <T>(
  pool: pg.Pool,
  work: (client: pg.ClientBase) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> => {
  const client = await connect(pool, signal)
  const forget = endAfter(client, signal)
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
    forget()
    client.release(failure)
  }
}

const connect = (pool: pg.Pool, signal: AbortSignal | undefined): Promise<pg.PoolClient> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const leave = signal && onAbort(signal, () => reject(signal.reason))
    pool.connect().then(
      (client) => {
        leave?.()
        if (signal?.aborted) client.release()
        resolve(client)
      },
      (error: unknown) => {
        leave?.()
        reject(toDatabaseError(error))
      },
    )
  })

/** Ends a connection some time after the signal has come. The returned function forgets about it. */
const endAfter = (client: pg.ClientBase, signal: AbortSignal | undefined): (() => void) => {
  let timer: NodeJS.Timeout | undefined
  const begin = (): void => {
    timer = setTimeout(() => void endClient(client, 0), GRACE_MS)
  }
  const leave = signal && onAbort(signal, begin)
  return () => {
    clearTimeout(timer)
    leave?.()
  }
}

/** Where a statement failed and the work went on all the same, the server answers a COMMIT with a rollback, and no error. */
const commit = async (client: pg.ClientBase): Promise<void> => {
  const { command } = await client.query('COMMIT')
  if (command === 'COMMIT') return
  throw new DatabaseConflictError('The transaction was undone, since a statement in it had failed.')
}
