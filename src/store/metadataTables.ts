import { bool, bytea, int4, jsonb, nullable, text, timestamptz } from './columns.ts'

/** What tokens say of themselves: migration 0004. */
export const metadataTables = {
  address_metadata: {
    next_try_at: timestamptz,
    updated_at: nullable(timestamptz),
    expires_at: nullable(timestamptz),
    tries: int4,
    valid: nullable(bool),
    address: bytea,
    type: text,
    content_hash: nullable(bytea),
    name: nullable(text),
    description: nullable(text),
    symbol: nullable(text),
    image: nullable(text),
    extra: nullable(jsonb),
    error: nullable(text),
  },
} as const
