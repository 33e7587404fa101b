import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { toDatabaseError } from '../connect/toDatabaseError.ts'
import { DatabaseTimeoutError } from '../errors.ts'
import { dividedTables } from './dividedTables.ts'

// The server looks for deadlocks after a second, and ends whoever asks: who reads two tables, as a rule. Locks are given back before.
const LOCK_MS = 800
const BREATH_MS = 200
const TRIES = 4
// A partition that is being vacuumed is let go of after a second.
const DROP_LOCK_MS = 2000

/**
 * Drops partitions; readers wait for as long as that takes.
 *
 * The divided tables themselves are locked first, all at once: with one after the other, as DROP TABLE does it, who reads several of
 * them would hold one and wait for the next. Where somebody reads for long, readers behind us wait with us; now and then they go first.
 */
export const dropPartitions = async (client: pg.ClientBase, names: readonly string[]): Promise<void> => {
  if (names.length === 0) return
  for (let left = TRIES - 1; !(await lockDivided(client, left === 0)); left -= 1) await delay(BREATH_MS)
  await client.query(`SET LOCAL lock_timeout TO ${DROP_LOCK_MS}`)
  await client.query(`DROP TABLE ${names.join(', ')}`)
}

/** Whether they are locked; not to have them in time is an error for the last try alone. */
const lockDivided = async (client: pg.ClientBase, isLast: boolean): Promise<boolean> => {
  await client.query(`SAVEPOINT before_locks; SET LOCAL statement_timeout TO ${LOCK_MS}`)
  try {
    await client.query(`LOCK TABLE ${dividedTables.map((name) => `ONLY ${name}`).join(', ')} IN ACCESS EXCLUSIVE MODE`)
  } catch (error) {
    if (isLast || !(toDatabaseError(error) instanceof DatabaseTimeoutError)) throw error
    await client.query('ROLLBACK TO SAVEPOINT before_locks')
    return false
  }
  await client.query('SET LOCAL statement_timeout TO DEFAULT; RELEASE SAVEPOINT before_locks')
  return true
}
