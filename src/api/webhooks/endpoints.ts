import { type Static, Type } from 'typebox'
import { ParseError } from '../../primitives/errors.ts'
import type { EndpointChanges } from '../../webhooks/WebhookService.ts'
import { stringifyJson } from '../core/json/stringifyJson.ts'
import { optional, param, withDefault } from '../core/params.ts'
import { AttemptView, DeliveryView, EndpointView, toAttemptView, toDeliveryView, toEndpointView } from './views.ts'
import { doOnce, entityTag, findOwner, readIfMatch, webhooksEndpoint } from './WebhooksContext.ts'

const MAX_SUBSCRIPTION = 1 << 20
const TAGS = ['webhooks']
/** A test may take 15 s. */
const TIMEOUT_MS = 30_000
const IDEMPOTENT = 'Takes an Idempotency-Key header: a repeated request within 24 hours gets the first answer.'

const idParam = (prefix: string, what: string) =>
  param(Type.String({ description: `Id of the ${what}.`, pattern: `^${prefix}_[0-9a-f]{1,40}$` }))
const EndpointId = idParam('we', 'endpoint')
const DeliveryId = idParam('wd', 'delivery')

const SinceParam = param(
  Type.Union(
    [
      Type.String(),
      Type.Object({ mc_seqno: Type.Integer({ minimum: 0 }) }, { additionalProperties: false }),
      Type.Object({ utime: Type.Integer({ minimum: 0 }) }, { additionalProperties: false }),
    ],
    {
      description:
        'Events after this: an event id, `{"mc_seqno": N}` (after all events of a masterchain block), `{"utime": T}`, or `"head"`.',
    },
  ),
)

const UrlParam = param(
  Type.String({
    description: 'Where events are sent: an https URL.',
    maxLength: 2048,
    examples: ['https://example.org/hook'],
  }),
)
const SubscriptionParam = param(
  Type.Object(
    {},
    {
      additionalProperties: true,
      description:
        'Which events: the fields of a streaming subscription, extended, without `since`. `deliver` is `transaction` by default.',
      examples: [{ types: ['transactions'], addresses: ['EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'] }],
    },
  ),
  (value): string => {
    const json = stringifyJson(value)
    if (json.length > MAX_SUBSCRIPTION)
      throw new ParseError(`a subscription of at most ${MAX_SUBSCRIPTION} bytes`, json)
    for (const name of ['since', 'until']) {
      if (Object.hasOwn(value, name)) throw new ParseError(`a subscription without ${name}`, json)
    }
    return json
  },
)
const fields = {
  url: optional(UrlParam),
  subscription: optional(SubscriptionParam),
  description: optional(param(Type.String({ maxLength: 1000 }))),
  headers: optional(
    param(
      Type.Record(Type.String(), Type.String(), {
        description: 'Further request headers, at most 10; they are stored encrypted and never shown.',
        examples: [{ authorization: 'Bearer …' }],
      }),
    ),
  ),
  ordering: optional(
    param(
      Type.Union([Type.Literal('account'), Type.Literal('none')], {
        description: 'Whether events of an account are sent one after the other. Default: account.',
      }),
    ),
  ),
  thin: optional(param(Type.Boolean({ description: 'Sends a link instead of the event.' }))),
  signature: optional(
    param(
      Type.Union([Type.Literal('v1'), Type.Literal('v1a')], {
        description: 'HMAC-SHA256 with a shared secret (v1, the default), or Ed25519 (v1a).',
      }),
    ),
  ),
  enabled: optional(param(Type.Boolean())),
  since: optional(SinceParam),
}

const Secret = Type.Optional(
  Type.String({ description: 'The secret of `v1`, shown this once: whsec_ and the base64 of 32 bytes.' }),
)
const CreatedView = Type.Object(
  { ...EndpointView.properties, secret: Secret, test: AttemptView },
  { $id: 'CreatedWebhook' },
)
const ChangedView = Type.Object(
  { ...EndpointView.properties, secret: Secret, test: Type.Optional(AttemptView) },
  { $id: 'ChangedWebhook' },
)

export const createEndpoint = webhooksEndpoint({
  name: 'createWebhookEndpoint',
  path: 'endpoints',
  methods: ['POST'],
  tags: TAGS,
  summary: 'Registers an endpoint and sends a test to it.',
  description: `The secret is in this answer only. Events are sent from now on, or from \`since\`. ${IDEMPOTENT}`,
  params: { ...fields, url: UrlParam, subscription: SubscriptionParam },
  result: CreatedView,
  status: 201,
  timeoutMs: TIMEOUT_MS,
  errors: ['webhook_refused', 'webhook_limit', 'webhook_conflict', 'webhook_not_kept'],
  handle: (context, args) =>
    doOnce(context, async (owner): Promise<Static<typeof CreatedView>> => {
      const { service, call } = context
      const input = {
        url: args.url,
        subscription: args.subscription,
        description: args.description,
        headers: args.headers ?? {},
        ordering: args.ordering ?? 'account',
        isThin: args.thin ?? false,
        signature: args.signature ?? 'v1',
      } as const
      const start = { isEnabled: args.enabled ?? true, ...(args.since !== undefined && { since: args.since }) }
      const { secret, test, ...shown } = await service.create(owner, input, start, call.signal)
      call.trace.headers = { etag: entityTag(shown.endpoint.version) }
      return { ...toEndpointView(shown), ...(secret !== undefined && { secret }), test: toAttemptView(test) }
    }),
})

const EndpointsView = Type.Object(
  {
    endpoints: Type.Array(EndpointView),
    cursor: Type.Union([Type.String(), Type.Null()], { description: 'For the next page; null on the last.' }),
  },
  { $id: 'WebhookEndpoints' },
)

export const listEndpoints = webhooksEndpoint({
  name: 'listWebhookEndpoints',
  path: 'endpoints',
  methods: ['GET'],
  tags: TAGS,
  summary: 'Endpoints of the caller, oldest first.',
  params: {
    limit: withDefault(param(Type.Integer({ minimum: 1, maximum: 100 })), 50),
    cursor: optional(param(Type.String({ maxLength: 64 }))),
  },
  result: EndpointsView,
  errors: [],
  async handle(context, { limit, cursor }) {
    const found = await context.service.list(await findOwner(context), { limit: limit + 1, after: cursor })
    const page = found.slice(0, limit)
    const last = found.length > limit ? page.at(-1) : undefined
    return { endpoints: page.map(toEndpointView), cursor: last?.endpoint.id ?? null }
  },
})

export const getEndpoint = webhooksEndpoint({
  name: 'getWebhookEndpoint',
  path: 'endpoints/{id}',
  methods: ['GET'],
  tags: TAGS,
  summary: 'One endpoint, with its state and what waits.',
  params: { id: EndpointId },
  result: EndpointView,
  errors: ['webhook_not_found'],
  async handle(context, { id }) {
    const shown = await context.service.get(await findOwner(context), id)
    context.call.trace.headers = { etag: entityTag(shown.endpoint.version) }
    return toEndpointView(shown)
  },
})

export const updateEndpoint = webhooksEndpoint({
  name: 'updateWebhookEndpoint',
  path: 'endpoints/{id}',
  methods: ['PATCH'],
  tags: TAGS,
  summary: 'Changes fields of an endpoint.',
  description:
    'With the header If-Match, only if the ETag is still the same. A changed URL is tested. `since` moves the position in the log.',
  params: { id: EndpointId, ...fields },
  result: ChangedView,
  timeoutMs: TIMEOUT_MS,
  errors: ['webhook_refused', 'webhook_not_found', 'webhook_limit', 'webhook_not_kept', 'precondition_failed'],
  async handle(context, { id, thin, enabled, ...args }) {
    const { service, call } = context
    const changes: EndpointChanges = { ...args, isThin: thin, isEnabled: enabled }
    const owner = await findOwner(context)
    const { secret, test, ...shown } = await service.update(owner, id, changes, readIfMatch(call), call.signal)
    call.trace.headers = { etag: entityTag(shown.endpoint.version) }
    return {
      ...toEndpointView(shown),
      ...(secret !== undefined && { secret }),
      ...(test !== undefined && { test: toAttemptView(test) }),
    }
  },
})

export const deleteEndpoint = webhooksEndpoint({
  name: 'deleteWebhookEndpoint',
  path: 'endpoints/{id}',
  methods: ['DELETE'],
  tags: TAGS,
  summary: 'Deletes an endpoint; waiting deliveries are dropped.',
  params: { id: EndpointId },
  result: Type.Object({}),
  status: 204,
  errors: ['webhook_not_found'],
  async handle(context, { id }) {
    await context.service.remove(await findOwner(context), id)
    return {}
  },
})

const DAY_SECONDS = 86_400
const RotatedView = Type.Object(
  {
    ...EndpointView.properties,
    secret: Secret,
    former_until: Type.String({ description: 'The old key signs until then.' }),
  },
  { $id: 'RotatedWebhook' },
)

export const rotateSecret = webhooksEndpoint({
  name: 'rotateWebhookSecret',
  path: 'endpoints/{id}/rotate',
  methods: ['POST'],
  tags: TAGS,
  summary: 'Makes a new signing key; the old one signs, too, for a while.',
  description: IDEMPOTENT,
  params: {
    id: EndpointId,
    overlap: withDefault(
      param(
        Type.Integer({
          minimum: 0,
          maximum: 30 * DAY_SECONDS,
          description: 'Seconds for which the old key signs, too.',
        }),
      ),
      DAY_SECONDS,
    ),
  },
  result: RotatedView,
  errors: ['webhook_not_found', 'webhook_conflict', 'precondition_failed'],
  handle: (context, { id, overlap }) =>
    doOnce(context, async (owner): Promise<Static<typeof RotatedView>> => {
      const { secret, formerUntil, ...shown } = await context.service.rotate(owner, id, overlap * 1000)
      context.call.trace.headers = { etag: entityTag(shown.endpoint.version) }
      return {
        ...toEndpointView(shown),
        ...(secret !== undefined && { secret }),
        former_until: formerUntil.toISOString(),
      }
    }),
})

export const testEndpoint = webhooksEndpoint({
  name: 'testWebhookEndpoint',
  path: 'endpoints/{id}/test',
  methods: ['POST'],
  tags: TAGS,
  summary: 'Sends a test now.',
  description: IDEMPOTENT,
  params: { id: EndpointId },
  result: AttemptView,
  timeoutMs: TIMEOUT_MS,
  errors: ['webhook_not_found', 'webhook_conflict'],
  handle: (context, { id }) =>
    doOnce(context, async (owner) => toAttemptView(await context.service.test(owner, id, context.call.signal))),
})

export const enableEndpoint = webhooksEndpoint({
  name: 'enableWebhookEndpoint',
  path: 'endpoints/{id}/enable',
  methods: ['POST'],
  tags: TAGS,
  summary: 'Enables an endpoint; it goes on from where it stopped, or from `since`.',
  description: IDEMPOTENT,
  params: { id: EndpointId, since: optional(SinceParam) },
  result: EndpointView,
  errors: ['webhook_refused', 'webhook_not_found', 'webhook_limit', 'webhook_conflict', 'webhook_not_kept'],
  handle: (context, { id, since }) =>
    doOnce(context, async (owner) => toEndpointView(await context.service.enable(owner, id, since))),
})

export const disableEndpoint = webhooksEndpoint({
  name: 'disableWebhookEndpoint',
  path: 'endpoints/{id}/disable',
  methods: ['POST'],
  tags: TAGS,
  summary: 'Disables an endpoint: nothing is sent until it is enabled.',
  description: IDEMPOTENT,
  params: { id: EndpointId },
  result: EndpointView,
  errors: ['webhook_not_found', 'webhook_conflict'],
  handle: (context, { id }) =>
    doOnce(context, async (owner) => toEndpointView(await context.service.disable(owner, id))),
})

const ReplayView = Type.Object({ blocks: Type.Integer({ description: 'Masterchain blocks to be read.' }) })

export const replayEvents = webhooksEndpoint({
  name: 'replayWebhookEvents',
  path: 'endpoints/{id}/replay',
  methods: ['POST'],
  tags: TAGS,
  summary: 'Sends finalized events again, with the same ids and `replayed: true`.',
  description: IDEMPOTENT,
  params: { id: EndpointId, since: SinceParam, until: optional(SinceParam) },
  result: ReplayView,
  status: 202,
  errors: ['webhook_refused', 'webhook_not_found', 'webhook_limit', 'webhook_conflict', 'webhook_not_kept'],
  handle: (context, { id, since, until }) =>
    doOnce(context, async (owner) => ({
      blocks: await context.service.replay(owner, id, { since, ...(until !== undefined && { until }) }),
    })),
})

const DeliveriesView = Type.Object(
  {
    deliveries: Type.Array(DeliveryView),
    cursor: Type.Union([Type.String(), Type.Null()], { description: 'For the next page; null on the last.' }),
  },
  { $id: 'WebhookDeliveries' },
)

export const listDeliveries = webhooksEndpoint({
  name: 'listWebhookDeliveries',
  path: 'endpoints/{id}/deliveries',
  methods: ['GET'],
  tags: TAGS,
  summary: 'Deliveries of the last 30 days, newest first, with their attempts.',
  params: {
    id: EndpointId,
    state: optional(
      param(
        Type.Union([Type.Literal('waiting'), Type.Literal('delivered'), Type.Literal('dead'), Type.Literal('dropped')]),
      ),
    ),
    limit: withDefault(param(Type.Integer({ minimum: 1, maximum: 500 })), 50),
    cursor: optional(param(Type.String({ pattern: '^[0-9]{1,18}$' }), BigInt)),
  },
  result: DeliveriesView,
  errors: ['webhook_not_found'],
  async handle(context, { id, state, limit, cursor }) {
    const owner = await findOwner(context)
    const found = await context.service.deliveries(owner, id, { state, limit: limit + 1, before: cursor })
    const page = found.slice(0, limit)
    const last = found.length > limit ? page.at(-1) : undefined
    return { deliveries: page.map(toDeliveryView), cursor: last === undefined ? null : String(last.number) }
  },
})

export const redeliver = webhooksEndpoint({
  name: 'redeliverWebhook',
  path: 'deliveries/{id}/redeliver',
  methods: ['POST'],
  tags: TAGS,
  summary: 'Sends one delivery again at once, dead or not.',
  description: IDEMPOTENT,
  params: { id: DeliveryId },
  result: DeliveryView,
  status: 202,
  errors: ['webhook_not_found', 'webhook_conflict', 'webhook_not_kept'],
  handle: (context, { id }) =>
    doOnce(context, async (owner) => toDeliveryView(await context.service.redeliver(owner, id))),
})

const CountView = Type.Object({ redelivered: Type.Integer() })

export const redeliverDead = webhooksEndpoint({
  name: 'redeliverDeadWebhooks',
  path: 'endpoints/{id}/redeliver',
  methods: ['POST'],
  tags: TAGS,
  summary: 'Sends all dead deliveries again, oldest first.',
  description: IDEMPOTENT,
  params: { id: EndpointId },
  result: CountView,
  status: 202,
  errors: ['webhook_not_found', 'webhook_conflict'],
  handle: (context, { id }) =>
    doOnce(context, async (owner) => ({ redelivered: await context.service.redeliverDead(owner, id) })),
})
