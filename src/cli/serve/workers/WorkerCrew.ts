import type { Worker } from 'node:cluster'
import cluster from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { countForWorkers } from '../../../gateway/counters/SharedCounters.ts'
import type { Logger } from '../../../observe/Logger.ts'
import { formatMetrics, joinMetrics, type MetricFamily } from '../../../observe/Metrics.ts'
import { type CommandContext, hasConfiguredNetwork } from '../../Command.ts'
import { createMetrics } from '../../operations/metrics.ts'
import { describeService, type ServedUrls } from '../listenService.ts'
import { createSharedFile, SLOT_VARIABLE, workersOf } from './SharedSeqnos.ts'
import { ProcessChannel, topics } from './WorkerLink.ts'

/**
 * Runs as many processes as the settings say, each of which does what this command would do alone, and takes its share of the requests
 * at the one port. This process answers none: it watches over them.
 */
export const runWorkers = async (context: CommandContext): Promise<number | undefined> => {
  const { config, logger, shutdown, show } = context
  const { drainDelay, drainTimeout } = config
  const size = workersOf(config)
  const metrics = createMetrics(shutdown)
  const shared = createSharedFile()
  shutdown.add('shared memory of workers', () => shared.close())
  cluster.setupPrimary({ serialization: 'advanced', stdio: ['inherit', 'inherit', 'inherit', 'ipc', shared.fd] })
  const stopCounting = countForWorkers(cluster)
  shutdown.add('limits', stopCounting)
  const readMetrics = async (): Promise<string> => {
    const own = { name: 'primary', families: metrics.read() }
    return formatMetrics(joinMetrics('worker', [own, ...(await crew.readWorkerMetrics())]))
  }
  const closeTimeoutMs = drainDelay + drainTimeout + GRACE_MS
  const crew = new WorkerCrew({
    size,
    fork: (slot) => cluster.fork({ [SLOT_VARIABLE]: slot }),
    logger,
    closeTimeoutMs,
    readMetrics,
  })
  metrics.reading('gauge', 'chaincenter_workers', 'Running worker processes.', () => [{ value: crew.stats.running }])
  metrics.reading('counter', 'chaincenter_worker_restarts_total', 'Restarted worker processes.', () => [
    { value: crew.stats.restarts },
  ])
  shutdown.add('workers', () => crew.close(), closeTimeoutMs + 1000)
  const started = await crew.start()
  if ('exitCode' in started) return shutdown.signal.aborted ? undefined : started.exitCode
  if (shutdown.signal.aborted) return undefined
  show(
    describeService(started, {
      hasLive: hasConfiguredNetwork(config),
      hasIndex: config.databaseUrl !== undefined,
      workers: size,
    }),
  )
  await new Promise<void>((done) => shutdown.signal.addEventListener('abort', () => done(), { once: true }))
  return undefined
}

/** The handle of a connection, as the cluster passes it on. */
type Handle = { close(): void; reset?(): number }

/** What the cluster's two sides say to each other about connections. */
type ClusterMessage = {
  readonly cmd?: unknown
  readonly act?: unknown
  readonly seq?: unknown
  readonly ack?: unknown
}

type Send = (message: unknown, handle?: unknown, ...rest: unknown[]) => boolean

/**
 * Remembers the connections that were handed to a worker and that it has not taken yet. The cluster closes its own handle of a
 * connection only when the worker says that it has it: if the worker dies before that, the connection is neither served nor closed.
 * The returned function does: its clients know at once, and can ask again.
 */
export const watchHandedConnections = ({ process }: Pick<Worker, 'process'>): (() => number) => {
  const handed = new Map<unknown, Handle>()
  const send = process.send.bind(process) as Send
  const sendAndRemember: Send = (message, handle, ...rest) => {
    const { cmd, act, seq } = message as ClusterMessage
    if (cmd === 'NODE_CLUSTER' && act === 'newconn' && isHandle(handle)) handed.set(seq, handle)
    return send(message, handle, ...rest)
  }
  Object.assign(process, { send: sendAndRemember })
  // Taken, or given back to be handed to another: either way it is not this worker's.
  process.on('internalMessage', ({ cmd, ack }: ClusterMessage) => {
    if (cmd === 'NODE_CLUSTER') handed.delete(ack)
  })
  return () => {
    const count = handed.size
    for (const handle of handed.values()) if (handle.reset === undefined || handle.reset() !== 0) handle.close()
    handed.clear()
    return count
  }
}

const isHandle = (value: unknown): value is Handle =>
  typeof value === 'object' && value !== null && 'close' in value && typeof value.close === 'function'

export type CrewOptions = {
  readonly size: number
  readonly fork: (slot: number) => Worker
  readonly logger: Logger
  /** Timeout for workers to exit after a stop request. */
  readonly closeTimeoutMs: number
  /** Answers the request for the metrics of all workers. */
  readonly readMetrics: () => Promise<string>
}

type Member = { readonly worker: Worker; readonly channel: ProcessChannel; isReady: boolean }

/** Shorter than the timeout of the caller that collects the metrics of all workers. */
const METRICS_MS = 2000
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 30_000
/** A worker that ran this long started correctly. */
const STEADY_MS = 60_000

/** Identical worker processes. A worker that exits is restarted, at first at once and then with a growing backoff. */
class WorkerCrew {
  private readonly options: CrewOptions
  private readonly members = new Map<number, Member>()
  private readonly closing = new AbortController()
  private readonly keeping: Promise<void>[] = []
  private hasServed = false
  private restarts = 0

  constructor(options: CrewOptions) {
    this.options = options
  }

  get stats(): { readonly running: number; readonly restarts: number } {
    const running = [...this.members.values()].filter(({ isReady }) => isReady).length
    return { running, restarts: this.restarts }
  }

  /**
   * Starts all of them, the first alone: what is wrong with the settings is wrong for all. Resolves with the URLs that they serve at, or
   * with the exit code of a first worker that never came to serve.
   */
  async start(): Promise<ServedUrls | { readonly exitCode: number }> {
    const first = await new Promise<ServedUrls | { exitCode: number }>((done) => {
      this.keeping.push(this.keep(0, done).then((exitCode) => done({ exitCode: exitCode ?? 0 })))
    })
    if ('exitCode' in first) return first
    const others = Array.from({ length: this.options.size - 1 }, (_, k) => this.startOther(k + 1))
    await Promise.all(others)
    return first
  }

  /** Resolves when the worker is ready, or when the crew is closed before that. */
  private startOther(slot: number): Promise<void> {
    return new Promise((done) => {
      this.keeping.push(this.keep(slot, () => done()).then(() => done()))
    })
  }

  /** Metrics of all workers that answer, by slot. */
  async readWorkerMetrics(): Promise<{ readonly name: string; readonly families: readonly MetricFamily[] }[]> {
    const parts = [...this.members].map(async ([slot, { channel, isReady }]) => {
      if (!isReady) return []
      const families = await channel.request(topics.workerMetrics, undefined, METRICS_MS).catch(() => undefined)
      return families === undefined ? [] : [{ name: String(slot), families: families as MetricFamily[] }]
    })
    return (await Promise.all(parts)).flat()
  }

  /** Drains all workers. A worker that does not exit in time is killed. */
  async close(): Promise<void> {
    this.closing.abort()
    for (const { worker, channel, isReady } of this.members.values()) {
      // A worker that was just started may not listen yet, and has nothing to drain.
      if (isReady) channel.notify(topics.stop)
      else worker.process.kill('SIGTERM')
    }
    const force = setTimeout(() => {
      for (const { worker } of this.members.values()) worker.process.kill('SIGKILL')
    }, this.options.closeTimeoutMs)
    await Promise.all(this.keeping).finally(() => clearTimeout(force))
  }

  /** Restarts the worker of a slot until the crew is closed; gives up with its exit code only if no worker has ever become ready. */
  private async keep(slot: number, onReady: (urls: ServedUrls) => void = () => undefined): Promise<number | undefined> {
    const { logger } = this.options
    const { signal } = this.closing
    let failures = 0
    while (!signal.aborted) {
      const startedAt = performance.now()
      const { code, killedBy } = await this.runMember(slot, onReady)
      if (signal.aborted) return undefined
      if (!this.hasServed) return code ?? 1
      failures = performance.now() - startedAt > STEADY_MS ? 0 : failures + 1
      const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1))
      logger.error('worker exited, restarting', {
        slot,
        exitCode: code,
        signal: killedBy,
        nextInMs: Math.round(pauseMs),
      })
      this.restarts++
      await delay(pauseMs, undefined, { signal }).catch(() => undefined)
    }
    return undefined
  }

  private async runMember(
    slot: number,
    onReady: (urls: ServedUrls) => void,
  ): Promise<{ readonly code: number | undefined; readonly killedBy: string | undefined }> {
    const worker = this.options.fork(slot)
    const resetHanded = watchHandedConnections(worker)
    const channel = new ProcessChannel({
      send: (message) => worker.isConnected() && worker.send(message as object, () => undefined),
      onMessage: (listener) => void worker.on('message', listener),
    })
    const member: Member = { worker, channel, isReady: false }
    this.members.set(slot, member)
    channel.handle(topics.ready, (urls) => {
      this.hasServed = true
      member.isReady = true
      onReady(urls as ServedUrls)
    })
    channel.handle(topics.metrics, () => this.options.readMetrics())
    channel.handle(topics.sent, (boc) => {
      for (const other of this.members.values()) if (other !== member) other.channel.notify(topics.sent, boc)
    })
    worker.on('error', (error) => this.options.logger.warn('worker unreachable', { slot, error }))
    const [code, killedBy] = (await once(worker, 'exit')) as [number | null, string | null]
    this.members.delete(slot)
    const connections = resetHanded()
    if (connections > 0) this.options.logger.warn('connections of exited worker reset', { slot, connections })
    return { code: code ?? undefined, killedBy: killedBy ?? undefined }
  }
}

/** For workers to close all else that they have open. */
const GRACE_MS = 15_000
