import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import { actionTables, chainTables } from './chainTables.ts'
import {
  array,
  bool,
  bytea,
  float8,
  int4,
  int8,
  jsonb,
  nullable,
  type SelectedRow,
  text,
  timestamptz,
  withDefault,
} from './columns.ts'
import { contractTables, eventTables, metadataTables, ownedTables } from './contractTables.ts'

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
    scopes: nullable(array(text)),
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

/** Webhooks: migration 0015. */
export const webhookTables = {
  webhook_endpoints: {
    created_at: timestamptz,
    updated_at: timestamptz,
    version: int4,
    is_thin: bool,
    id: text,
    owner: text,
    key_id: nullable(text),
    url: text,
    description: nullable(text),
    subscription: text,
    ordering: text,
    signature: text,
    public_key: nullable(text),
    secrets: bytea,
  },
  webhook_progress: {
    epoch: int8,
    lease_until: timestamptz,
    first_failure_at: nullable(timestamptz),
    last_success_at: nullable(timestamptz),
    last_failure_at: nullable(timestamptz),
    cursor_seqno: nullable(int4),
    failures: int4,
    endpoint_id: text,
    holder: nullable(text),
    cursor_event: nullable(text),
    state: text,
    disabled_reason: nullable(text),
    last_failure: nullable(text),
  },
  webhook_senders: {
    seen_at: timestamptz,
    holder: text,
  },
  webhook_lanes: {
    updated_at: timestamptz,
    sequence: int8,
    endpoint_id: text,
    lane: text,
    last_event_id: text,
  },
  webhook_replays: {
    id: withDefault(int8),
    created_at: timestamptz,
    cursor_seqno: int4,
    until_seqno: int4,
    endpoint_id: text,
    cursor_event: nullable(text),
    until_event: nullable(text),
  },
  webhook_deliveries: {
    number: withDefault(int8),
    replay: int8,
    sequence: nullable(int8),
    created_at: timestamptz,
    event_at: timestamptz,
    next_attempt_at: nullable(timestamptz),
    finished_at: nullable(timestamptz),
    mc_seqno: int4,
    attempts: int4,
    tries: int4,
    is_speculative: bool,
    id: text,
    endpoint_id: text,
    event_id: text,
    type: text,
    lane: text,
    previous_id: nullable(text),
    state: text,
    log: jsonb,
    data: nullable(text),
  },
  webhook_requests: {
    created_at: timestamptz,
    owner: text,
    key: text,
    request_hash: bytea,
    answer: nullable(bytea),
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
  ...ownedTables,
  ...eventTables,
  ...metadataTables,
  ...actionTables,
  ...keyTables,
  ...webhookTables,
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
  'jetton_balances',
  'long_traces',
  'actions',
  'action_accounts',
] as const satisfies readonly (keyof typeof tables)[]

export const partitionName = (table: string, start: number): string => `${table}_p${start}`

/** Lists the partitions of all tables with their first and last masterchain block, as the catalogue of the server has them. */
export const partitionsText = `
  SELECT p.relname AS table_name, c.relname AS name, substring(c.relname FROM '_p([0-9]+)$')::int AS first,
    coalesce(substring(pg_get_expr(c.relpartbound, c.oid) FROM 'TO \\(''?([0-9]+)''?\\)')::bigint - 1, 2147483647)::int AS last
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent
  WHERE p.relkind = 'p' AND c.relkind = 'r' AND p.relnamespace = current_schema()::regnamespace AND c.relname ~ '_p[0-9]+$'`
