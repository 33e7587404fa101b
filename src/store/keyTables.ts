import { bool, bytea, float8, int4, int8, nullable, text, timestamptz } from './columns.ts'

/** Keys of those who ask, and what they asked: migration 0007. */
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
