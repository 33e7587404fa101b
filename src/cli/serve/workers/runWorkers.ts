import cluster from 'node:cluster'
import { countForWorkers } from '../../../gateway/counters/SharedCounters.ts'
import { formatMetrics, joinMetrics } from '../../../observe/MetricFamily.ts'
import type { CommandContext } from '../../Command.ts'
import { namesNetwork } from '../../namesNetwork.ts'
import { createMetrics } from '../../operations/openOperations.ts'
import { describeService } from '../describeService.ts'
import { createSharedFile, SLOT_VARIABLE } from './SharedSeqnos.ts'
import { WorkerCrew } from './WorkerCrew.ts'

/** For workers to close all else that they have open. */
const GRACE_MS = 15_000

/**
 * Runs as many processes as the settings say, each of which does what this command would do alone, and takes its share of the requests
 * at the one port. This process answers none: it watches over them.
 */
export const runWorkers = async (context: CommandContext): Promise<number | undefined> => {
  const { config, logger, shutdown, show } = context
  const { workers: size, drainDelay, drainTimeout } = config
  const metrics = createMetrics(shutdown)
  const shared = createSharedFile()
  shutdown.add('what workers share', () => shared.close())
  cluster.setupPrimary({ serialization: 'advanced', stdio: ['inherit', 'inherit', 'inherit', 'ipc', shared.fd] })
  const stopCounting = countForWorkers(cluster)
  shutdown.add('limits', stopCounting)
  const readMetrics = async (): Promise<string> => {
    const own = { name: 'primary', families: metrics.read() }
    return formatMetrics(joinMetrics('worker', [own, ...(await crew.readFigures())]))
  }
  const closeTimeoutMs = drainDelay + drainTimeout + GRACE_MS
  const crew = new WorkerCrew({
    size,
    fork: (slot) => cluster.fork({ [SLOT_VARIABLE]: slot }),
    logger,
    closeTimeoutMs,
    readMetrics,
  })
  metrics.reading('gauge', 'chaincenter_workers', 'Processes that take requests.', () => [
    { value: crew.figures.running },
  ])
  metrics.reading('counter', 'chaincenter_worker_restarts_total', 'Processes that had to be replaced.', () => [
    { value: crew.figures.restarts },
  ])
  shutdown.add('workers', () => crew.close(), closeTimeoutMs + 1000)
  const started = await crew.start()
  if ('exitCode' in started) return shutdown.signal.aborted ? undefined : started.exitCode
  if (shutdown.signal.aborted) return undefined
  show(
    describeService(started, {
      hasLive: namesNetwork(config),
      hasIndex: config.databaseUrl !== undefined,
      workers: size,
    }),
  )
  await new Promise<void>((done) => shutdown.signal.addEventListener('abort', () => done(), { once: true }))
  return undefined
}
