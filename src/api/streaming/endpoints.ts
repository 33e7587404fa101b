import { type TSchema, Type } from 'typebox'
import { CodedError } from '../../primitives/errors.ts'
import { type EventLog, NotKeptError } from '../../streaming/events.ts'
import { type EventId, formatEventId, InvalidSinceError, parseEventId } from '../../streaming/log/eventIds.ts'
import { type EventPart, matchEvent } from '../../streaming/subscription/matchEvent.ts'
import { queryToSubscription } from '../../streaming/subscription/operations.ts'
import { parseSubscription } from '../../streaming/subscription/parseSubscription.ts'
import { eventTypes, type Subscription } from '../../streaming/subscription/Subscription.ts'
import type { Call } from '../core/Call.ts'
import { endpointFor } from '../core/Endpoint.ts'
import { asJson } from '../core/json/stringifyJson.ts'
import { optional, param, shownAs, withDefault } from '../core/params.ts'
import { boolParam } from '../v3/params.ts'
import { expandActionTypes } from '../v3/supportedActionTypes.ts'
import { actionHeaders } from '../v3/V3Context.ts'
import { readPage } from './readPage.ts'
import { EventView, GapView, SubscriptionView } from './views.ts'

/** Limits of a caller; `undefined` means no limit. */
export type PollLimits = {
  /** Addresses and trace hashes of a subscription. */
  readonly addresses: number | undefined
  /** How far back a page may begin. */
  readonly replayMs: number | undefined
  /** Whether it may subscribe to every address. */
  readonly isForAll: boolean
}

/** Dependencies of the streaming interface. */
export type StreamingContext = {
  readonly log: EventLog
  readonly render: (part: EventPart, subscription: Subscription) => string | Promise<string>
  readonly limits: PollLimits
  readonly call: Call
}

/** No event has this id, or it is not kept any more. */
class EventNotFoundError extends CodedError {
  readonly code = 'event_not_found'
  constructor() {
    super('event not found')
  }
}

const streamingEndpoint = endpointFor<StreamingContext>()

/** Fields of a subscription are checked by its own parser, which has the texts of the contract. */
const text = (shown: TSchema) => optional(shownAs(param(Type.Union([Type.String(), Type.Boolean()])), shown))
const texts = (shown: TSchema) => optional(shownAs(param(Type.Array(Type.String())), shown))

const fields = SubscriptionView.properties
const filters = fields.filters.properties

const position = (description: string) =>
  Type.String({ description: `${description} An event id, or head.`, examples: ['head'] })

/** A subscription in a query: lists are repeated, members of objects have dotted names. */
const subscriptionParams = {
  types: texts(fields.types),
  addresses: texts(fields.addresses),
  trace_external_hash_norms: texts(fields.trace_external_hash_norms),
  min_finality: text(fields.min_finality),
  action_types: texts(fields.action_types),
  supported_action_types: texts(fields.supported_action_types),
  include_address_book: text(fields.include_address_book),
  include_metadata: text(fields.include_metadata),
  extended: text(fields.extended),
  deliver: text(fields.deliver),
  on_gap: text(fields.on_gap),
  since: text(position('Events after it.')),
  'since.mc_seqno': text(Type.Integer({ description: 'Events after this masterchain block.', minimum: 0 })),
  'since.utime': text(Type.Integer({ description: 'Events after this Unix time.', minimum: 0 })),
  until: text(position('Events up to it.')),
  'until.mc_seqno': text(Type.Integer({ description: 'Events up to this masterchain block.', minimum: 0 })),
  'until.utime': text(Type.Integer({ description: 'Events up to this Unix time.', minimum: 0 })),
  'filters.opcodes': texts(filters.opcodes),
  'filters.jetton_masters': texts(filters.jetton_masters),
  'filters.code_hashes': texts(filters.code_hashes),
  'filters.message_kinds': texts(filters.message_kinds),
  'filters.min_value': text(filters.min_value),
  'filters.success': text(filters.success),
} as const

const readInteger = (name: string, max: number) => (wire: string | number) => {
  const value = /^[0-9]{1,6}$/.test(String(wire)) ? Number(wire) : Number.NaN
  if (!(value <= max)) throw new RangeRefusedError(name, max)
  return value
}

/** A number of the request is out of its range. */
class RangeRefusedError extends CodedError {
  readonly code = 'invalid_subscription'
  constructor(name: string, max: number) {
    super(`${name} must be an integer up to ${max}`)
  }
}

const MAX_EVENTS = 1000
const DEFAULT_EVENTS = 100
const MAX_WAIT_S = 25

const numberParam = (name: string, description: string, minimum: number, maximum: number) =>
  shownAs(
    param(Type.Union([Type.Integer(), Type.String()]), readInteger(name, maximum)),
    Type.Integer({ description, minimum, maximum }),
  )

const headerText = (value: string | string[] | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

export const events = streamingEndpoint({
  name: 'events',
  methods: ['GET'],
  needsNode: true,
  tags: ['events'],
  summary: 'Finalized events as pages, for polling and catching up.',
  description:
    'Takes the fields of a subscription in the query: lists are repeated, members of objects have dotted names. Pass `next` as `since` of the ' +
    'next request. A page may be empty before the head is reached, if few events match.',
  params: {
    ...subscriptionParams,
    limit: withDefault(numberParam('limit', 'Maximum number of events.', 1, MAX_EVENTS), DEFAULT_EVENTS),
    wait: withDefault(
      numberParam('wait', 'Seconds to wait for an event if there is none: long polling.', 0, MAX_WAIT_S),
      0,
    ),
  },
  headers: {
    ...actionHeaders,
    'Last-Event-ID': Type.String({ description: 'Replaces since.' }),
  },
  result: Type.Object(
    {
      events: Type.Array(EventView),
      next: Type.String({ description: 'since of the next page.' }),
      head: Type.String({ description: 'Id of the newest event.' }),
      oldest: Type.String({ description: 'Id of the oldest event that is kept.' }),
      gap: Type.Optional(GapView),
    },
    { $id: 'EventsPage' },
  ),
  errors: ['invalid_subscription', 'invalid_since', 'forbidden', 'events_not_kept', 'chain_set_back', 'index_empty'],
  timeoutMs: 45_000,
  async handle({ log, render, limits, call }, { limit, wait }) {
    const { subscription } = parseSubscription(queryToSubscription(call.query), {
      transport: 'sse',
      maxAddresses: limits.addresses,
      mayStreamAll: limits.isForAll,
      actionsVersion: headerText(call.headers['x-actions-version']),
      lastEventId: headerText(call.headers['last-event-id']),
      expandActionTypes,
    })
    const page = await readPage({
      log,
      subscription,
      render,
      limit: Math.max(1, limit),
      waitMs: wait * 1000,
      maxDepthMs: limits.replayMs,
      signal: call.signal,
    })
    const { next, head, oldest, gap } = page
    return {
      events: asJson<EventView[]>(`[${page.events.join(',')}]`),
      next,
      head,
      oldest,
      ...(gap !== undefined && { gap }),
    }
  },
})

/** Matches whole events. */
const whole = parseSubscription(
  { types: eventTypes, addresses: ['*'], extended: true },
  { transport: 'sse', mayStreamAll: true, expandActionTypes },
).subscription

export const event = streamingEndpoint({
  name: 'event',
  path: 'events/{event_id}',
  methods: ['GET'],
  needsNode: true,
  tags: ['events'],
  summary: 'A finalized event by its id, whole and extended.',
  params: {
    event_id: param(
      Type.String({ description: 'Id of the event.', examples: ['f-54518966-64153276000007-tx-eeca4f1324703922'] }),
    ),
    include_address_book: withDefault(boolParam('Include the address book.'), false),
    include_metadata: withDefault(boolParam('Include the metadata of tokens.'), false),
  },
  result: EventView,
  errors: ['event_not_found', 'index_empty'],
  async handle({ log, render, call }, args) {
    const found = await findEvent(log, args.event_id, call.signal)
    const subscription: Subscription = {
      ...whole,
      deliver: found.kind === 'tx' && !('trace' in found) ? 'transaction' : 'trace',
      withAddressBook: args.include_address_book,
      withMetadata: args.include_metadata,
    }
    const part = matchEvent(subscription, found)
    // Actions of types that nobody knows.
    if (part === undefined) throw new EventNotFoundError()
    return asJson<EventView>(await render(part, subscription))
  },
})

const findEvent = async (log: EventLog, text: string, signal: AbortSignal): Promise<EventPart['event']> => {
  const id = parseId(text)
  const head = await log.findHead()
  if (id === undefined || 'journal' in id || head === undefined || id.mcSeqno > head) throw new EventNotFoundError()
  if (id.mcSeqno < (await log.findOldest())) throw new EventNotFoundError()
  const wanted = formatEventId(id)
  const block = await log.read(id.mcSeqno, signal).catch((error: unknown) => {
    throw error instanceof NotKeptError ? new EventNotFoundError() : error
  })
  const found = block.events.find((each) => each.id === wanted)
  if (found === undefined) throw new EventNotFoundError()
  return found
}

const parseId = (text: string): EventId | undefined => {
  try {
    return parseEventId(text)
  } catch (error) {
    if (error instanceof InvalidSinceError) return undefined
    throw error
  }
}
