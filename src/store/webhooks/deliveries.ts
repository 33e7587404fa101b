import type pg from 'pg'
import { sendNotification } from '../connect/notifications.ts'
import { type LogPosition, type WebhookState, webhooksChannel } from './endpoints.ts'

export type DeliveryState = 'waiting' | 'delivered' | 'dead' | 'dropped'

/** An attempt, as its owner sees it. */
export type AttemptRecord = {
  readonly at: string
  readonly status: number | null
  readonly duration_ms: number
  readonly error: string | null
}

/** An event to be sent. */
export type NewDelivery = {
  readonly id: string
  readonly eventId: string
  readonly type: string
  readonly lane: string
  /** Unix milliseconds: time of the block. */
  readonly eventAt: number
  readonly mcSeqno: number
  readonly isSpeculative: boolean
  /** The rendered event: JSON. */
  readonly data: string
}

/** A delivery that waits, without its content. */
export type WaitingDelivery = {
  readonly id: string
  readonly number: bigint
  readonly lane: string
  readonly tries: number
  readonly attempts: number
  readonly isSpeculative: boolean
  /** Unix milliseconds. */
  readonly createdAt: number
  readonly nextAttemptAt: number
}

type Batch = {
  readonly endpointId: string
  /** 0 for the first time. */
  readonly replay: bigint
  readonly at: Date
}

/**
 * Stores deliveries, in order. Events that have one are left out. The first delivery of a finalized event gets the next number of its
 * lane; the caller holds the endpoint, so numbers have no holes. Returns the stored ones.
 */
export const insertDeliveries = async (
  client: pg.ClientBase,
  { endpointId, replay, at }: Batch,
  deliveries: readonly NewDelivery[],
): Promise<readonly NewDelivery[]> => {
  if (deliveries.length === 0) return []
  const { rows: known } = await client.query<{ event_id: string }>(
    'SELECT event_id FROM webhook_deliveries WHERE endpoint_id = $1 AND replay = $2 AND event_id = ANY($3)',
    [endpointId, replay, deliveries.map(({ eventId }) => eventId)],
  )
  const seen = new Set(known.map(({ event_id: id }) => id))
  const fresh = deliveries.filter(({ eventId }) => !seen.has(eventId) && seen.add(eventId))
  if (fresh.length === 0) return []
  const numbered = replay === 0n ? await numberInLanes(client, endpointId, fresh, at) : fresh.map(withoutNumber)
  await client.query(
    `INSERT INTO webhook_deliveries (endpoint_id, replay, created_at, next_attempt_at, attempts, tries, state, log, id, event_id, type,
       lane, event_at, mc_seqno, is_speculative, sequence, previous_id, data)
     SELECT $1, $2, $3, $3, 0, 0, 'waiting', '[]', id, event_id, type, lane, event_at, mc_seqno, is_speculative, sequence, previous_id,
       data
     FROM unnest($4::text[], $5::text[], $6::text[], $7::text[], $8::timestamptz[], $9::int[], $10::boolean[], $11::bigint[],
       $12::text[], $13::text[]) WITH ORDINALITY
       AS d (id, event_id, type, lane, event_at, mc_seqno, is_speculative, sequence, previous_id, data, position)
     ORDER BY position`,
    [
      endpointId,
      replay,
      at,
      numbered.map(({ id }) => id),
      numbered.map(({ eventId }) => eventId),
      numbered.map(({ type }) => type),
      numbered.map(({ lane }) => lane),
      numbered.map(({ eventAt }) => new Date(eventAt)),
      numbered.map(({ mcSeqno }) => mcSeqno),
      numbered.map(({ isSpeculative }) => isSpeculative),
      numbered.map(({ sequence }) => sequence),
      numbered.map(({ previousId }) => previousId),
      numbered.map(({ data }) => data),
    ],
  )
  return fresh
}

type Numbered = NewDelivery & { readonly sequence: bigint | null; readonly previousId: string | null }

const withoutNumber = (delivery: NewDelivery): Numbered => ({ ...delivery, sequence: null, previousId: null })

type Lane = { readonly sequence: bigint; readonly last_event_id: string }

const numberInLanes = async (
  client: pg.ClientBase,
  endpointId: string,
  deliveries: readonly NewDelivery[],
  at: Date,
): Promise<Numbered[]> => {
  const counted = deliveries.filter(({ isSpeculative }) => !isSpeculative)
  const { rows } = await client.query<Lane & { lane: string }>(
    'SELECT lane, sequence, last_event_id FROM webhook_lanes WHERE endpoint_id = $1 AND lane = ANY($2)',
    [endpointId, [...new Set(counted.map(({ lane }) => lane))]],
  )
  const lanes = new Map<string, Lane>(rows.map((row) => [row.lane, row]))
  const changed = new Set<string>()
  const numbered = deliveries.map((delivery): Numbered => {
    if (delivery.isSpeculative) return withoutNumber(delivery)
    const before = lanes.get(delivery.lane)
    const sequence = (before?.sequence ?? 0n) + 1n
    lanes.set(delivery.lane, { sequence, last_event_id: delivery.eventId })
    changed.add(delivery.lane)
    return { ...delivery, sequence, previousId: before?.last_event_id ?? null }
  })
  const names = [...changed]
  await client.query(
    `INSERT INTO webhook_lanes (endpoint_id, updated_at, lane, sequence, last_event_id)
     SELECT $1, $2, lane, sequence, event_id FROM unnest($3::text[], $4::bigint[], $5::text[]) AS l (lane, sequence, event_id)
     ON CONFLICT (endpoint_id, lane) DO UPDATE
     SET updated_at = excluded.updated_at, sequence = excluded.sequence, last_event_id = excluded.last_event_id`,
    [
      endpointId,
      at,
      names,
      names.map((lane) => lanes.get(lane)!.sequence),
      names.map((lane) => lanes.get(lane)!.last_event_id),
    ],
  )
  return numbered
}

export const moveCursor = async (client: pg.ClientBase, endpointId: string, to: LogPosition): Promise<void> => {
  await client.query('UPDATE webhook_progress SET cursor_seqno = $2, cursor_event = $3 WHERE endpoint_id = $1', [
    endpointId,
    to.mcSeqno,
    to.eventId ?? null,
  ])
}

/** The oldest waiting deliveries of an endpoint, in order. */
export const listWaiting = async (
  client: pg.ClientBase,
  endpointId: string,
  limit: number,
): Promise<WaitingDelivery[]> => {
  const { rows } = await client.query<{
    id: string
    number: bigint
    lane: string
    tries: number
    attempts: number
    is_speculative: boolean
    created_at: Date
    next_attempt_at: Date | null
  }>(
    `SELECT id, number, lane, tries, attempts, is_speculative, created_at, next_attempt_at FROM webhook_deliveries
     WHERE endpoint_id = $1 AND state = 'waiting' ORDER BY number LIMIT $2`,
    [endpointId, limit],
  )
  return rows.map((row) => ({
    id: row.id,
    number: row.number,
    lane: row.lane,
    tries: row.tries,
    attempts: row.attempts,
    isSpeculative: row.is_speculative,
    createdAt: row.created_at.getTime(),
    nextAttemptAt: row.next_attempt_at?.getTime() ?? 0,
  }))
}

/** Bytes of the contents that wait. */
export const sumWaiting = async (client: pg.ClientBase, endpointId: string): Promise<number> => {
  const { rows } = await client.query<{ bytes: number }>(
    `SELECT coalesce(sum(octet_length(data)), 0)::float8 AS bytes FROM webhook_deliveries
     WHERE endpoint_id = $1 AND state = 'waiting'`,
    [endpointId],
  )
  return rows[0]!.bytes
}

type DeliveryRow = {
  readonly number: bigint
  readonly id: string
  readonly endpoint_id: string
  readonly event_id: string
  readonly type: string
  readonly lane: string
  readonly sequence: bigint | null
  readonly previous_id: string | null
  readonly replay: bigint
  readonly state: string
  readonly attempts: number
  readonly is_speculative: boolean
  readonly mc_seqno: number
  readonly created_at: Date
  readonly event_at: Date
  readonly next_attempt_at: Date | null
  readonly finished_at: Date | null
  readonly log: AttemptRecord[]
}

const columns = `number, id, endpoint_id, event_id, type, lane, sequence, previous_id, replay, state, attempts, is_speculative, mc_seqno,
  created_at, event_at, next_attempt_at, finished_at, log`

const toDelivery = (row: DeliveryRow) => ({
  number: row.number,
  id: row.id,
  endpointId: row.endpoint_id,
  eventId: row.event_id,
  type: row.type,
  lane: row.lane,
  sequence: row.sequence ?? undefined,
  previousId: row.previous_id ?? undefined,
  isReplay: row.replay !== 0n,
  state: row.state as DeliveryState,
  attempts: row.attempts,
  isSpeculative: row.is_speculative,
  mcSeqno: row.mc_seqno,
  createdAt: row.created_at,
  eventAt: row.event_at,
  nextAttemptAt: row.next_attempt_at ?? undefined,
  finishedAt: row.finished_at ?? undefined,
  /** The newest attempts, oldest first. */
  log: row.log as readonly AttemptRecord[],
})

export type Delivery = Readonly<ReturnType<typeof toDelivery>>

/** A delivery with its content, which is gone once it was delivered. */
export type DeliveryContent = Delivery & { readonly data: string | undefined }

export const findDelivery = async (client: pg.ClientBase, id: string): Promise<DeliveryContent | undefined> => {
  const { rows } = await client.query<DeliveryRow & { data: string | null }>(
    `SELECT ${columns}, data FROM webhook_deliveries WHERE id = $1`,
    [id],
  )
  return rows[0] && { ...toDelivery(rows[0]), data: rows[0].data ?? undefined }
}

export type DeliveryPage = {
  readonly state?: DeliveryState | undefined
  readonly limit: number
  /** Only deliveries before this number. */
  readonly before?: bigint | undefined
}

/** Deliveries of an endpoint, newest first. */
export const listDeliveries = async (
  client: pg.ClientBase,
  endpointId: string,
  { state, limit, before }: DeliveryPage,
): Promise<Delivery[]> => {
  const { rows } = await client.query<DeliveryRow>(
    `SELECT ${columns} FROM webhook_deliveries
     WHERE endpoint_id = $1 AND ($2::text IS NULL OR state = $2) AND ($3::bigint IS NULL OR number < $3)
     ORDER BY number DESC LIMIT $4`,
    [endpointId, state ?? null, before ?? null, limit],
  )
  return rows.map(toDelivery)
}

export type Backlog = { readonly waiting: number; readonly dead: number; readonly oldest: Date | undefined }

/** What waits and what died, by endpoint. */
export const readBacklogs = async (
  client: pg.ClientBase,
  endpointIds: readonly string[],
): Promise<ReadonlyMap<string, Backlog>> => {
  const { rows } = await client.query<{ id: string; waiting: bigint; dead: bigint; oldest: Date | null }>(
    `SELECT id, w.waiting, d.dead, w.oldest FROM unnest($1::text[]) AS e (id)
     CROSS JOIN LATERAL (SELECT count(*) AS waiting, min(event_at) AS oldest FROM webhook_deliveries
       WHERE endpoint_id = e.id AND state = 'waiting') w
     CROSS JOIN LATERAL (SELECT count(*) AS dead FROM webhook_deliveries WHERE endpoint_id = e.id AND state = 'dead') d`,
    [endpointIds],
  )
  return new Map(
    rows.map(({ id, waiting, dead, oldest }) => [
      id,
      { waiting: Number(waiting), dead: Number(dead), oldest: oldest ?? undefined },
    ]),
  )
}

/** What became of an attempt. */
export type Outcome = {
  readonly state: DeliveryState
  /** With `waiting`. */
  readonly nextAttemptAt: Date | undefined
  readonly attempt: AttemptRecord
  readonly at: Date
}

/** The endpoint after an attempt. */
export type Progress = {
  readonly state: WebhookState
  readonly failures: number
  readonly firstFailureAt: number | undefined
}

/** Attempts that a delivery remembers. */
const LOGGED_ATTEMPTS = 20

/** Stores an attempt. The caller holds the endpoint. An endpoint that succeeds again is active again, and all that waits is due. */
export const storeOutcome = async (
  client: pg.ClientBase,
  endpointId: string,
  deliveryId: string,
  { state, nextAttemptAt, attempt, at }: Outcome,
  failingAfter: number,
): Promise<Progress> => {
  await client.query(
    `UPDATE webhook_deliveries SET state = $2, next_attempt_at = $3, attempts = attempts + 1, tries = tries + 1,
       finished_at = CASE WHEN $2 = 'waiting' THEN NULL ELSE $4::timestamptz END,
       data = CASE WHEN $2 IN ('delivered', 'dropped') THEN NULL ELSE data END,
       log = (CASE WHEN jsonb_array_length(log) >= ${LOGGED_ATTEMPTS} THEN log - 0 ELSE log END) || $5::jsonb
     WHERE id = $1`,
    [deliveryId, state, nextAttemptAt ?? null, at, JSON.stringify([attempt])],
  )
  if (state === 'delivered') {
    const { rows } = await client.query<{ state: string; was: string }>(
      `UPDATE webhook_progress p SET failures = 0, first_failure_at = NULL, last_success_at = $2,
         state = CASE WHEN p.state = 'failing' THEN 'active' ELSE p.state END
       FROM webhook_progress o WHERE p.endpoint_id = $1 AND o.endpoint_id = $1 RETURNING p.state, o.state AS was`,
      [endpointId, at],
    )
    if (rows[0]?.was === 'failing') {
      await client.query(
        `UPDATE webhook_deliveries SET next_attempt_at = $2 WHERE endpoint_id = $1 AND state = 'waiting' AND next_attempt_at > $2`,
        [endpointId, at],
      )
    }
    return { state: (rows[0]?.state ?? 'disabled') as WebhookState, failures: 0, firstFailureAt: undefined }
  }
  const { rows } = await client.query<{ state: string; failures: number; first_failure_at: Date }>(
    `UPDATE webhook_progress SET failures = failures + 1, first_failure_at = coalesce(first_failure_at, $2), last_failure_at = $2,
       last_failure = $3, state = CASE WHEN state = 'active' AND failures + 1 >= $4 THEN 'failing' ELSE state END
     WHERE endpoint_id = $1 RETURNING state, failures, first_failure_at`,
    [endpointId, at, describeAttempt(attempt), failingAfter],
  )
  const row = rows[0]
  return {
    state: (row?.state ?? 'disabled') as WebhookState,
    failures: row?.failures ?? 0,
    firstFailureAt: row?.first_failure_at.getTime(),
  }
}

const describeAttempt = ({ status, error }: AttemptRecord): string => error ?? `status ${status}`

/** Queues a delivery again, at once. `data` is its content if it was delivered before. */
export const requeueDelivery = async (
  client: pg.ClientBase,
  { id, endpointId }: Pick<Delivery, 'id' | 'endpointId'>,
  data: string,
  at: Date,
): Promise<void> => {
  await client.query(
    `UPDATE webhook_deliveries SET state = 'waiting', next_attempt_at = $2, tries = 0, finished_at = NULL, data = coalesce(data, $3)
     WHERE id = $1`,
    [id, at, data],
  )
  await sendNotification(client, webhooksChannel, endpointId)
}

/** Queues all dead deliveries of an endpoint again, oldest first. Returns how many. */
export const requeueDead = async (client: pg.ClientBase, endpointId: string, at: Date): Promise<number> => {
  const { rowCount } = await client.query(
    `UPDATE webhook_deliveries SET state = 'waiting', next_attempt_at = $2, tries = 0, finished_at = NULL
     WHERE endpoint_id = $1 AND state = 'dead'`,
    [endpointId, at],
  )
  await sendNotification(client, webhooksChannel, endpointId)
  return rowCount ?? 0
}

/** Rows that one statement of a cleanup deletes. */
const CLEANED_ROWS = 5000

/** Deletes deliveries that ended before a time, and idempotency keys before another. There may be more. */
export const cleanOldRows = async (
  client: pg.ClientBase,
  { deliveriesBefore, requestsBefore }: { readonly deliveriesBefore: Date; readonly requestsBefore: Date },
): Promise<void> => {
  await client.query('DELETE FROM webhook_requests WHERE created_at < $1', [requestsBefore])
  await client.query(
    `DELETE FROM webhook_deliveries WHERE id IN (
       SELECT id FROM webhook_deliveries WHERE finished_at < $1 AND state <> 'waiting' LIMIT ${CLEANED_ROWS})`,
    [deliveriesBefore],
  )
}

/** Rows per endpoint. */
export type RowLimits = { readonly finished: number; readonly dead: number; readonly lanes: number }

/** Deletes the oldest rows of endpoints that have too many. */
export const cleanExcessRows = async (client: pg.ClientBase, limits: RowLimits): Promise<void> => {
  for (const [states, most] of [
    [['delivered', 'dropped'], limits.finished],
    [['dead'], limits.dead],
  ] as const) {
    await client.query(
      `DELETE FROM webhook_deliveries WHERE id IN (
         SELECT d.id FROM webhook_endpoints e CROSS JOIN LATERAL (
           SELECT id FROM webhook_deliveries WHERE endpoint_id = e.id AND state = ANY($1) ORDER BY number DESC OFFSET $2) d)`,
      [states, most],
    )
  }
  await client.query(
    `DELETE FROM webhook_lanes l USING (
       SELECT e.id, o.lane FROM webhook_endpoints e CROSS JOIN LATERAL (
         SELECT lane FROM webhook_lanes WHERE endpoint_id = e.id ORDER BY updated_at DESC, lane OFFSET $1) o) x
     WHERE l.endpoint_id = x.id AND l.lane = x.lane`,
    [limits.lanes],
  )
}
