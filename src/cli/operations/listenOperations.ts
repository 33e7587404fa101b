import { createHttpServer, type HttpServer } from '../../api/core/createHttpServer.ts'
import type { PlainRoute } from '../../api/core/PlainRoute.ts'
import type { HostPort } from '../../config/Kind.ts'
import type { Logger } from '../../observe/Logger.ts'
import type { Metrics } from '../../observe/Metrics.ts'
import type { Shutdown } from '../../observe/Shutdown.ts'
import type { CommandContext } from '../Command.ts'
import { openOperations, type WatchedParts } from './openOperations.ts'
import { guardListener, operatorAccessOf } from './operatorAccess.ts'

export type OperationsListener = {
  readonly address: HostPort
  readonly allowedHosts: readonly string[]
  /** Whether the process is alive, and whether it is of use. */
  readonly health: readonly PlainRoute[]
  /** What only an operator may ask. */
  readonly operatorRoutes: readonly PlainRoute[]
  /** Pages that show it, and what they load. */
  readonly pages?: readonly PlainRoute[]
}

/** Listens at an address that is for the operator alone. */
export const listenOperations = async (
  { address: { host, port }, allowedHosts, health, operatorRoutes, pages = [] }: OperationsListener,
  logger: Logger,
  shutdown: Pick<Shutdown, 'add'>,
): Promise<HttpServer> => {
  const routes = [...health, ...pages, ...guardListener(operatorRoutes, allowedHosts)]
  const server = await createHttpServer({ mounts: [], routes, logger, host, port })
  shutdown.add('operations listener', () => server.close())
  logger.info('operations listening', { url: server.url })
  return server
}

/** The same for a process that serves nothing else, where the settings name an address. */
export const listenOwnOperations = async (
  { config, logger, shutdown }: CommandContext,
  metrics: Metrics,
  parts: WatchedParts,
): Promise<void> => {
  if (config.operationsAddress === undefined) return
  const access = operatorAccessOf(config, { isEmbedded: false })
  if (access.mode !== 'listener' || access.address === undefined) return
  const { readyHeadAge: maxHeadAgeMs, readyIndexLag: maxIndexLagMs } = config
  const { routes: health, operatorRoutes } = openOperations(metrics, { maxHeadAgeMs, maxIndexLagMs }, parts)
  // So that it is known how far the index is, although nobody reads it.
  void parts.database?.then((database) => database.reader())
  await listenOperations({ ...access, address: access.address, health, operatorRoutes }, logger, shutdown)
}
