import { createServer, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fastify from 'fastify'
import type { Logger } from '../../observe/Logger.ts'
import { CodedError } from '../../primitives/errors.ts'
import type { Gate } from './AccessControl.ts'
import { answerAtOnce } from './answerFromCache.ts'
import type { OnAnswered } from './Call.ts'
import { toFailure } from './errors.ts'
import { requestIdHeader, requestIdOf } from './headers.ts'
import { findRouteError, fromFastifyError, isOfUnservedMethod, refuseConnection, refuseMethod } from './httpErrors.ts'
import { defaultLimits, type HttpLimits } from './limits.ts'
import { createService, type Mount, type Service } from './Mount.ts'
import { methodsOfRoutes, type PlainRoute, registerRoute } from './PlainRoute.ts'
import { parseQuery } from './parseArguments.ts'
import { registerInterface } from './registerInterface.ts'

/**
 * Watches for connections on which no request has ever come. Closing a server ends those between two requests and waits for
 * those within one, but it also waits for these. The returned function ends them.
 */
const watchUnusedConnections = (server: Server): (() => void) => {
  const unused = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  server.on('request', ({ socket }) => unused.delete(socket))
  return () => {
    for (const socket of unused) socket.destroy()
  }
}

export type HttpServerOptions = {
  readonly mounts: readonly Mount[]
  /** What is served besides. */
  readonly routes?: readonly PlainRoute[]
  readonly logger: Logger
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
  readonly limits?: Partial<HttpLimits>
  /** Told of every request that an interface has answered. */
  readonly onAnswered?: OnAnswered | undefined
  /** Lets requests in to the interfaces that are open to others, or not; without it, all are. */
  readonly gate?: Gate | undefined
}

export interface HttpServer {
  /** Without a slash at its end. */
  readonly url: string
  readonly port: number
  /**
   * Finishes the answers under way, for as long as the limits say, and then ends every connection. For some time before that requests
   * are still taken, and whoever sends one is told that the connection ends with it.
   */
  close(delayMs?: number): Promise<void>
}

/** The server cannot listen where it was told to. */
export class ListenError extends CodedError {
  readonly code = 'listen_failed'
}

/** Listens, and serves every interface below its prefix. */
export const createHttpServer = async (options: HttpServerOptions): Promise<HttpServer> => {
  const { mounts, logger, host, port, onAnswered, gate } = options
  const limits = { ...defaultLimits, ...options.limits }
  let isClosing = false
  const services = mounts.map((mount) =>
    createService({ mount, limits, logger, isClosing: () => isClosing, onAnswered, gate }),
  )
  const server = createFastify(limits, services)
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
  const refuseRoute = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    refuse(findRouteError(methodsOfRoutes(routes, request.url), request.method, reply), reply)
  server.setNotFoundHandler(refuseRoute)
  server.setErrorHandler((error, request, reply) => {
    if (isOfUnservedMethod(error)) return refuseRoute(request, reply)
    const known = fromFastifyError(error, limits)
    if (toFailure(known).error === undefined) {
      logger.error('request failed', { path: request.routeOptions.url, requestId: request.id, error })
    }
    return refuse(known, reply)
  })
  const endUnused = watchUnusedConnections(server.server)
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
      const closed = server.close()
      endUnused()
      await closed.finally(() => clearTimeout(force))
    },
  }
}

const createFastify = (limits: HttpLimits, services: readonly Service[]): FastifyInstance =>
  fastify({
    bodyLimit: limits.maxBodyBytes,
    serverFactory: (route) =>
      createNodeServer(limits, longestUrl(limits, services), (request, response) => {
        for (const service of services) if (answerAtOnce(service, request, response, route)) return
        route(request, response)
      }),
    genReqId: requestIdOf,
    routerOptions: { ignoreTrailingSlash: true, querystringParser: parseQuery },
    return503OnClosing: false,
    clientErrorHandler: (error, socket: Socket) => refuseConnection(error, socket),
    frameworkErrors: (error, _request, reply) => {
      void refuse(fromFastifyError(error, limits), reply as FastifyReply)
    },
  })

/** Addresses of requests count among the headers until somebody has read them. */
const longestUrl = ({ maxUrlBytes }: HttpLimits, services: readonly Service[]): number =>
  Math.max(maxUrlBytes, ...services.map(({ mount }) => mount.definition.maxUrlBytes ?? 0))

const createNodeServer = (limits: HttpLimits, maxUrlBytes: number, listener: RequestListener): Server => {
  const server = createServer(
    {
      maxHeaderSize: limits.maxHeaderBytes + maxUrlBytes,
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      keepAliveTimeout: limits.keepAliveTimeoutMs,
      connectionsCheckingInterval: Math.min(1000, limits.headersTimeoutMs),
    },
    listener,
  )
  // Without a listener Node hangs up on who asks for a tunnel.
  server.on('connect', (_request, socket: Socket) => refuseMethod(socket))
  return server.setTimeout(limits.sendTimeoutMs)
}

/** Outside of every interface a failure has the shape that most clients know. */
const refuse = (error: unknown, reply: FastifyReply): FastifyReply => {
  const { status, message } = toFailure(error)
  return reply.code(status).send({ ok: false, error: message, code: status })
}

const listen = async (server: FastifyInstance, host: string, port: number): Promise<void> => {
  try {
    // A name may stand for several addresses; ours is the one that every machine has.
    await server.listen({ host: host === 'localhost' ? '127.0.0.1' : host, port })
  } catch (error) {
    await server.close()
    throw new ListenError(`The server cannot listen on ${host}:${port}.`, { cause: error })
  }
}

const formatHost = (host: string): string => {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}
