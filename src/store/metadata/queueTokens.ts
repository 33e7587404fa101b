import type pg from 'pg'
import { contentHash } from './contentHash.ts'
import type { TokenType } from './TokenMetadata.ts'

/** A place in the list of tokens by the time at which they were first seen. */
export type TokenPlace = { readonly sinceLt: bigint; readonly address: Uint8Array }

export type TokenPage = {
  readonly type: TokenType
  readonly direction: 'older' | 'newer'
  /** What comes right after it, or before. */
  readonly from: TokenPlace
  readonly limit: number
}

export type QueuedPage = {
  /** How many tokens were looked at. */
  readonly seen: number
  /** How many of them became tasks. */
  readonly queued: number
  /** The last that was looked at. */
  readonly last: TokenPlace | undefined
}

const orders = {
  older: { sign: '<', order: 'DESC', reverse: 'ASC' },
  newer: { sign: '>', order: 'ASC', reverse: 'DESC' },
} as const

/** Looks at a page of tokens, and makes a task of each that has no metadata, or whose content has changed since. */
export const queueTokens = async (client: pg.ClientBase, page: TokenPage): Promise<QueuedPage> => {
  const { type, direction, from, limit } = page
  const { sign, order, reverse } = orders[direction]
  // Rows that are up to date are told apart before the insert: one that meets a row locks it, which is a write. Of one order, so
  // that two processes that insert the same do not wait for each other crosswise. OFFSET keeps the server from reading all of the
  // table at once, which it takes for quicker than a look for each token.
  const { rows } = await client.query<{
    seen: bigint
    queued: bigint
    since_lt: bigint | null
    address: Buffer | null
  }>(
    `WITH page AS MATERIALIZED (
       SELECT since_lt, address, ${contentHash('content')} AS hash FROM ${type}
       WHERE (since_lt, address) ${sign} ($2, $3) ORDER BY since_lt ${order}, address ${order} LIMIT $4
     ), wanted AS (
       INSERT INTO address_metadata AS m (address, type, content_hash, tries, next_try_at)
       SELECT page.address, $1, page.hash, 0, to_timestamp(0)
       FROM page LEFT JOIN LATERAL (
         SELECT address, content_hash FROM address_metadata WHERE address = page.address AND type = $1 OFFSET 0
       ) known ON true
       WHERE known.address IS NULL OR known.content_hash IS DISTINCT FROM page.hash
       ORDER BY page.address
       ON CONFLICT (address, type) DO UPDATE
       SET content_hash = excluded.content_hash, valid = NULL, tries = 0, next_try_at = excluded.next_try_at
       WHERE m.content_hash IS DISTINCT FROM excluded.content_hash
       RETURNING 1
     ), last AS (
       SELECT since_lt, address FROM page ORDER BY since_lt ${reverse}, address ${reverse} LIMIT 1
     )
     SELECT (SELECT count(*) FROM page) AS seen, (SELECT count(*) FROM wanted) AS queued,
       (SELECT since_lt FROM last) AS since_lt, (SELECT address FROM last) AS address`,
    [type, from.sinceLt, from.address, limit],
  )
  const { seen, queued, since_lt: sinceLt, address } = rows[0]!
  return {
    seen: Number(seen),
    queued: Number(queued),
    last: sinceLt === null || address === null ? undefined : { sinceLt, address },
  }
}

/** The time at which the newest token was first seen. */
export const findNewestToken = async (client: pg.ClientBase, type: TokenType): Promise<bigint | undefined> => {
  const { rows } = await client.query<{ newest: bigint | null }>(`SELECT max(since_lt) AS newest FROM ${type}`)
  return rows[0]!.newest ?? undefined
}
