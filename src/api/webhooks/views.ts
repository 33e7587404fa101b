import { type Static, Type } from 'typebox'
import type { Delivery } from '../../store/webhooks/deliveries.ts'
import type { Attempt } from '../../webhooks/callOut.ts'
import type { ShownEndpoint } from '../../webhooks/WebhookService.ts'

const Nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()])
const Time = (description: string) => Nullable(Type.String({ description, examples: ['2026-01-01T00:00:00.000Z'] }))

export const EndpointView = Type.Object(
  {
    id: Type.String({ examples: ['we_2f9c4e1b7a60d835'] }),
    url: Type.String(),
    description: Nullable(Type.String()),
    subscription: Type.Object({}, { additionalProperties: true, description: 'As it was given.' }),
    ordering: Type.Union([Type.Literal('account'), Type.Literal('none')]),
    thin: Type.Boolean(),
    signature: Type.Union([Type.Literal('v1'), Type.Literal('v1a')]),
    public_key: Nullable(Type.String({ description: 'With `v1a`: whpk_ and the base64 of an Ed25519 key.' })),
    state: Type.Union([Type.Literal('active'), Type.Literal('failing'), Type.Literal('disabled')]),
    disabled_reason: Nullable(
      Type.Union([Type.Literal('owner'), Type.Literal('gone'), Type.Literal('unreachable'), Type.Literal('key_ended')]),
    ),
    version: Type.Integer({ description: 'Grows with every change; the ETag.' }),
    position: Nullable(
      Type.Object({
        mc_seqno: Type.Integer({ description: 'Deliveries exist for all events up to this masterchain block.' }),
        event_id: Nullable(Type.String({ description: 'And up to this event of the next one.' })),
      }),
    ),
    lag: Type.Object({
      waiting: Type.Integer({ description: 'Deliveries that wait.' }),
      dead: Type.Integer({ description: 'Deliveries that died in the last 30 days.' }),
      oldest: Time('Time of the oldest event that waits.'),
    }),
    last_success_at: Time('Of the last delivery.'),
    last_failure: Nullable(Type.Object({ at: Type.String(), error: Type.String() })),
    created_at: Type.String(),
    updated_at: Type.String(),
  },
  { $id: 'WebhookEndpoint' },
)

export const toEndpointView = ({ endpoint, backlog }: ShownEndpoint): Static<typeof EndpointView> => ({
  id: endpoint.id,
  url: endpoint.url,
  description: endpoint.description ?? null,
  subscription: JSON.parse(endpoint.subscription) as Record<string, never>,
  ordering: endpoint.ordering,
  thin: endpoint.isThin,
  signature: endpoint.signature,
  public_key: endpoint.publicKey ?? null,
  state: endpoint.state,
  disabled_reason: endpoint.disabledReason ?? null,
  version: endpoint.version,
  position:
    endpoint.cursor === undefined
      ? null
      : { mc_seqno: endpoint.cursor.mcSeqno, event_id: endpoint.cursor.eventId ?? null },
  lag: { waiting: backlog.waiting, dead: backlog.dead, oldest: backlog.oldest?.toISOString() ?? null },
  last_success_at: endpoint.lastSuccessAt?.toISOString() ?? null,
  last_failure:
    endpoint.lastFailureAt === undefined
      ? null
      : { at: endpoint.lastFailureAt.toISOString(), error: endpoint.lastFailure ?? 'unknown' },
  created_at: endpoint.createdAt.toISOString(),
  updated_at: endpoint.updatedAt.toISOString(),
})

export const AttemptView = Type.Object(
  {
    ok: Type.Boolean({ description: 'The status was 2xx.' }),
    status: Nullable(Type.Integer()),
    duration_ms: Type.Integer(),
    error: Nullable(Type.String({ description: 'Why there was no response.' })),
    body: Type.String({ description: 'The first KiB of the response.' }),
  },
  { $id: 'WebhookTest' },
)

export const toAttemptView = (attempt: Attempt): Static<typeof AttemptView> => ({
  ok: attempt.status !== undefined && attempt.status >= 200 && attempt.status < 300,
  status: attempt.status ?? null,
  duration_ms: attempt.durationMs,
  error: attempt.error ?? null,
  body: attempt.body,
})

export const DeliveryView = Type.Object(
  {
    id: Type.String({ examples: ['wd_0c5a3b1f9d2e4876a1b2'] }),
    event_id: Type.String({ description: 'The header webhook-id.' }),
    type: Type.String({ examples: ['transactions'] }),
    lane: Type.String({ description: 'The account; deliveries of one lane are sent one after the other.' }),
    sequence: Nullable(Type.Integer({ description: 'Counts deliveries of the lane; null for replays.' })),
    replayed: Type.Boolean(),
    state: Type.Union([
      Type.Literal('waiting'),
      Type.Literal('delivered'),
      Type.Literal('dead'),
      Type.Literal('dropped'),
    ]),
    attempts: Type.Integer({ description: 'All attempts.' }),
    log: Type.Array(
      Type.Object({
        at: Type.String(),
        status: Nullable(Type.Integer()),
        duration_ms: Type.Integer(),
        error: Nullable(Type.String()),
      }),
      { description: 'The newest attempts, at most 20, oldest first.' },
    ),
    next_attempt_at: Time('Of a delivery that waits.'),
    created_at: Type.String(),
    finished_at: Time('When it was delivered or died.'),
  },
  { $id: 'WebhookDelivery' },
)

export const toDeliveryView = (delivery: Delivery): Static<typeof DeliveryView> => ({
  id: delivery.id,
  event_id: delivery.eventId,
  type: delivery.type,
  lane: delivery.lane,
  sequence: delivery.sequence === undefined ? null : Number(delivery.sequence),
  replayed: delivery.isReplay,
  state: delivery.state,
  attempts: delivery.attempts,
  log: delivery.log.map(({ at, status, duration_ms, error }) => ({ at, status, duration_ms, error })),
  next_attempt_at: delivery.state === 'waiting' ? (delivery.nextAttemptAt?.toISOString() ?? null) : null,
  created_at: delivery.createdAt.toISOString(),
  finished_at: delivery.finishedAt?.toISOString() ?? null,
})
