import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Logger } from '../../observe/Logger.ts'
import { CodedError } from '../../primitives/errors.ts'
import type { RenderEvent } from '../../streaming/delivery/Delivery.ts'
import { resolveStart } from '../../streaming/delivery/resolveStart.ts'
import type { StreamHub } from '../../streaming/delivery/StreamHub.ts'
import { NotKeptError } from '../../streaming/events.ts'
import { formatEventId } from '../../streaming/log/eventIds.ts'
import { parseJson, queryToSubscription } from '../../streaming/subscription/operations.ts'
import { type ExpandActionTypes, parseSubscription } from '../../streaming/subscription/parseSubscription.ts'
import { SubscriptionError } from '../../streaming/subscription/Subscription.ts'
import type { AccessControl, Admission } from '../core/AccessControl.ts'
import { toFailure } from '../core/errors.ts'
import { corsHeaders, preflightHeaders, requestIdHeader, requestIdOf } from '../core/headers.ts'
import { jsonMediaType } from '../core/Mount.ts'
import type { StreamRequest, StreamRoute, Streams } from '../core/StreamRoute.ts'
import type { StreamConnection, StreamConnections } from './StreamConnections.ts'
import { SseConnection } from './sse.ts'
import { findCaller, type StreamCaller, type StreamPlans } from './streamLimits.ts'
import { acceptWebSocket, WsConnection } from './ws.ts'

/** The parts behind the interface; they may be opened after the server listens. */
export type StreamSource = {
  readonly hub: StreamHub
  /** Renders in the dialect of a prefix. */
  readonly render: RenderEvent
}

export type StreamingOptions = {
  /** Below each: `/v2/sse`, `/v2/ws`, `/healthz`. */
  readonly prefixes: readonly { readonly prefix: `/${string}`; readonly source: () => StreamSource }[]
  readonly connections: StreamConnections
  readonly accessControl: AccessControl | undefined
  readonly plans: StreamPlans
  /** Whether an address is one of a trusted proxy, whose headers set limits. */
  readonly isTrustedProxy: (address: string) => boolean
  readonly expandActionTypes: ExpandActionTypes
  readonly readHealth: () => Promise<StreamHealth>
  readonly logger: Logger
}

/** State of the parts behind the interface. */
export type StreamHealth = {
  readonly components: { readonly [name: string]: { readonly ok: boolean; readonly [detail: string]: unknown } }
  readonly capabilities: readonly string[]
}

/** A refusal with its response. */
class Refusal extends Error {
  readonly status: number
  readonly body: object

  constructor(status: number, body: object) {
    super(`status ${status}`)
    this.status = status
    this.body = body
  }
}

const preflight = {
  ...preflightHeaders,
  'access-control-allow-headers': `Last-Event-ID, ${preflightHeaders['access-control-allow-headers']}`,
}

const V1_GONE = 'Streaming v1 is not served. Use v2: /api/streaming/v2/sse or /api/streaming/v2/ws.'

/** Server-sent events and WebSockets, below each prefix. */
export const createStreaming = (options: StreamingOptions): Streams => {
  const { prefixes, connections } = options
  const upgrading = new Map(prefixes.map((each) => [`${each.prefix}/v2/ws`, each]))
  return {
    routes: prefixes.flatMap((each) => routesOf(options, each)),
    upgrades: {
      serves: (path) => upgrading.has(withoutSlash(path)),
      handle: (request, socket, head) => {
        const path = withoutSlash((request.url ?? '').replace(/\?.*$/s, ''))
        void upgrade(options, upgrading.get(path)!, request, socket, head)
      },
    },
    close: () => connections.close(),
  }
}

const withoutSlash = (path: string): string => path.replace(/(.)\/$/, '$1')

type Prefix = StreamingOptions['prefixes'][number]

const routesOf = (options: StreamingOptions, { prefix, source }: Prefix): StreamRoute[] => {
  const answer: StreamRoute['answer'] = (request, response) => openSse(options, { prefix, source }, request, response)
  const gone: StreamRoute['answer'] = (request, response) =>
    sendJson(request.requestId, response, 410, { error: V1_GONE })
  return [
    { method: 'POST', path: `${prefix}/v2/sse`, answer },
    { method: 'GET', path: `${prefix}/v2/sse`, answer },
    { method: 'OPTIONS', path: `${prefix}/v2/sse`, answer: (_request, response) => sendPreflight(response) },
    {
      method: 'GET',
      path: `${prefix}/v2/ws`,
      answer: ({ requestId }, response) => {
        response.setHeader('upgrade', 'websocket')
        response.setHeader('connection', 'Upgrade')
        sendJson(requestId, response, 426, { error: 'Upgrade Required' })
      },
    },
    { method: 'GET', path: `${prefix}/healthz`, answer: (request, response) => sendHealth(options, request, response) },
    ...(['sse', 'ws'] as const).flatMap((name): StreamRoute[] => [
      { method: 'GET', path: `${prefix}/v1/${name}`, answer: gone },
      { method: 'POST', path: `${prefix}/v1/${name}`, answer: gone },
    ]),
  ]
}

const sendPreflight = (response: ServerResponse): void => {
  response.writeHead(204, preflight).end()
}

const sendJson = (requestId: string, response: ServerResponse, status: number, body: object): void => {
  const text = JSON.stringify(body)
  const length = String(Buffer.byteLength(text))
  const own = { 'content-type': jsonMediaType, 'content-length': length, [requestIdHeader]: requestId }
  response.writeHead(status, { ...corsHeaders, ...own }).end(text)
}

const sendHealth = async (
  { readHealth, connections }: StreamingOptions,
  { requestId }: StreamRequest,
  response: ServerResponse,
): Promise<void> => {
  const { components, capabilities } = await readHealth()
  const ok = !connections.isClosing && Object.values(components).every((component) => component.ok)
  const now = Math.floor(Date.now() / 1000)
  sendJson(requestId, response, ok ? 200 : 503, { ok, now, components, capabilities })
}

const openSse = async (
  options: StreamingOptions,
  prefix: Prefix,
  request: StreamRequest,
  response: ServerResponse,
): Promise<void> => {
  const { connections } = options
  const { raw, headers, requestId } = request
  try {
    const { caller, headers: limits } = await admit(options, prefix, raw)
    const { hub, render } = prefix.source()
    for (const [name, value] of limits) response.setHeader(name, value)
    const lastEventId = textOf(headers['last-event-id'])
    const { id, subscription } = parseSubscription(readSubscription(request), {
      transport: 'sse',
      maxAddresses: caller.addresses,
      mayStreamAll: caller.isForAll,
      actionsVersion: textOf(headers['x-actions-version']),
      lastEventId,
      expandActionTypes: options.expandActionTypes,
    })
    const start = await resolveStart(hub, subscription, { maxDepthMs: caller.replayMs }).catch((error: unknown) => {
      throw withRequestId(error, id)
    })
    if (response.destroyed || response.socket === null) return
    const resumesAfter = subscription.since.kind === 'id' ? formatEventId(subscription.since.id) : undefined
    admitConnection(connections, caller, resumesAfter, id)
    const own = { ...corsHeaders, [requestIdHeader]: requestId }
    const onClose = (connection: StreamConnection): void => connections.remove(connection)
    connections.add(
      new SseConnection({ response, headers: own, caller, hub, render, subscription, start, id, onClose }),
    )
  } catch (error) {
    const { status, body } = toRefusal(error, options.logger)
    if (!response.headersSent) sendJson(requestId, response, status, body)
  }
}

const jsonType = /^application\/([\w.+-]+\+)?json\s*(;|$)/i

/** The body of a POST wins over the query. */
const readSubscription = ({ raw, query, body, headers }: StreamRequest): unknown => {
  const label = 'invalid subscription request'
  if (raw.method !== 'POST' || body === undefined) {
    if (raw.method === 'POST' && Object.keys(query).every((name) => name === 'api_key')) {
      throw new SubscriptionError(`${label}: the body is empty`)
    }
    return queryToSubscription(query)
  }
  if (!jsonType.test(headers['content-type'] ?? '')) {
    throw new SubscriptionError(`${label}: the header Content-Type must be application/json`)
  }
  const value = parseJson(Buffer.from(body).toString(), label)
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? { ...queryToSubscription(query), ...value } : value
}

const upgrade = async (
  options: StreamingOptions,
  prefix: Prefix,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): Promise<void> => {
  const { connections, logger } = options
  socket.on('error', () => undefined)
  if (socket instanceof Socket) socket.setTimeout(0)
  try {
    const { caller } = await admit(options, prefix, request)
    const { hub, render } = prefix.source()
    await hub.start()
    if (socket.destroyed) return
    const query = new URLSearchParams((request.url ?? '').replace(/^[^?]*\??/s, ''))
    const resumesAfter = textOf(request.headers['last-event-id']) ?? query.get('since') ?? undefined
    admitConnection(connections, caller, resumesAfter, undefined)
    const operations = {
      maxAddresses: caller.addresses,
      mayStreamAll: caller.isForAll,
      actionsVersion: textOf(request.headers['x-actions-version']),
      expandActionTypes: options.expandActionTypes,
    }
    acceptWebSocket(request, socket, head, (webSocket) => {
      const connection = new WsConnection({
        webSocket,
        socket: socket as Socket,
        caller,
        hub,
        render,
        operations,
        onClose: (closed) => connections.remove(closed),
        toAnswer: (error, id) => toRefusal(withRequestId(error, id), logger).body,
      })
      connections.add(connection)
    })
  } catch (error) {
    const { status, body } = toRefusal(error, logger)
    refuseUpgrade(socket, requestIdOf(request), status, body)
  }
}

const refuseUpgrade = (socket: Duplex, requestId: string, status: number, body: object): void => {
  const text = JSON.stringify(body)
  const head = [
    `HTTP/1.1 ${status} Refused`,
    `Content-Type: ${jsonMediaType}`,
    `Content-Length: ${Buffer.byteLength(text)}`,
    `${requestIdHeader}: ${requestId}`,
    ...Object.entries(corsHeaders).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`, () => socket.destroy())
}

const textOf = (header: string | string[] | undefined): string | undefined =>
  header === undefined || header === '' ? undefined : String(header)

type AdmittedCaller = {
  readonly caller: StreamCaller
  /** Response headers of the rate limit. */
  readonly headers: readonly (readonly [name: string, value: string])[]
}

/** Checks the key and the rate limit of a request. */
const admit = async (
  { connections, accessControl, plans, isTrustedProxy }: StreamingOptions,
  { prefix }: Prefix,
  request: IncomingMessage,
): Promise<AdmittedCaller> => {
  if (connections.isClosing) throw new Refusal(503, { error: 'The server shuts down. Connect again.' })
  const admission: Admission | undefined = await accessControl?.admit(request, `${prefix}/v2`)
  const isTrusted = isTrustedProxy(request.socket.remoteAddress ?? '')
  if (admission?.refusal !== undefined) throw admission.refusal
  const headers: [string, string][] = []
  for (let at = 0; at < (admission?.headers.length ?? 0); at += 2) {
    headers.push([admission!.headers[at]!, admission!.headers[at + 1]!])
  }
  return { caller: findCaller(request.headers, { isTrusted, admission, plans }), headers }
}

const admitConnection = (
  connections: StreamConnections,
  caller: StreamCaller,
  resumesAfter: string | undefined,
  id: string | undefined,
): void => {
  const error = connections.findRefusal(caller, { resumesAfter })
  if (error !== undefined) throw new Refusal(429, { ...(id !== undefined && { id }), error })
}

/** The error as the answer to a request with an `id`. */
const withRequestId = (error: unknown, id: string | undefined): unknown =>
  error instanceof SubscriptionError
    ? error.ofRequest(id)
    : error instanceof NotKeptError
      ? new Refusal(410, { ...(id !== undefined && { id }), error: error.message, oldest: error.oldest })
      : error

const toRefusal = (error: unknown, logger: Logger): Refusal => {
  if (error instanceof Refusal) return error
  if (error instanceof SubscriptionError) return new Refusal(error.status, error.toAnswer())
  const { status, message } = toFailure(error)
  if (!(error instanceof CodedError)) logger.error('stream failed', { error })
  return new Refusal(status, { error: message })
}
