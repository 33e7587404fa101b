import type pg from 'pg'
import { sendNotification } from '../connect/notifications.ts'
import { type LogPosition, webhooksChannel } from './endpoints.ts'

/** Finalized events to be sent again: those after `from`, up to `until`. */
export type Replay = {
  readonly id: bigint
  readonly from: LogPosition
  readonly until: LogPosition
}

export const insertReplay = async (
  client: pg.ClientBase,
  endpointId: string,
  { from, until }: Omit<Replay, 'id'>,
  at: Date,
): Promise<bigint> => {
  const { rows } = await client.query<{ id: bigint }>(
    `INSERT INTO webhook_replays (endpoint_id, created_at, cursor_seqno, cursor_event, until_seqno, until_event)
     VALUES ($1, $2, $3, $4, $5, $6) RETURNING id`,
    [endpointId, at, from.mcSeqno, from.eventId ?? null, until.mcSeqno, until.eventId ?? null],
  )
  await sendNotification(client, webhooksChannel, endpointId)
  return rows[0]!.id
}

/** Unfinished replays of an endpoint, oldest first. */
export const listReplays = async (client: pg.ClientBase, endpointId: string): Promise<Replay[]> => {
  const { rows } = await client.query<{
    id: bigint
    cursor_seqno: number
    cursor_event: string | null
    until_seqno: number
    until_event: string | null
  }>(
    `SELECT id, cursor_seqno, cursor_event, until_seqno, until_event FROM webhook_replays WHERE endpoint_id = $1 ORDER BY id LIMIT 100`,
    [endpointId],
  )
  return rows.map((row) => ({
    id: row.id,
    from: { mcSeqno: row.cursor_seqno, eventId: row.cursor_event ?? undefined },
    until: { mcSeqno: row.until_seqno, eventId: row.until_event ?? undefined },
  }))
}

/** Moves a replay on, or ends it. */
export const moveReplay = async (client: pg.ClientBase, id: bigint, to: LogPosition | undefined): Promise<void> => {
  if (to === undefined) await client.query('DELETE FROM webhook_replays WHERE id = $1', [id])
  else
    await client.query('UPDATE webhook_replays SET cursor_seqno = $2, cursor_event = $3 WHERE id = $1', [
      id,
      to.mcSeqno,
      to.eventId ?? null,
    ])
}

export type KnownRequest = {
  readonly requestHash: Uint8Array
  /** `undefined` while it runs. */
  readonly answer: Uint8Array | undefined
}

/** How long a request may run before its idempotency key is free again: the process may have died. */
const ABANDONED_SECONDS = 60

/** Takes an idempotency key. Returns the earlier request with the same key, if there is one. */
export const beginRequest = async (
  client: pg.ClientBase,
  owner: string,
  key: string,
  requestHash: Uint8Array,
): Promise<KnownRequest | undefined> => {
  const { rowCount } = await client.query(
    `INSERT INTO webhook_requests AS r (owner, key, request_hash, created_at) VALUES ($1, $2, $3, clock_timestamp())
     ON CONFLICT (owner, key) DO UPDATE SET request_hash = excluded.request_hash, created_at = excluded.created_at
     WHERE r.answer IS NULL AND r.created_at < clock_timestamp() - make_interval(secs => ${ABANDONED_SECONDS})`,
    [owner, key, requestHash],
  )
  if (rowCount === 1) return undefined
  const { rows } = await client.query<{ request_hash: Buffer; answer: Buffer | null }>(
    'SELECT request_hash, answer FROM webhook_requests WHERE owner = $1 AND key = $2',
    [owner, key],
  )
  return rows[0] && { requestHash: rows[0].request_hash, answer: rows[0].answer ?? undefined }
}

/** Stores the answer; without one the key is free again. */
export const endRequest = async (
  client: pg.ClientBase,
  owner: string,
  key: string,
  answer: Uint8Array | undefined,
): Promise<void> => {
  if (answer === undefined)
    await client.query('DELETE FROM webhook_requests WHERE owner = $1 AND key = $2', [owner, key])
  else await client.query('UPDATE webhook_requests SET answer = $3 WHERE owner = $1 AND key = $2', [owner, key, answer])
}
