import type { Server } from 'node:net'
import type { OnAnswered } from '../../api/core/Call.ts'
import { createHttpServer } from '../../api/core/createHttpServer.ts'
import type { FrontLink } from '../../api/core/front.ts'
import type { Mount } from '../../api/core/Mount.ts'
import type { Streams } from '../../api/core/StreamRoute.ts'
import type { Config } from '../../config/settings.ts'
import type { Logger } from '../../observe/Logger.ts'
import type { Shutdown } from '../../observe/Shutdown.ts'
import { listenOperations, type Operations } from '../operations/openOperations.ts'
import { guardFront, guardPrivate, operatorAccessOf } from '../operations/operatorAccess.ts'
import type { OpenedGateway } from './openGateway.ts'
import type { OpenedPages } from './openPages.ts'

/** Drain times of a service: how long requests are still accepted, and the timeout of requests in flight. */
export type Drain = { readonly delayMs: number; readonly timeoutMs: number }

export type ServiceParts = {
  readonly mounts: readonly Mount[]
  /** Additional pages. */
  readonly pages: OpenedPages
  readonly operations: Operations
  /** Access control; without it, every request is accepted. */
  readonly gateway: Pick<OpenedGateway, 'gate' | 'routes' | 'operatorRoutes' | 'onAnswered'> | undefined
  readonly streams?: Streams | undefined
}

/** URLs of a service. */
export type ServedUrls = {
  /** Without a trailing slash. */
  readonly url: string
  /** URL of the operations listener, if there is one. */
  readonly operations: string | undefined
}

/** HTTP endpoint of a configured network. */
export const endpointOf = (config: Config) => ({
  host: config.host,
  port: config.port,
  drain: { delayMs: config.drainDelay, timeoutMs: config.drainTimeout },
  /** Where operator endpoints are served. */
  operator: operatorAccessOf(config, { isEmbedded: false }),
})

export type ServiceEndpoint = Readonly<ReturnType<typeof endpointOf>> & {
  /** Servers that listen there already, on copies of one socket. They are taken over. */
  readonly sockets?: readonly Server[] | undefined
  /** The front that forwards requests to it; without one, clients connect themselves. */
  readonly front?: FrontLink | undefined
}

/** Serves until shutdown, which first drains the requests in flight. */
export const listenService = async (
  { host, port, sockets, front, drain, operator }: ServiceEndpoint,
  { mounts, pages, operations, gateway, streams }: ServiceParts,
  logger: Logger,
  shutdown: Pick<Shutdown, 'add'>,
): Promise<ServedUrls> => {
  const { onAnswered: measure, readiness, routes: health } = operations
  const operatorRoutes = [...operations.operatorRoutes, ...(gateway?.operatorRoutes ?? [])]
  const isPrivate = operator.mode === 'private'
  const own = isPrivate
    ? [...pages.usage, ...guardPrivate(operatorRoutes, operator.allowedHosts)]
    : front === undefined
      ? []
      : guardFront([...pages.usage, ...operatorRoutes])
  // Opened first, closed last.
  const listener =
    isPrivate || front !== undefined || operator.address === undefined
      ? undefined
      : await listenOperations(
          {
            address: operator.address,
            allowedHosts: operator.allowedHosts,
            health,
            operatorRoutes,
            pages: gateway === undefined ? [] : [...pages.usage, pages.assets],
          },
          logger,
          shutdown,
        )
  const both: OnAnswered = (answered) => {
    measure(answered)
    gateway?.onAnswered(answered)
  }
  const server = await createHttpServer({
    mounts,
    routes: [...health, ...pages.routes, pages.assets, ...(gateway?.routes ?? []), ...own],
    notFound: pages.notFound,
    logger,
    host,
    port,
    sockets,
    front,
    limits: { closeTimeoutMs: drain.timeoutMs },
    accessControl: gateway?.gate,
    shedders: operations.shedders,
    onAnswered: gateway === undefined ? measure : both,
    streams,
  })
  const close = async (): Promise<void> => {
    readiness.drain()
    await server.close(drain.delayMs)
  }
  shutdown.add('http server', close, drain.delayMs + drain.timeoutMs + GRACE_MS)
  return { url: front?.url ?? server.url, operations: listener?.url }
}

const GRACE_MS = 2000

/** Facts about a running service. */
export type ServiceFacts = { readonly hasLive: boolean; readonly hasIndex: boolean; readonly workers?: number }

/** Start-up output: text for people, JSON for programs. */
export const describeService = ({ url, operations }: ServedUrls, { hasLive, hasIndex, workers = 1 }: ServiceFacts) => {
  const lines = [
    workers === 1 ? 'The service runs.' : `The service runs in ${workers} processes.`,
    '',
    `  explorer       ${url}`,
    `  reference      ${url}/docs`,
    ...(hasLive ? [`  live (v2)      ${url}/api/v2`] : []),
    ...(hasIndex ? [`  indexed (v3)   ${url}/api/v3`, `  streaming      ${url}/api/streaming/v2/sse`] : []),
    `  is it ready?   ${url}/ready`,
    ...(operations === undefined ? [] : [`  metrics        ${operations}/metrics`]),
    '',
    'Press Ctrl-C to stop.',
  ]
  const value = {
    url,
    ...(operations !== undefined && { operations }),
    ...(hasLive && { v2: `${url}/api/v2`, v2Ton: `${url}/ton/api/v2` }),
    ...(hasIndex && { v3: `${url}/api/v3`, v3Ton: `${url}/ton/api/v3`, streaming: `${url}/api/streaming/v2` }),
  }
  return { text: lines.join('\n'), value }
}
