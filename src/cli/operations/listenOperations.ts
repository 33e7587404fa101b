import { createHttpServer } from '../../api/core/createHttpServer.ts'
import type { Metrics } from '../../observe/Metrics.ts'
import type { CommandContext } from '../Command.ts'
import { openOperations, type WatchedParts } from './openOperations.ts'

/** Tells how a process is doing that serves nothing else, where the settings say at which port. */
export const listenOperations = async (
  { config, logger, shutdown }: CommandContext,
  metrics: Metrics,
  parts: WatchedParts,
): Promise<void> => {
  const { metricsPort: port, host, publicMetrics, readyHeadAge, readyIndexLag } = config
  if (port === undefined) return
  const settings = { maxHeadAgeMs: readyHeadAge, maxIndexLagMs: readyIndexLag, publicMetrics }
  const { routes } = openOperations(metrics, settings, parts)
  // So that it is known how far the index is, although nobody reads it.
  void parts.database?.then((database) => database.reader())
  const server = await createHttpServer({ mounts: [], routes, logger, host, port })
  shutdown.add('figures at a port', () => server.close())
  logger.info('figures are served', { url: `${server.url}/metrics` })
}
