import type { IncomingMessage, RequestListener } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Span, Telemetry } from '../../observe/Tracer.ts'
import type { OnAnswered } from './Call.ts'
import { findHeader, requestIdHeader, requestIdOf } from './headers.ts'

/** Asked all the time, and of no interest. */
const untraced = ['/healthcheck', '/ready', '/metrics']

/** Traces the requests of a server. */
export class RequestTracing {
  readonly #telemetry: Telemetry
  /** Paths that are not traced. */
  readonly #untraced: ReadonlySet<string>
  readonly #spans = new WeakMap<IncomingMessage, Span>()
  /** Spans whose route the router has not named. Those that it does not see are at the path of their endpoint. */
  readonly #unrouted = new WeakMap<Span, { readonly method: string; readonly path: string }>()

  /** A stream lives for hours, and what it does in that time is no part of a request. */
  constructor(telemetry: Telemetry, streamPaths: readonly string[]) {
    this.#telemetry = telemetry
    this.#untraced = new Set([...untraced, ...streamPaths])
  }

  /** Begins a span with each request. It ends when the response was sent or the caller has left. */
  wrap(listener: RequestListener): RequestListener {
    const { tracer, source } = this.#telemetry
    return (request, response) => {
      const path = /^[^?]*/.exec(request.url ?? '')![0]
      if (this.#untraced.has(path)) return listener(request, response)
      const { method = 'GET', headers } = request
      const given = source.trustsCallers ? headers['traceparent'] : undefined
      const span = tracer.start(method, {
        kind: 'server',
        parent: typeof given === 'string' ? given : null,
        attributes: {
          'http.request.method': method,
          'url.path': path,
          'url.scheme': 'http',
          'network.protocol.version': request.httpVersion,
          'chaincenter.request_id': nameRequest(request),
        },
      })
      this.#spans.set(request, span)
      this.#unrouted.set(span, { method, path })
      response.once('close', () => {
        const { statusCode } = response
        span.set({ 'http.response.status_code': statusCode })
        if (!response.writableFinished) span.end(new CallerLeftError())
        else span.end(statusCode >= 500 ? new Error(`HTTP status ${statusCode}`) : undefined)
      })
      tracer.run(span, () => listener(request, response))
    }
  }

  /** Names the span of a request after its route. A body arrives in events of the socket, which know of no span. */
  register(server: FastifyInstance): void {
    const { tracer } = this.#telemetry
    server.addHook('preHandler', ({ raw, routeOptions: { url } }, _reply, done) => {
      const span = this.#spans.get(raw)
      if (span === undefined) return done()
      this.#unrouted.delete(span)
      if (url !== undefined) nameRoute(span, raw.method, url)
      tracer.run(span, done)
    })
  }

  /** Adds what is known when a request was answered. */
  watch(onAnswered: OnAnswered | undefined): OnAnswered {
    const { tracer } = this.#telemetry
    return (answered) => {
      const { endpoint, transport, isCached } = answered
      const span = tracer.current()
      span?.set({ 'chaincenter.response_cached': isCached })
      if (transport === 'rpc' && endpoint !== undefined) {
        span?.set({ 'rpc.system.name': 'jsonrpc', 'rpc.method': endpoint })
      }
      const unrouted = span && this.#unrouted.get(span)
      if (unrouted !== undefined && endpoint !== undefined) nameRoute(span!, unrouted.method, unrouted.path)
      onAnswered?.(answered)
    }
  }
}

/** The id of a request, which it keeps from here on. */
const nameRequest = (request: IncomingMessage): string => {
  const id = requestIdOf(request)
  if (findHeader(request, requestIdHeader) === undefined) request.rawHeaders.push(requestIdHeader, id)
  return id
}

const nameRoute = (span: Span, method: string | undefined, route: string): void => {
  span.set({ 'http.route': route })
  span.rename(`${method} ${route}`)
}

/** The caller has left before the response was sent. */
class CallerLeftError extends Error {
  override readonly name = 'client_closed_request'
}
