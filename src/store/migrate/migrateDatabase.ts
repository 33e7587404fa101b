import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from '../../observe/Logger.ts'
import { toDatabaseError } from '../connect/toDatabaseError.ts'
import { DatabaseTimeoutError } from '../errors.ts'
import { checkApplied, readApplied } from './appliedMigrations.ts'
import { listMigrations, type Migration } from './Migration.ts'

export type MigrateOptions = {
  readonly logger: Logger
  readonly signal: AbortSignal
  readonly migrations?: readonly Migration[]
  /** How long to wait for another process that is at it. */
  readonly waitMs?: number
}

// Any number does, so long as nobody else takes it: "chaincnt" as bytes.
const LOCK_KEY = 0x6368_6169_6e63_6e74n
const LOCK_POLL_MS = 200
const LOCK_WAIT_MS = 600_000

/**
 * Brings the schema up to date and returns what had to be done. Of several processes one does it and the others wait. The
 * connection must be one of its own, since the lock is held by it.
 */
export const migrateDatabase = async (
  client: pg.Client,
  { logger, signal, migrations = listMigrations(), waitMs = LOCK_WAIT_MS }: MigrateOptions,
): Promise<readonly Migration[]> => {
  try {
    await client.query('SET statement_timeout = 0')
    await lock(client, signal, waitMs)
    try {
      const applied = await readApplied(client)
      checkApplied(applied, migrations)
      const pending = migrations.slice(applied.length)
      for (const migration of pending) {
        signal.throwIfAborted()
        await apply(client, migration, logger)
      }
      return pending
    } finally {
      // On a connection that is lost the lock is, too.
      await client.query('SELECT pg_advisory_unlock($1)', [LOCK_KEY]).catch(() => {})
    }
  } catch (error) {
    throw toDatabaseError(error)
  }
}

/** Asks again and again: who waits inside the server is a transaction there, and an index that is built beside others waits for it. */
const lock = async (client: pg.Client, signal: AbortSignal, waitMs: number): Promise<void> => {
  const deadline = performance.now() + waitMs
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [LOCK_KEY])
    if (rows[0]?.taken) return
    if (performance.now() > deadline) {
      throw new DatabaseTimeoutError(
        `Another process has been bringing the schema up to date for ${Math.round(waitMs / 1000)} s.`,
      )
    }
    await delay(LOCK_POLL_MS, undefined, { signal })
  }
}

const apply = async (client: pg.Client, migration: Migration, logger: Logger): Promise<void> => {
  const start = performance.now()
  const record = (): Promise<unknown> =>
    client.query(
      'INSERT INTO schema_migrations (number, name, checksum, applied_at, duration_ms) VALUES ($1, $2, $3, now(), $4)',
      [migration.number, migration.name, migration.checksum, Math.round(performance.now() - start)],
    )
  if (migration.standsAlone) {
    await dropBrokenIndexes(client)
    await client.query(migration.sql)
    await record()
  } else {
    await client.query('BEGIN')
    try {
      await client.query(migration.sql)
      await record()
      await client.query('COMMIT')
    } catch (error) {
      await client.query('ROLLBACK').catch(() => {})
      throw error
    }
  }
  logger.info('migration applied', { number: migration.number, name: migration.name })
}

/** The building of an index beside others leaves a part of it where it fails, and that would count as the index the next time. */
const dropBrokenIndexes = async (client: pg.Client): Promise<void> => {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.oid::regclass::text AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     WHERE NOT i.indisvalid AND c.relkind = 'i' AND c.relnamespace = current_schema()::regnamespace`,
  )
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`)
}
