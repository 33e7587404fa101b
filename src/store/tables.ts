import { actionTables } from './actionTables.ts'
import { chainTables } from './chainTables.ts'
import { bytea, int4, int8, nullable, text, timestamptz } from './columns.ts'
import { contractTables } from './contractTables.ts'
import { keyTables } from './keyTables.ts'
import { metadataTables } from './metadataTables.ts'
import type { SelectedRow } from './Table.ts'

/** Every table, once. A test compares it with the catalogue of a database on which all migrations ran. */
export const tables = {
  schema_migrations: {
    number: int4,
    name: text,
    checksum: bytea,
    applied_at: timestamptz,
    duration_ms: int4,
  },
  leases: {
    name: text,
    epoch: int8,
    holder: text,
    backend_pid: nullable(int4),
    acquired_at: timestamptz,
    renewed_at: timestamptz,
  },
  ...chainTables,
  ...contractTables,
  ...metadataTables,
  ...actionTables,
  ...keyTables,
} as const

/** Rows of every table as they are read, for the query builder. */
export type Tables = { readonly [Name in keyof typeof tables]: SelectedRow<(typeof tables)[Name]> }
