import type pg from 'pg'
import { sendNotification } from '../connect/notifications.ts'

/** Notification channel for endpoints that users changed. Payload: the id of the endpoint. */
export const webhooksChannel = 'chaincenter_webhooks'

export type WebhookState = 'active' | 'failing' | 'disabled'

/** Why an endpoint is disabled. */
export type DisabledReason = 'owner' | 'gone' | 'unreachable' | 'key_ended'

type EndpointRow = {
  readonly id: string
  readonly owner: string
  readonly key_id: string | null
  readonly url: string
  readonly description: string | null
  readonly subscription: string
  readonly ordering: string
  readonly is_thin: boolean
  readonly signature: string
  readonly public_key: string | null
  readonly secrets: Buffer
  readonly version: number
  readonly created_at: Date
  readonly updated_at: Date
  readonly state: string
  readonly disabled_reason: string | null
  readonly cursor_seqno: number | null
  readonly cursor_event: string | null
  readonly failures: number
  readonly first_failure_at: Date | null
  readonly last_success_at: Date | null
  readonly last_failure_at: Date | null
  readonly last_failure: string | null
}

const columns = `e.id, e.owner, e.key_id, e.url, e.description, e.subscription, e.ordering, e.is_thin, e.signature, e.public_key,
  e.secrets, e.version, e.created_at, e.updated_at, p.state, p.disabled_reason, p.cursor_seqno, p.cursor_event, p.failures,
  p.first_failure_at, p.last_success_at, p.last_failure_at, p.last_failure`

const joined = 'webhook_endpoints e JOIN webhook_progress p ON p.endpoint_id = e.id'

const toEndpoint = (row: EndpointRow) => ({
  id: row.id,
  owner: row.owner,
  /** The API key that made it; `undefined` for callers on the same machine. */
  keyId: row.key_id ?? undefined,
  url: row.url,
  description: row.description ?? undefined,
  /** JSON. */
  subscription: row.subscription,
  ordering: row.ordering as 'account' | 'none',
  isThin: row.is_thin,
  signature: row.signature as 'v1' | 'v1a',
  publicKey: row.public_key ?? undefined,
  /** Encrypted. */
  secrets: row.secrets as Uint8Array,
  /** Grows with every change by the owner. */
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  state: row.state as WebhookState,
  disabledReason: (row.disabled_reason ?? undefined) as DisabledReason | undefined,
  cursor: row.cursor_seqno === null ? undefined : { mcSeqno: row.cursor_seqno, eventId: row.cursor_event ?? undefined },
  /** Attempts that failed in a row. */
  failures: row.failures,
  firstFailureAt: row.first_failure_at ?? undefined,
  lastSuccessAt: row.last_success_at ?? undefined,
  lastFailureAt: row.last_failure_at ?? undefined,
  lastFailure: row.last_failure ?? undefined,
})

export type WebhookEndpoint = Readonly<ReturnType<typeof toEndpoint>>

/** A position in the log: all of a masterchain block, and an event of the next one up to which all are included. */
export type LogPosition = { readonly mcSeqno: number; readonly eventId: string | undefined }

/** What the owner sets. */
export type EndpointSettings = Pick<
  WebhookEndpoint,
  'url' | 'description' | 'subscription' | 'ordering' | 'isThin' | 'signature' | 'publicKey' | 'secrets'
>

export type NewEndpoint = EndpointSettings &
  Pick<WebhookEndpoint, 'id' | 'owner' | 'keyId' | 'cursor'> & { readonly isEnabled: boolean; readonly at: Date }

/**
 * Inserts an endpoint unless its owner has as many as allowed; then false. Two requests of one owner at a time count one after the
 * other.
 */
export const insertEndpoint = async (
  client: pg.ClientBase,
  endpoint: NewEndpoint,
  maxPerOwner: number,
): Promise<boolean> => {
  await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 15))', [endpoint.owner])
  const { rows } = await client.query<{ count: bigint }>(
    'SELECT count(*) AS count FROM webhook_endpoints WHERE owner = $1',
    [endpoint.owner],
  )
  if (rows[0]!.count >= maxPerOwner) return false
  await client.query(
    `INSERT INTO webhook_endpoints (id, owner, key_id, url, description, subscription, ordering, is_thin, signature, public_key,
       secrets, version, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 1, $12, $12)`,
    [endpoint.id, endpoint.owner, endpoint.keyId ?? null, ...settingValues(endpoint), endpoint.at],
  )
  await client.query(
    `INSERT INTO webhook_progress (endpoint_id, epoch, lease_until, cursor_seqno, cursor_event, failures, state, disabled_reason)
     VALUES ($1, 0, to_timestamp(0), $2, $3, 0, $4, $5)`,
    [
      endpoint.id,
      endpoint.cursor?.mcSeqno ?? null,
      endpoint.cursor?.eventId ?? null,
      endpoint.isEnabled ? 'active' : 'disabled',
      endpoint.isEnabled ? null : 'owner',
    ],
  )
  await sendNotification(client, webhooksChannel, endpoint.id)
  return true
}

const settingValues = (settings: EndpointSettings) => [
  settings.url,
  settings.description ?? null,
  settings.subscription,
  settings.ordering,
  settings.isThin,
  settings.signature,
  settings.publicKey ?? null,
  settings.secrets,
]

/** Replaces the settings of an endpoint if it still has this version. */
export const updateEndpoint = async (
  client: pg.ClientBase,
  { id, version }: Pick<WebhookEndpoint, 'id' | 'version'>,
  settings: EndpointSettings,
  at: Date,
): Promise<boolean> => {
  const { rowCount } = await client.query(
    `UPDATE webhook_endpoints SET url = $3, description = $4, subscription = $5, ordering = $6, is_thin = $7, signature = $8,
       public_key = $9, secrets = $10, version = version + 1, updated_at = $11
     WHERE id = $1 AND version = $2`,
    [id, version, ...settingValues(settings), at],
  )
  if (rowCount === 1) await sendNotification(client, webhooksChannel, id)
  return rowCount === 1
}

/** Deletes an endpoint with all its deliveries. */
export const deleteEndpoint = async (client: pg.ClientBase, id: string): Promise<void> => {
  await client.query('DELETE FROM webhook_progress WHERE endpoint_id = $1', [id])
  await client.query('DELETE FROM webhook_deliveries WHERE endpoint_id = $1', [id])
  await client.query('DELETE FROM webhook_lanes WHERE endpoint_id = $1', [id])
  await client.query('DELETE FROM webhook_replays WHERE endpoint_id = $1', [id])
  await client.query('DELETE FROM webhook_endpoints WHERE id = $1', [id])
  await sendNotification(client, webhooksChannel, id)
}

/** By the owner. Without a position it goes on from where it stopped. */
export const enableEndpoint = async (
  client: pg.ClientBase,
  id: string,
  from: LogPosition | undefined,
): Promise<void> => {
  await client.query(
    `UPDATE webhook_progress SET state = 'active', disabled_reason = NULL, failures = 0, first_failure_at = NULL,
       cursor_seqno = coalesce($2, cursor_seqno), cursor_event = CASE WHEN $2 IS NULL THEN cursor_event ELSE $3 END
     WHERE endpoint_id = $1`,
    [id, from?.mcSeqno ?? null, from?.eventId ?? null],
  )
  // What waited is due at once.
  await client.query(
    `UPDATE webhook_deliveries SET next_attempt_at = created_at WHERE endpoint_id = $1 AND state = 'waiting'`,
    [id],
  )
  await sendNotification(client, webhooksChannel, id)
}

/** False if it was disabled before. */
export const disableEndpoint = async (client: pg.ClientBase, id: string, reason: DisabledReason): Promise<boolean> => {
  const { rowCount } = await client.query(
    `UPDATE webhook_progress SET state = 'disabled', disabled_reason = $2 WHERE endpoint_id = $1 AND state <> 'disabled'`,
    [id, reason],
  )
  if (rowCount === 1) await sendNotification(client, webhooksChannel, id)
  return rowCount === 1
}

export const findEndpoint = async (client: pg.ClientBase, id: string): Promise<WebhookEndpoint | undefined> => {
  const { rows } = await client.query<EndpointRow>(`SELECT ${columns} FROM ${joined} WHERE e.id = $1`, [id])
  return rows[0] && toEndpoint(rows[0])
}

/** A page of endpoints of an owner, oldest first, after an endpoint of it. */
export const listEndpoints = async (
  client: pg.ClientBase,
  owner: string,
  { limit, after }: { readonly limit: number; readonly after?: string | undefined },
): Promise<WebhookEndpoint[]> => {
  const { rows } = await client.query<EndpointRow>(
    `SELECT ${columns} FROM ${joined} WHERE e.owner = $1
       AND ($2::text IS NULL OR (e.created_at, e.id) > (SELECT created_at, id FROM webhook_endpoints WHERE id = $2 AND owner = $1))
     ORDER BY e.created_at, e.id LIMIT $3`,
    [owner, after ?? null, limit],
  )
  return rows.map(toEndpoint)
}

/**
 * Endpoints whose API key has ended. An endpoint of a key that was replaced goes over to the new key.
 */
export const listOrphans = async (client: pg.ClientBase, at: Date): Promise<readonly string[]> => {
  await client.query(
    `UPDATE webhook_endpoints e SET key_id = k.replaced_by FROM api_keys k
     WHERE k.id = e.key_id AND k.replaced_by IS NOT NULL AND k.revoked_at IS NULL`,
  )
  const { rows } = await client.query<{ id: string }>(
    `SELECT e.id FROM ${joined} JOIN api_keys k ON k.id = e.key_id
     WHERE p.state <> 'disabled' AND (k.revoked_at IS NOT NULL OR k.expires_at <= $1)`,
    [at],
  )
  return rows.map(({ id }) => id)
}

/** The network was reverted to a masterchain block: later events are void, and others will come. */
export const rewindCursors = async (client: pg.ClientBase, mcSeqno: number): Promise<void> => {
  await client.query(
    `UPDATE webhook_progress SET cursor_seqno = $1, cursor_event = NULL
     WHERE cursor_seqno > $1 OR (cursor_seqno = $1 AND cursor_event IS NOT NULL)`,
    [mcSeqno],
  )
  await client.query('DELETE FROM webhook_replays')
  await client.query('DELETE FROM webhook_deliveries WHERE mc_seqno > $1', [mcSeqno])
  await sendNotification(client, webhooksChannel, '')
}
