import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import { actionTables, chainTables } from './chainTables.ts'
import { bool, bytea, float8, int4, int8, nullable, type SelectedRow, text, timestamptz } from './columns.ts'
import { contractTables, metadataTables } from './contractTables.ts'

/** API keys and their usage: migration 0007. */
export const keyTables = {
  api_keys: {
    created_at: timestamptz,
    expires_at: nullable(timestamptz),
    revoked_at: nullable(timestamptz),
    change: int8,
    per_second: nullable(float8),
    burst: nullable(int4),
    id: text,
    network: text,
    plan: text,
    owner: text,
    note: nullable(text),
    replaced_by: nullable(text),
    is_self_made: bool,
    hash: bytea,
  },
  api_key_usage: {
    requests: int8,
    refused: int8,
    failed: int8,
    day: int4,
    key_id: text,
    endpoint: text,
  },
  self_made_keys: {
    day: int4,
    count: int4,
    address_hash: bytea,
  },
  api_key_secret: {
    mark: bytea,
  },
} as const

/** All tables. A test compares them with the catalogue of a fully migrated database. */
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

/** Row types of all tables, for the query builder. */
export type Tables = { readonly [Name in keyof typeof tables]: SelectedRow<(typeof tables)[Name]> }

/** Composes SQL over our tables. It only compiles: a `Reader` runs the result. */
export const queryBuilder = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

/** The tables partitioned by masterchain seqno, all with the same bounds. */
export const partitionedTables = [
  'indexed_blocks',
  'blocks',
  'shard_tops',
  'transactions',
  'unreceived_messages',
  'message_contents',
  'traces',
  'jetton_transfers',
  'jetton_burns',
  'nft_transfers',
  'long_traces',
  'actions',
  'action_accounts',
] as const satisfies readonly (keyof typeof tables)[]

/** The first seqno of the partition that holds a seqno. */
export const partitionStart = (seqno: number, width: number): number => seqno - (seqno % width)

export const partitionName = (table: string, start: number): string => `${table}_p${start}`
