import { Type } from 'typebox'
import { NotKeptError } from '../../streaming/events.ts'
import { type Failure, InvalidParamsError, type Statuses } from '../core/errors.ts'
import type { Dialect, Interface } from '../core/Interface.ts'
import { tonDialect } from '../v3/index.ts'
import { event, events, type StreamingContext } from './endpoints.ts'

const statuses: Statuses = { invalid_params: 400 }

const describeFailure = ({ error, message }: Failure): string => {
  if (!(error instanceof InvalidParamsError)) return message
  const [first] = error.issues
  return first?.error?.message ?? first?.message ?? message
}

/** The streaming interface: events as they happen, and their log. */
export const streaming = {
  prefix: '/api/streaming/v2',
  title: 'Streaming (v2)',
  description:
    'Events of transactions, actions, traces, account states, jetton balances and blocks, in one order with stable ids.\n\n' +
    '`POST /sse` with a subscription as JSON body, or `GET /sse` with its fields in the query, answers with server-sent events: frames ' +
    'with `event: event`, `data` with one event and `id` with its id. The header `Last-Event-ID` resumes a stream.\n\n' +
    '`GET /ws` upgrades to a WebSocket. Each text frame is one JSON object: operations `ping`, `subscribe` (the fields of a subscription beside ' +
    '`operation` and `id`) and `unsubscribe` (`addresses`, `trace_external_hash_norms`); answers have `status` or `error`, events have `type`.\n\n' +
    'Refused subscriptions have status 400 with `{"error": text}`; 410 if the events after `since` are not kept any more; 429 if there are too many connections.',
  version: '2.0.0',
  endpoints: [events, event],
  statuses,
  commonErrors: [
    'database_unavailable',
    'database_worker_unavailable',
    'database_full',
    'database_refused',
    'database_conflict',
    'database_timeout',
  ],
  // A thousand addresses and hashes, percent-encoded.
  maxUrlBytes: 1 << 18,
  ignoredMembers: 'all',
  body: { mediaType: 'json', mayBeEmpty: true },
  localOnly: false,
  envelope: (result) => result,
  envelopeSchema: (result) => result,
  openEnvelope: (answer) => answer,
  renderError: (failure) => ({
    error: describeFailure(failure),
    ...(failure.error instanceof NotKeptError && { oldest: failure.error.oldest }),
  }),
  errorSchema: Type.Object(
    {
      error: Type.String({ description: 'Error message.', examples: ['types are required for subscription'] }),
      oldest: Type.Optional(Type.Integer({ description: 'Oldest masterchain block that is kept; with status 410.' })),
    },
    { $id: 'Error' },
  ),
} as const satisfies Interface<StreamingContext>

/** The interface at one URL prefix. */
export const presentStreaming = (prefix: `/${string}`, dialect: Dialect): Interface<StreamingContext> => {
  const definition = { ...streaming, prefix }
  return dialect === 'chain' ? definition : { ...definition, ...tonDialect }
}
