import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { Server as NetServer, Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fastify from 'fastify'
import type { Logger } from '../../observe/Logger.ts'
import { findTelemetry } from '../../observe/Tracer.ts'
import { CodedError } from '../../primitives/errors.ts'
import type { AccessControl } from './AccessControl.ts'
import { answerFromCache } from './answerFromCache.ts'
import type { OnAnswered } from './Call.ts'
import { createDirectRoutes } from './directRoutes.ts'
import { toFailure } from './errors.ts'
import { acceptForwarded, type FrontLink } from './front.ts'
import { requestIdHeader, requestIdOf } from './headers.ts'
import { findRouteError, fromFastifyError, isOfUnservedMethod, refuseConnection, refuseMethod } from './httpErrors.ts'
import type { LoadShedders } from './LoadShedder.ts'
import { defaultLimits, type HttpLimits } from './limits.ts'
import { BACKLOG, listenOn } from './listenOn.ts'
import { formatHost } from './localAccess.ts'
import { createService, type Mount, type Service } from './Mount.ts'
import {
  methodsOfRoutes,
  type PlainAnswer,
  type PlainRequest,
  type PlainRoute,
  registerRoute,
  toPlainRequest,
} from './PlainRoute.ts'
import { parseQuery } from './parseArguments.ts'
import { RequestScheduler } from './RequestScheduler.ts'
import { registerInterface } from './registerInterface.ts'
import { registerStreamRoute, type Streams, type UpgradeHandler, upgradingRequest } from './StreamRoute.ts'
import { RequestTracing } from './traceRequests.ts'

/**
 * Tracks connections that have not sent a request yet. Closing a server ends idle connections and waits for busy ones, but it would
 * also wait for these. The returned function ends them.
 */
const watchUnusedConnections = (server: Server, hasUpgrades: boolean): (() => void) => {
  const unused = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  server.on('request', ({ socket }) => unused.delete(socket))
  // Only then: a listener would take upgrades that nobody answers.
  if (hasUpgrades) server.on('upgrade', ({ socket }) => unused.delete(socket))
  return () => {
    for (const socket of unused) socket.destroy()
  }
}

export type HttpServerOptions = {
  readonly mounts: readonly Mount[]
  /** Routes besides the interfaces. */
  readonly routes?: readonly PlainRoute[]
  /** The page for people at a path that does not exist; programs get JSON. */
  readonly notFound?: ((request: PlainRequest) => Promise<PlainAnswer>) | undefined
  readonly logger: Logger
  readonly host: string
  /** 0 picks a free port. */
  readonly port: number
  /** Servers that listen there already, on copies of one socket. They are taken over. */
  readonly sockets?: readonly NetServer[] | undefined
  /** The front that forwards requests to it: all others are refused. */
  readonly front?: FrontLink | undefined
  readonly limits?: Partial<HttpLimits>
  /** Called for every request that an interface has answered. */
  readonly onAnswered?: OnAnswered | undefined
  /** API keys and rate limits of the public interfaces; without it, there are none. */
  readonly accessControl?: AccessControl | undefined
  /** Refuse what cannot be answered in time; without them, everything is accepted. */
  readonly shedders?: LoadShedders | undefined
  /** Streams, which are ended when the server closes. */
  readonly streams?: Streams | undefined
}

export interface HttpServer {
  /** Without a slash at its end. */
  readonly url: string
  readonly port: number
  /**
   * Finishes requests in flight within the close timeout, then ends every connection. During `delayMs` before that, requests are
   * still accepted, with `connection: close` in their responses.
   */
  close(delayMs?: number): Promise<void>
}

/** The server cannot listen on the configured address. */
export class ListenError extends CodedError {
  readonly code = 'listen_failed'
}

/** Starts a server that serves every interface below its prefix. */
export const createHttpServer = async (options: HttpServerOptions): Promise<HttpServer> => {
  const { mounts, logger, host, port, front, accessControl, shedders, streams } = options
  const telemetry = findTelemetry()
  const tracing = telemetry && new RequestTracing(telemetry, streams?.routes.map(({ path }) => path) ?? [])
  const onAnswered = tracing === undefined ? options.onAnswered : tracing.watch(options.onAnswered)
  const limits = { ...defaultLimits, ...options.limits }
  let isClosing = false
  const scheduler = new RequestScheduler()
  const services = mounts.map((mount) =>
    createService({
      mount,
      limits,
      logger,
      isClosing: () => isClosing,
      onAnswered,
      accessControl,
      shedders,
      scheduler,
    }),
  )
  const server = createFastify(limits, services, { streams, front, tracing })
  tracing?.register(server)
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  server.addHook('onRequest', ({ id }, reply, done) => {
    reply.header(requestIdHeader, id)
    if (isClosing) reply.header('connection', 'close')
    done()
  })
  for (const service of services) {
    const plugin = (scope: FastifyInstance, _options: unknown, done: () => void): void => {
      registerInterface(scope, service)
      done()
    }
    void server.register(plugin, { prefix: service.mount.definition.prefix })
  }
  const routes = options.routes ?? []
  for (const route of routes) registerRoute(server, route)
  for (const route of streams?.routes ?? []) registerStreamRoute(server, route)
  const allRoutes = [...routes, ...(streams?.routes ?? [])]
  const refuseRoute = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    refuse(findRouteError(methodsOfRoutes(allRoutes, request.url), request.method, reply), reply)
  const { notFound } = options
  server.setNotFoundHandler(async (request, reply) => {
    const isForPeople = request.method === 'GET' && /\btext\/html\b/.test(request.headers.accept ?? '')
    if (notFound === undefined || !isForPeople) return refuseRoute(request, reply)
    const { status, headers, body } = await notFound(toPlainRequest(request))
    return reply.code(status).headers(headers).send(body)
  })
  server.setErrorHandler((error, request, reply) => {
    if (isOfUnservedMethod(error)) return refuseRoute(request, reply)
    const known = fromFastifyError(error, limits)
    if (toFailure(known).error === undefined) {
      logger.error('request failed', { path: request.routeOptions.url, requestId: request.id, error })
    }
    return refuse(known, reply)
  })
  server.server.on('connection', () => scheduler.noteConnection())
  const endUnused = watchUnusedConnections(server.server, streams !== undefined)
  const closeCopies = options.sockets && listenOn(server.server, options.sockets)
  await listen(server, host, port)
  const address = server.server.address()
  const bound = typeof address === 'object' && address !== null ? address.port : port
  return {
    url: `http://${formatHost(host)}:${bound}`,
    port: bound,
    close: async (delayMs = 0) => {
      isClosing = true
      if (delayMs > 0) await delay(delayMs)
      const force = setTimeout(() => server.server.closeAllConnections(), limits.closeTimeoutMs)
      const ended = streams?.close()
      const closed = server.close()
      endUnused()
      await Promise.all([ended, closed, closeCopies?.()]).finally(() => clearTimeout(force))
    },
  }
}

type FastifyParts = {
  readonly streams: Streams | undefined
  readonly front: FrontLink | undefined
  readonly tracing: RequestTracing | undefined
}

const createFastify = (
  limits: HttpLimits,
  services: readonly Service[],
  { streams, front, tracing }: FastifyParts,
): FastifyInstance => {
  const serveDirectly = createDirectRoutes(services)
  return fastify({
    bodyLimit: limits.maxBodyBytes,
    serverFactory: (route) => {
      const handOn: RequestListener = (request, response) => {
        if (!serveDirectly(request, response, route)) route(request, response)
      }
      const listener: RequestListener = (request, response) => {
        if (front !== undefined && !acceptForwarded(request, front.token)) return refuseStranger(response)
        for (const service of services) if (answerFromCache(service, request, response, handOn)) return
        handOn(request, response)
      }
      const traced = tracing === undefined ? listener : tracing.wrap(listener)
      return createNodeServer(limits, longestUrl(limits, services), { upgrades: streams?.upgrades, front }, traced)
    },
    genReqId: requestIdOf,
    routerOptions: { ignoreTrailingSlash: true, querystringParser: parseQuery },
    return503OnClosing: false,
    clientErrorHandler: (error, socket: Socket) => refuseConnection(error, socket),
    frameworkErrors: (error, _request, reply) => {
      void refuse(fromFastifyError(error, limits), reply as FastifyReply)
    },
  })
}

/** Node counts the URL as part of the headers. */
const longestUrl = ({ maxUrlBytes }: HttpLimits, services: readonly Service[]): number =>
  Math.max(maxUrlBytes, ...services.map(({ mount }) => mount.definition.maxUrlBytes ?? 0))

const createNodeServer = (
  limits: HttpLimits,
  maxUrlBytes: number,
  { upgrades, front }: { readonly upgrades: UpgradeHandler | undefined; readonly front: FrontLink | undefined },
  listener: RequestListener,
): Server => {
  const server = createServer(
    {
      maxHeaderSize: limits.maxHeaderBytes + maxUrlBytes,
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      keepAliveTimeout: limits.keepAliveTimeoutMs,
      connectionsCheckingInterval: Math.min(1000, limits.headersTimeoutMs),
      ...(upgrades !== undefined && { IncomingMessage: upgradingRequest(upgrades) }),
    },
    listener,
  )
  // Without a listener, Node closes the socket of a CONNECT request without a response.
  server.on('connect', (_request, socket: Socket) => refuseMethod(socket))
  if (upgrades !== undefined) {
    server.on('upgrade', (request, socket, head) => {
      if (front === undefined || acceptForwarded(request, front.token)) upgrades.handle(request, socket, head)
      else socket.destroy()
    })
  }
  return server.setTimeout(limits.sendTimeoutMs)
}

/** A program on this machine that found the port behind the front. */
const refuseStranger = (response: ServerResponse): void => {
  response.writeHead(403, { connection: 'close' }).end()
}

/** Errors outside the interfaces have the v2 format. */
const refuse = (error: unknown, reply: FastifyReply): FastifyReply => {
  const { status, message } = toFailure(error)
  return reply.code(status).send({ ok: false, error: message, code: status })
}

const listen = async (server: FastifyInstance, host: string, port: number): Promise<void> => {
  try {
    // localhost may resolve to several addresses; 127.0.0.1 exists on every machine.
    await server.listen({ host: host === 'localhost' ? '127.0.0.1' : host, port, backlog: BACKLOG })
  } catch (error) {
    await server.close()
    throw new ListenError(`Cannot listen on ${host}:${port}. Free the port, or choose another with --port.`, {
      cause: error,
    })
  }
}
