import type pg from 'pg'
import { type ApiKey, type ApiKeyRow, apiKeyColumns, toApiKey } from './ApiKey.ts'

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
  /** The newest change there is: what to ask from the next time. */
  readonly last: bigint
}

/** Keys that were made or changed since; from 0 on, all that may still work. */
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
