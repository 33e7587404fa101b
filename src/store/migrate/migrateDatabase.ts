import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from '../../observe/Logger.ts'
import { compareBytes } from '../../primitives/bytes.ts'
import { sha256 } from '../../primitives/hash.ts'
import { fromHex } from '../../primitives/hex.ts'
import { DatabaseSchemaError, DatabaseTimeoutError, toDatabaseError } from '../errors.ts'
import type { Tables } from '../schema/tables.ts'

/** One migration, a SQL file. */
type Migration = {
  readonly number: number
  readonly name: string
  readonly sql: string
  readonly checksum: Uint8Array
  /** Checksums of earlier versions of the file: databases with those are equivalent, or fixed by a later migration. */
  readonly formerChecksums?: readonly Uint8Array[]
  /** Its only statement cannot run in a transaction, such as CREATE INDEX CONCURRENTLY. It must be repeatable. */
  readonly standsAlone: boolean
}

// Beside the sources in a clone, beside the compiled files in the package: the build copies them.
const migrationsFolder = join(import.meta.dirname, '..', 'migrations')

const STANDS_ALONE = '-- outside a transaction\n'
const FORMERLY = /^-- formerly ([0-9a-f]{64})\b/gm

/** All migrations, in order. The files are numbered without gaps. */
export const listMigrations = (folder: string = migrationsFolder): readonly Migration[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file, index) => readMigration(folder, file, index + 1))

const readMigration = (folder: string, file: string, expected: number): Migration => {
  const [, digits, name] = /^(\d{4})_([a-z0-9_]+)\.sql$/.exec(file) ?? []
  if (name === undefined || Number(digits) !== expected) {
    throw new DatabaseSchemaError(`The migration ${file} is out of order: expected number ${expected}.`)
  }
  // Line endings differ between systems and must not change the checksum.
  const sql = readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n')
  const checksum = sha256(new TextEncoder().encode(sql))
  const formerChecksums = [...sql.matchAll(FORMERLY)].map(([, hex]) => fromHex(hex!))
  return { number: expected, name, sql, checksum, formerChecksums, standsAlone: sql.startsWith(STANDS_ALONE) }
}

export type AppliedMigration = Tables['schema_migrations']

/** The migrations applied to a database, in order; none if it is empty. */
export const readApplied = async (client: pg.ClientBase): Promise<readonly AppliedMigration[]> => {
  const { rows: found } = await client.query<{ is: boolean }>(
    `SELECT to_regclass('schema_migrations') IS NOT NULL AS is`,
  )
  if (!found[0]?.is) return []
  const { rows } = await client.query<AppliedMigration>(
    'SELECT number, name, checksum, applied_at, duration_ms FROM schema_migrations ORDER BY number',
  )
  return rows
}

/** Refuses a database that a newer version has migrated, or that has an unknown migration. */
export const checkApplied = (applied: readonly AppliedMigration[], migrations: readonly Migration[]): void => {
  for (const [index, { number, name, checksum }] of applied.entries()) {
    const known = migrations[index]
    if (known === undefined) {
      throw new DatabaseSchemaError(
        `The database was changed by a newer version of the program: it has migration ${number} (${name}), and this version knows ${migrations.length}. Use the newer version, or another database.`,
      )
    }
    if (known.number !== number || !isOrWas(known, checksum)) {
      throw new DatabaseSchemaError(
        `The database has a migration ${number} (${name}) that is not the one this version knows under that number (${known.name}). It was made by another build of the program; use that one, or another database.`,
      )
    }
  }
}

const isOrWas = ({ checksum, formerChecksums = [] }: Migration, applied: Uint8Array): boolean =>
  [checksum, ...formerChecksums].some((each) => compareBytes(each, applied) === 0)

/** For commands that only read or write rows: all migrations must be applied. */
export const checkUpToDate = (applied: readonly AppliedMigration[], migrations: readonly Migration[]): void => {
  checkApplied(applied, migrations)
  if (applied.length === migrations.length) return
  throw new DatabaseSchemaError(
    `The database lacks ${migrations.length - applied.length} of ${migrations.length} migrations. Run "chaincenter db migrate".`,
  )
}

export type MigrateOptions = {
  readonly logger: Logger
  readonly signal: AbortSignal
  readonly migrations?: readonly Migration[]
  /** How long to wait for another process that is migrating. */
  readonly waitMs?: number
}

// An arbitrary unique lock number: "chaincnt" as bytes.
const LOCK_KEY = 0x6368_6169_6e63_6e74n
const LOCK_POLL_MS = 200
const LOCK_WAIT_MS = 600_000

/**
 * Applies missing migrations and returns them. Concurrent processes wait for the one that migrates. The lock belongs to the
 * connection, so it must be a dedicated one.
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
      // A lost connection has released the lock.
      await client.query('SELECT pg_advisory_unlock($1)', [LOCK_KEY]).catch(() => {})
    }
  } catch (error) {
    throw toDatabaseError(error)
  }
}

/** Polls: a process that waits inside the server holds a transaction there, and CREATE INDEX CONCURRENTLY would wait for it. */
const lock = async (client: pg.Client, signal: AbortSignal, waitMs: number): Promise<void> => {
  const deadline = performance.now() + waitMs
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [LOCK_KEY])
    if (rows[0]?.taken) return
    if (performance.now() > deadline) {
      throw new DatabaseTimeoutError(
        `Another process has been migrating the schema for ${Math.round(waitMs / 1000)} s.`,
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

/** A failed CREATE INDEX CONCURRENTLY leaves an invalid index, which would count as the index the next time. */
const dropBrokenIndexes = async (client: pg.Client): Promise<void> => {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.oid::regclass::text AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     WHERE NOT i.indisvalid AND c.relkind = 'i' AND c.relnamespace = current_schema()::regnamespace`,
  )
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`)
}
