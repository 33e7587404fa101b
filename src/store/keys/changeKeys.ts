import type pg from 'pg'
import { sendHint } from '../notify/sendHint.ts'
import { type ApiKey, type ApiKeyRow, apiKeyColumns, type NewApiKey, toApiKey } from './ApiKey.ts'

/** Tells that keys were made or changed. */
export const keysChannel = 'chaincenter_keys'

// Any number that nobody else takes: "api keys" as bytes.
const LOCK_KEY = 0x6170_6920_6b65_7973n

/**
 * The number of the next change. Those who change keys do it one after another, so that nobody who has seen a change comes to miss
 * an earlier one.
 */
const nextChange = async (client: pg.ClientBase): Promise<bigint> => {
  await client.query(`SELECT pg_advisory_xact_lock(${LOCK_KEY})`)
  const { rows } = await client.query<{ next: bigint }>('SELECT coalesce(max(change), 0) + 1 AS next FROM api_keys')
  await sendHint(client, keysChannel, '')
  return rows[0]!.next
}

export const insertKey = async (client: pg.ClientBase, key: NewApiKey): Promise<void> => {
  await client.query(
    `INSERT INTO api_keys (change, id, hash, network, plan, owner, per_second, burst, note, is_self_made, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
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
    ],
  )
}

/** Ends a key at once; one that has been ended stays so since then. `undefined` where there is no such key. */
export const revokeKey = async (client: pg.ClientBase, id: string, at: Date): Promise<ApiKey | undefined> => {
  const { rows } = await client.query<ApiKeyRow>(
    `UPDATE api_keys SET revoked_at = coalesce(revoked_at, $3), change = $2 WHERE id = $1 RETURNING ${apiKeyColumns}`,
    [id, await nextChange(client), at],
  )
  return rows[0] && toApiKey(rows[0])
}

/** Lets a key work until a time, while another has taken its place. */
export const replaceKey = async (client: pg.ClientBase, id: string, by: string, until: Date): Promise<void> => {
  await client.query(`UPDATE api_keys SET expires_at = $3, replaced_by = $4, change = $2 WHERE id = $1`, [
    id,
    await nextChange(client),
    until,
    by,
  ])
}
