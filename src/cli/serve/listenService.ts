import type { OnAnswered } from '../../api/core/AnsweredRequest.ts'
import { createHttpServer, type HttpServer } from '../../api/core/createHttpServer.ts'
import type { Gate } from '../../api/core/Gate.ts'
import type { Mount } from '../../api/core/Mount.ts'
import type { PlainRoute } from '../../api/core/PlainRoute.ts'
import type { Config } from '../../config/settings.ts'
import type { Logger } from '../../observe/Logger.ts'
import type { Shutdown } from '../../observe/Shutdown.ts'
import type { Operations } from '../operations/openOperations.ts'

/** How a service ends: so long requests are still taken, and so long those that were taken may take. */
export type Drain = { readonly delayMs: number; readonly timeoutMs: number }

export type ServicePlace = { readonly host: string; readonly port: number; readonly drain: Drain }

export type ServiceParts = {
  readonly mounts: readonly Mount[]
  /** Pages and whatever else is served besides. */
  readonly routes: readonly PlainRoute[]
  readonly operations: Operations
  readonly gate?: Gate | undefined
  /** Told of every request that an interface has answered, besides those who measure. */
  readonly onAnswered?: OnAnswered | undefined
}

export const placeOf = ({ host, port, drainDelay, drainTimeout }: Config): ServicePlace => ({
  host,
  port,
  drain: { delayMs: drainDelay, timeoutMs: drainTimeout },
})

/** Serves until everything is closed: then the requests that were taken are answered first. */
export const listenService = async (
  { host, port, drain }: ServicePlace,
  { mounts, routes, operations, gate, onAnswered: count }: ServiceParts,
  logger: Logger,
  shutdown: Pick<Shutdown, 'add'>,
): Promise<HttpServer> => {
  const { onAnswered: measure, readiness } = operations
  const both: OnAnswered = (answered) => {
    measure(answered)
    count?.(answered)
  }
  const server = await createHttpServer({
    mounts,
    routes: [...operations.routes, ...routes],
    logger,
    host,
    port,
    limits: { closeTimeoutMs: drain.timeoutMs },
    gate,
    onAnswered: count === undefined ? measure : both,
  })
  const close = async (): Promise<void> => {
    readiness.drain()
    await server.close(drain.delayMs)
  }
  shutdown.add('http server', close, drain.delayMs + drain.timeoutMs + GRACE_MS)
  return server
}

const GRACE_MS = 2000
