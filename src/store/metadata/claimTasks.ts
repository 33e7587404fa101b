import type pg from 'pg'
import type { Json } from '../columns.ts'
import { contentHash } from './contentHash.ts'
import type { TokenType } from './TokenMetadata.ts'

/** A token whose metadata is to be found out, by us and for now by nobody else. */
export type MetadataTask = {
  readonly address: Uint8Array
  readonly type: TokenType
  /** Failures in a row so far. */
  readonly tries: number
  /** What the chain says of it. */
  readonly content: Json | undefined
  readonly contentHash: Uint8Array | undefined
  /** Whether there is good metadata, of the same content, from an earlier time. */
  readonly hasValid: boolean
  /** Until when it is ours. It also tells our claim from any other. */
  readonly claimedUntil: Date
}

type Row = {
  readonly address: Buffer
  readonly type: TokenType
  readonly tries: number
  readonly content: Json | null
  readonly content_hash: Buffer | null
  readonly has_valid: boolean
  readonly claimed_until: Date
}

/**
 * Takes tasks that are due, those that wait longest first. They are due again when `claimMs` have passed without word from
 * whoever took them. Tasks for tokens that are gone go.
 */
export const claimTasks = async (client: pg.ClientBase, limit: number, claimMs: number): Promise<MetadataTask[]> => {
  // To the millisecond: that is as much of a time as comes back.
  const { rows } = await client.query<Row & { readonly is_gone: boolean }>(
    `WITH due AS MATERIALIZED (
       SELECT address, type FROM address_metadata WHERE next_try_at <= now()
       ORDER BY next_try_at LIMIT $1 FOR UPDATE SKIP LOCKED
     ), token AS (
       SELECT due.address, due.type, coalesce(j.address, c.address, i.address) IS NULL AS is_gone,
         coalesce(j.content, c.content, i.content) AS content
       FROM due
       LEFT JOIN jetton_masters j ON due.type = 'jetton_masters' AND j.address = due.address
       LEFT JOIN nft_collections c ON due.type = 'nft_collections' AND c.address = due.address
       LEFT JOIN nft_items i ON due.type = 'nft_items' AND i.address = due.address
     )
     UPDATE address_metadata m
     SET next_try_at = date_trunc('milliseconds', clock_timestamp()) + make_interval(secs => $2)
     FROM token WHERE m.address = token.address AND m.type = token.type
     RETURNING m.address, m.type, m.tries, token.content, ${contentHash('token.content')} AS content_hash,
       m.valid IS TRUE AND m.content_hash IS NOT DISTINCT FROM ${contentHash('token.content')} AS has_valid,
       m.next_try_at AS claimed_until, token.is_gone`,
    [limit, claimMs / 1000],
  )
  const gone = rows.filter((row) => row.is_gone)
  if (gone.length > 0) {
    await client.query(
      `DELETE FROM address_metadata m USING unnest($1::bytea[], $2::text[]) AS gone (address, type)
       WHERE m.address = gone.address AND m.type = gone.type`,
      [gone.map(({ address }) => address), gone.map(({ type }) => type)],
    )
  }
  return rows.filter((row) => !row.is_gone).map(toTask)
}

const toTask = (row: Row): MetadataTask => ({
  address: row.address,
  type: row.type,
  tries: row.tries,
  content: row.content ?? undefined,
  contentHash: row.content_hash ?? undefined,
  hasValid: row.has_valid,
  claimedUntil: row.claimed_until,
})
