import type pg from 'pg'

/** Requests of a key to an endpoint on a day. */
export type KeyUsage = {
  readonly keyId: string
  readonly endpoint: string
  /** Days since 1970, UTC. */
  readonly day: number
  readonly requests: number
  /** Requests refused by the rate limit. */
  readonly refused: number
  /** Requests that failed with a server error. */
  readonly failed: number
}

export const dayOf = (ms: number): number => Math.floor(ms / 86_400_000)

/** Adds to the counters, in a fixed order so that two processes cannot deadlock. */
export const addUsage = async (client: pg.ClientBase, usage: readonly KeyUsage[]): Promise<void> => {
  const pick = <T>(of: (each: KeyUsage) => T): T[] => usage.map(of)
  await client.query(
    `INSERT INTO api_key_usage AS u (key_id, endpoint, day, requests, refused, failed)
     SELECT key_id, endpoint, day, requests, refused, failed
     FROM unnest($1::text[], $2::text[], $3::int[], $4::bigint[], $5::bigint[], $6::bigint[])
       AS added (key_id, endpoint, day, requests, refused, failed)
     ORDER BY key_id COLLATE "C", day, endpoint COLLATE "C"
     ON CONFLICT (key_id, day, endpoint) DO UPDATE SET requests = u.requests + excluded.requests,
       refused = u.refused + excluded.refused, failed = u.failed + excluded.failed`,
    [
      pick(({ keyId }) => keyId),
      pick(({ endpoint }) => endpoint),
      pick(({ day }) => day),
      pick(({ requests }) => requests),
      pick(({ refused }) => refused),
      pick(({ failed }) => failed),
    ],
  )
}

export type UsageSum = Omit<KeyUsage, 'day'> & { readonly lastDay: number }

type SumRow = {
  readonly key_id: string
  readonly endpoint: string
  readonly last_day: number
  readonly requests: bigint
  readonly refused: bigint
  readonly failed: bigint
}

/** Usage from a day on by key and endpoint, most requests first; of one key if given. */
export const sumUsage = async (client: pg.ClientBase, fromDay: number, keyId?: string): Promise<UsageSum[]> => {
  const { rows } = await client.query<SumRow>(
    `SELECT key_id, endpoint, max(day) AS last_day, sum(requests)::bigint AS requests, sum(refused)::bigint AS refused,
       sum(failed)::bigint AS failed
     FROM api_key_usage WHERE day >= $1 AND ($2::text IS NULL OR key_id = $2)
     GROUP BY key_id, endpoint ORDER BY requests DESC, key_id, endpoint LIMIT 10000`,
    [fromDay, keyId ?? null],
  )
  return rows.map((row) => ({
    keyId: row.key_id,
    endpoint: row.endpoint,
    lastDay: row.last_day,
    requests: Number(row.requests),
    refused: Number(row.refused),
    failed: Number(row.failed),
  }))
}
