import type pg from 'pg'
import type { Json } from '../schema/columns.ts'
import type { TokenMetadata, TokenType } from '../schema/contractTables.ts'

/** SQL: half of the hash of a token's on-chain content, to detect changes. Null if the content is null. */
const contentHash = (content: string): string => `substr(sha256(convert_to((${content})::text, 'UTF8')), 1, 16)`

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
 * Claims due tasks, longest waiting first. A task is due again if its claim expires after `claimMs`. Tasks of deleted tokens are
 * removed.
 */
export const claimTasks = async (client: pg.ClientBase, limit: number, claimMs: number): Promise<MetadataTask[]> => {
  // Rounded to milliseconds, the precision of a Date.
  const { rows } = await client.query<Row & { readonly is_gone: boolean }>(
    `WITH due AS MATERIALIZED (
       SELECT address, type FROM address_metadata WHERE next_try_at <= now()
       ORDER BY next_try_at LIMIT $1 FOR UPDATE SKIP LOCKED
     ), token AS (
       SELECT due.address, due.type, coalesce(j.address, c.address, i.address) IS NULL AS is_gone,
         coalesce(j.content, c.content, i.content) AS content,
         ${contentHash('coalesce(j.content, c.content, i.content)')} AS content_hash
       FROM due
       LEFT JOIN jetton_masters j ON due.type = 'jetton_masters' AND j.address = due.address
       LEFT JOIN nft_collections c ON due.type = 'nft_collections' AND c.address = due.address
       LEFT JOIN nft_items i ON due.type = 'nft_items' AND i.address = due.address
     )
     UPDATE address_metadata m
     SET next_try_at = date_trunc('milliseconds', now()) + make_interval(secs => $2)
     FROM token WHERE m.address = token.address AND m.type = token.type
     RETURNING m.address, m.type, m.tries, token.content, token.content_hash,
       m.valid IS TRUE AND m.content_hash IS NOT DISTINCT FROM token.content_hash AS has_valid,
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

const toTask = (row: Row) => ({
  address: row.address,
  type: row.type,
  /** Failures in a row. */
  tries: row.tries,
  /** The on-chain content. */
  content: row.content ?? undefined,
  contentHash: row.content_hash ?? undefined,
  /** Whether valid metadata of the same content is stored from an earlier fetch. */
  hasValid: row.has_valid,
  /** When the claim expires. It also identifies the claim. */
  claimedUntil: row.claimed_until,
})

/** A token whose metadata is to be fetched, claimed by this process. */
export type MetadataTask = Readonly<ReturnType<typeof toTask>>

/** The outcome of a task. */
export type TaskEnd = { readonly task: MetadataTask; readonly tries: number } & (
  | { readonly kind: 'found'; readonly metadata: TokenMetadata }
  /** Keeps the stored metadata; the task is retried later. */
  | { readonly kind: 'later'; readonly delayMs: number; readonly error: string | undefined }
)

/** Stores the outcome of tasks whose claim has not expired. Found metadata is refreshed after `refreshMs`. */
export const finishTasks = async (
  client: pg.ClientBase,
  ends: readonly TaskEnd[],
  refreshMs: number,
): Promise<void> => {
  const found = ends.filter((end) => end.kind === 'found')
  const later = ends.filter((end) => end.kind === 'later')
  if (found.length > 0) {
    const texts = (pick: (metadata: TokenMetadata) => string | undefined): (string | null)[] =>
      found.map(({ metadata }) => pick(metadata) ?? null)
    await client.query(
      `UPDATE address_metadata m SET tries = e.tries, valid = e.valid, content_hash = e.content_hash, name = e.name,
         description = e.description, symbol = e.symbol, image = e.image, extra = e.extra::jsonb, error = e.error,
         updated_at = now(), expires_at = now() + make_interval(secs => $4), next_try_at = now() + make_interval(secs => $4)
       FROM unnest($1::bytea[], $2::text[], $3::timestamptz[], $5::int[], $6::bool[], $7::bytea[], $8::text[], $9::text[],
         $10::text[], $11::text[], $12::text[], $13::text[])
         AS e (address, type, claimed_until, tries, valid, content_hash, name, description, symbol, image, extra, error)
       WHERE m.address = e.address AND m.type = e.type AND m.next_try_at = e.claimed_until`,
      [
        ...keysOf(found),
        refreshMs / 1000,
        found.map(({ tries }) => tries),
        found.map(({ metadata }) => metadata.valid),
        found.map(({ task }) => task.contentHash ?? null),
        texts(({ name }) => name),
        texts(({ description }) => description),
        texts(({ symbol }) => symbol),
        texts(({ image }) => image),
        texts(({ extra }) => JSON.stringify(extra)),
        texts(({ error }) => error),
      ],
    )
  }
  if (later.length > 0) {
    // Citus takes no time that is computed from columns.
    const { rows: clock } = await client.query<{ now: Date }>('SELECT now()')
    await client.query(
      `UPDATE address_metadata m SET tries = e.tries, error = coalesce(e.error, m.error),
         next_try_at = e.next_try_at
       FROM unnest($1::bytea[], $2::text[], $3::timestamptz[], $4::int[], $5::timestamptz[], $6::text[])
         AS e (address, type, claimed_until, tries, next_try_at, error)
       WHERE m.address = e.address AND m.type = e.type AND m.next_try_at = e.claimed_until`,
      [
        ...keysOf(later),
        later.map(({ tries }) => tries),
        later.map(({ delayMs }) => new Date(clock[0]!.now.getTime() + delayMs)),
        later.map(({ error }) => error ?? null),
      ],
    )
  }
}

const keysOf = (ends: readonly TaskEnd[]) => [
  ends.map(({ task }) => task.address),
  ends.map(({ task }) => task.type),
  ends.map(({ task }) => task.claimedUntil),
]

/** A position in the list of tokens by first-seen time. */
export type TokenPosition = { readonly sinceLt: bigint; readonly address: Uint8Array }

export type TokenPage = {
  readonly type: TokenType
  readonly direction: 'older' | 'newer'
  /** Start right after this position, or right before. */
  readonly from: TokenPosition
  readonly limit: number
}

export type QueuedPage = {
  /** Number of tokens scanned. */
  readonly seen: number
  /** Number of tasks created. */
  readonly queued: number
  /** The last token scanned. */
  readonly last: TokenPosition | undefined
}

const orders = {
  older: { sign: '<', order: 'DESC', reverse: 'ASC' },
  newer: { sign: '>', order: 'ASC', reverse: 'DESC' },
} as const

/** Scans a page of tokens and creates a task for each without metadata, or whose content has changed. */
export const queueTokens = async (client: pg.ClientBase, page: TokenPage): Promise<QueuedPage> => {
  const { type, direction, from, limit } = page
  const { sign, order, reverse } = orders[direction]
  // Rows that are up to date are filtered out before the insert: a conflicting insert locks the row, which is a write. The fixed
  // order avoids deadlocks between two processes. OFFSET keeps the server from a full table scan, which it estimates to be faster
  // than a lookup per token.
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

/** First-seen time of the newest token. */
export const findNewestToken = async (client: pg.ClientBase, type: TokenType): Promise<bigint | undefined> => {
  const { rows } = await client.query<{ newest: bigint | null }>(`SELECT max(since_lt) AS newest FROM ${type}`)
  return rows[0]!.newest ?? undefined
}
