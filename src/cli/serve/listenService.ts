import type { OnAnswered } from '../../api/core/Call.ts'
import { createHttpServer } from '../../api/core/createHttpServer.ts'
import type { Mount } from '../../api/core/Mount.ts'
import type { Config } from '../../config/settings.ts'
import type { Logger } from '../../observe/Logger.ts'
import type { Shutdown } from '../../observe/Shutdown.ts'
import { listenOperations } from '../operations/listenOperations.ts'
import type { Operations } from '../operations/openOperations.ts'
import { guardPrivate, type OperatorAccess, operatorAccessOf } from '../operations/operatorAccess.ts'
import type { OpenedGateway } from './openGateway.ts'
import type { OpenedPages } from './openPages.ts'

/** How a service ends: so long requests are still taken, and so long those that were taken may take. */
export type Drain = { readonly delayMs: number; readonly timeoutMs: number }

export type ServicePlace = {
  readonly host: string
  readonly port: number
  readonly drain: Drain
  /** Where what is for an operator is served. */
  readonly operator: OperatorAccess
}

export type ServiceParts = {
  readonly mounts: readonly Mount[]
  /** Served besides. */
  readonly pages: OpenedPages
  readonly operations: Operations
  /** Without one, everybody is let in. */
  readonly gateway: Pick<OpenedGateway, 'gate' | 'routes' | 'operatorRoutes' | 'onAnswered'> | undefined
}

/** Where a service is reached. */
export type ServedUrls = {
  /** Without a slash at its end. */
  readonly url: string
  /** Of the operations listener, where there is one. */
  readonly operations: string | undefined
}

/** For a network that the settings name. */
export const placeOf = (config: Config): ServicePlace => ({
  host: config.host,
  port: config.port,
  drain: { delayMs: config.drainDelay, timeoutMs: config.drainTimeout },
  operator: operatorAccessOf(config, { isEmbedded: false }),
})

/** Serves until everything is closed: then the requests that were taken are answered first. */
export const listenService = async (
  { host, port, drain, operator }: ServicePlace,
  { mounts, pages, operations, gateway }: ServiceParts,
  logger: Logger,
  shutdown: Pick<Shutdown, 'add'>,
): Promise<ServedUrls> => {
  const { onAnswered: measure, readiness, routes: health } = operations
  const operatorRoutes = [...operations.operatorRoutes, ...(gateway?.operatorRoutes ?? [])]
  const isPrivate = operator.mode === 'private'
  const own = isPrivate ? [...pages.usage, ...guardPrivate(operatorRoutes, operator.allowedHosts)] : []
  // Opened first, so that it is closed last.
  const listener =
    isPrivate || operator.address === undefined
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
    logger,
    host,
    port,
    limits: { closeTimeoutMs: drain.timeoutMs },
    gate: gateway?.gate,
    onAnswered: gateway === undefined ? measure : both,
  })
  const close = async (): Promise<void> => {
    readiness.drain()
    await server.close(drain.delayMs)
  }
  shutdown.add('http server', close, drain.delayMs + drain.timeoutMs + GRACE_MS)
  return { url: server.url, operations: listener?.url }
}

const GRACE_MS = 2000
