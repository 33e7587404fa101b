import type pg from 'pg'
import { sendNotification } from '../connect/notifications.ts'

/** The fields of a new key. */
type NewApiKey = Pick<
  ApiKey,
  'id' | 'hash' | 'network' | 'plan' | 'scopes' | 'owner' | 'rate' | 'note' | 'isSelfMade' | 'createdAt'
>

export const isLive = ({ revokedAt, expiresAt }: ApiKey, now: number): boolean =>
  revokedAt === undefined && (expiresAt === undefined || now < expiresAt.getTime())

type ApiKeyRow = {
  readonly id: string
  readonly hash: Buffer
  readonly network: string
  readonly plan: string
  readonly scopes: readonly string[] | null
  readonly owner: string
  readonly per_second: number | null
  readonly burst: number | null
  readonly note: string | null
  readonly is_self_made: boolean
  readonly created_at: Date
  readonly expires_at: Date | null
  readonly revoked_at: Date | null
  readonly replaced_by: string | null
}

const apiKeyColumns =
  'id, hash, network, plan, scopes, owner, per_second, burst, note, is_self_made, created_at, expires_at, revoked_at, replaced_by'

const toApiKey = (row: ApiKeyRow) => ({
  /** The public prefix of the key. */
  id: row.id,
  /** Keyed hash of the whole key. */
  hash: row.hash,
  network: row.network,
  plan: row.plan,
  /** Rights besides those of the plan; `undefined`: the default ones. */
  scopes: row.scopes ?? undefined,
  /** Keys of one owner share a budget. */
  owner: row.owner,
  /** A custom rate limit. */
  rate: row.per_second === null || row.burst === null ? undefined : { perSecond: row.per_second, burst: row.burst },
  note: row.note ?? undefined,
  /** Created on the sign-up page. */
  isSelfMade: row.is_self_made,
  createdAt: row.created_at,
  /** The key expires at this time. */
  expiresAt: row.expires_at ?? undefined,
  revokedAt: row.revoked_at ?? undefined,
  /** The key that replaced it. */
  replacedBy: row.replaced_by ?? undefined,
})

/** A stored API key. The key itself is not stored. */
export type ApiKey = Readonly<ReturnType<typeof toApiKey>>

/** The fingerprint of the secret behind the hashes of this database; stores the given one if there was none. */
export const settleSecretMark = async (client: pg.ClientBase, mark: Uint8Array): Promise<Uint8Array> => {
  // Serialised, so that two processes that start at once do not store two secrets.
  await client.query('LOCK TABLE api_key_secret IN SHARE ROW EXCLUSIVE MODE')
  const { rows } = await client.query<{ mark: Buffer }>('SELECT mark FROM api_key_secret')
  if (rows[0] !== undefined) return rows[0].mark
  await client.query('INSERT INTO api_key_secret (mark) VALUES ($1)', [mark])
  return mark
}

/** Counts a key created from an address on a day, and returns the total of that day. */
export const countSelfMade = async (client: pg.ClientBase, addressHash: Uint8Array, day: number): Promise<number> => {
  await client.query('DELETE FROM self_made_keys WHERE day < $1', [day - KEPT_DAYS])
  const { rows } = await client.query<{ count: number }>(
    `INSERT INTO self_made_keys AS s (address_hash, day, count) VALUES ($1, $2, 1)
     ON CONFLICT (address_hash, day) DO UPDATE SET count = s.count + 1 RETURNING count`,
    [addressHash, day],
  )
  return rows[0]!.count
}

const KEPT_DAYS = 7

/** Notification channel for new and changed keys. */
export const keysChannel = 'chaincenter_keys'

// An arbitrary unique lock number: "api keys" as bytes.
const LOCK_KEY = 0x6170_6920_6b65_7973n

/**
 * The number of the next change. Changes are serialised, so that a reader that has seen a change has not missed an earlier one.
 */
const nextChange = async (client: pg.ClientBase): Promise<bigint> => {
  await client.query(`SELECT pg_advisory_xact_lock(${LOCK_KEY})`)
  const { rows } = await client.query<{ next: bigint }>('SELECT coalesce(max(change), 0) + 1 AS next FROM api_keys')
  await sendNotification(client, keysChannel, '')
  return rows[0]!.next
}

export const insertKey = async (client: pg.ClientBase, key: NewApiKey): Promise<void> => {
  await client.query(
    `INSERT INTO api_keys (change, id, hash, network, plan, owner, per_second, burst, note, is_self_made, created_at, scopes)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      await nextChange(client),
      key.id,
      key.hash,
      key.network,
      key.plan,
      key.owner,
      key.rate?.perSecond ?? null,
      key.rate?.burst ?? null,
      key.note ?? null,
      key.isSelfMade,
      key.createdAt,
      key.scopes ?? null,
    ],
  )
}

/** Revokes a key; a revoked key keeps its time. `undefined` if there is no such key. */
export const revokeKey = async (client: pg.ClientBase, id: string, at: Date): Promise<ApiKey | undefined> => {
  const { rows } = await client.query<ApiKeyRow>(
    `UPDATE api_keys SET revoked_at = coalesce(revoked_at, $3), change = $2 WHERE id = $1 RETURNING ${apiKeyColumns}`,
    [id, await nextChange(client), at],
  )
  return rows[0] && toApiKey(rows[0])
}

/** Marks a key as replaced; it works until the given time. */
export const replaceKey = async (client: pg.ClientBase, id: string, by: string, until: Date): Promise<void> => {
  await client.query(`UPDATE api_keys SET expires_at = $3, replaced_by = $4, change = $2 WHERE id = $1`, [
    id,
    await nextChange(client),
    until,
    by,
  ])
}

/** All keys, the newest first. */
export const listKeys = async (client: pg.ClientBase): Promise<ApiKey[]> => {
  const { rows } = await client.query<ApiKeyRow>(
    `SELECT ${apiKeyColumns} FROM api_keys ORDER BY created_at DESC, id LIMIT ${MAX_LISTED}`,
  )
  return rows.map(toApiKey)
}

const MAX_LISTED = 10_000

export const findKey = async (client: pg.ClientBase, id: string): Promise<ApiKey | undefined> => {
  const { rows } = await client.query<ApiKeyRow>(`SELECT ${apiKeyColumns} FROM api_keys WHERE id = $1`, [id])
  return rows[0] && toApiKey(rows[0])
}

export type KeyChanges = {
  readonly keys: readonly ApiKey[]
  /** The number of the newest change, for the next call. */
  readonly last: bigint
}

/** Keys created or changed since a change; from 0 on, all that may still work. */
export const readKeyChanges = async (client: pg.ClientBase, since: bigint): Promise<KeyChanges> => {
  const { rows } = await client.query<{ readonly last: bigint } & (ApiKeyRow | { readonly id: null })>(
    `SELECT newest.last, ${apiKeyColumns}
     FROM (SELECT coalesce(max(change), 0) AS last FROM api_keys) newest
     LEFT JOIN api_keys ON change > $1
       AND ($1 > 0 OR (revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())))`,
    [since],
  )
  return { keys: rows.filter((row) => row.id !== null).map(toApiKey), last: rows[0]!.last }
}
