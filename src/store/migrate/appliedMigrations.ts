import type pg from 'pg'
import { compareBytes } from '../../primitives/bytes.ts'
import { DatabaseSchemaError } from '../errors.ts'
import type { Tables } from '../tables.ts'
import type { Migration } from './Migration.ts'

export type AppliedMigration = Tables['schema_migrations']

/** What was applied to a database so far, in order; nothing where it is empty. */
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

/** Refuses a database that a newer program has changed, or of which a step is not the one we know. */
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

/** For those who only read or write rows: everything must be applied already. */
export const checkUpToDate = (applied: readonly AppliedMigration[], migrations: readonly Migration[]): void => {
  checkApplied(applied, migrations)
  if (applied.length === migrations.length) return
  throw new DatabaseSchemaError(
    `The database lacks ${migrations.length - applied.length} of ${migrations.length} migrations. Run "chaincenter db migrate".`,
  )
}
