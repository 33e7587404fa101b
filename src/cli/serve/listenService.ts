import type { OnAnswered } from '../../api/core/AnsweredRequest.ts'
import { createHttpServer, type HttpServer } from '../../api/core/createHttpServer.ts'
import type { Mount } from '../../api/core/Mount.ts'
import type { PlainRoute } from '../../api/core/PlainRoute.ts'
import type { Config } from '../../config/settings.ts'
import type { Logger } from '../../observe/Logger.ts'
import type { Shutdown } from '../../observe/Shutdown.ts'
import type { Operations } from '../operations/openOperations.ts'
import type { OpenedGateway } from './openGateway.ts'

/** How a service ends: so long requests are still taken, and so long those that were taken may take. */
export type Drain = { readonly delayMs: number; readonly timeoutMs: number }

export type ServicePlace = { readonly host: string; readonly port: number; readonly drain: Drain }

export type ServiceParts = {
  readonly mounts: readonly Mount[]
  /** Served besides. */
  readonly pages: readonly PlainRoute[]
  readonly operations: Operations
  /** Without one, everybody is let in. */
  readonly gateway: Pick<OpenedGateway, 'gate' | 'routes' | 'onAnswered'> | undefined
}

export const placeOf = ({ host, port, drainDelay, drainTimeout }: Config): ServicePlace => ({
  host,
  port,
  drain: { delayMs: drainDelay, timeoutMs: drainTimeout },
})

/** Serves until everything is closed: then the requests that were taken are answered first. */
export const listenService = async (
  { host, port, drain }: ServicePlace,
  { mounts, pages, operations, gateway }: ServiceParts,
  logger: Logger,
  shutdown: Pick<Shutdown, 'add'>,
): Promise<HttpServer> => {
  const { onAnswered: measure, readiness } = operations
  const both: OnAnswered = (answered) => {
    measure(answered)
    gateway?.onAnswered(answered)
  }
  const server = await createHttpServer({
    mounts,
    routes: [...operations.routes, ...pages, ...(gateway?.routes ?? [])],
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
  return server
}

const GRACE_MS = 2000
