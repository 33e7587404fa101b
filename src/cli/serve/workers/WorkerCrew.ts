import type { Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from '../../../observe/Logger.ts'
import type { MetricFamily } from '../../../observe/MetricFamily.ts'
import type { ServedUrls } from '../listenService.ts'
import { watchHandedConnections } from './handedConnections.ts'
import { ProcessChannel } from './ProcessChannel.ts'
import { topics } from './WorkerLink.ts'

export type CrewOptions = {
  readonly size: number
  readonly fork: (slot: number) => Worker
  readonly logger: Logger
  /** How long workers may take to end when they are told to. */
  readonly closeTimeoutMs: number
  /** Answers the question for the figures of all. */
  readonly readMetrics: () => Promise<string>
}

type Member = { readonly worker: Worker; readonly channel: ProcessChannel; isReady: boolean }

/** Less than whoever asked for the figures of all waits for them. */
const FIGURES_MS = 2000
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 30_000
/** Whoever lived this long did not die of being started. */
const STEADY_MS = 60_000

/** Processes that all do the same. One that dies is replaced, at once at first and ever more slowly if that does not help. */
export class WorkerCrew {
  private readonly options: CrewOptions
  private readonly members = new Map<number, Member>()
  private readonly closing = new AbortController()
  private readonly keeping: Promise<void>[] = []
  private hasServed = false
  private restarts = 0

  constructor(options: CrewOptions) {
    this.options = options
  }

  get figures(): { readonly running: number; readonly restarts: number } {
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

  /** Resolves when it serves, or when all is closed before that. */
  private startOther(slot: number): Promise<void> {
    return new Promise((done) => {
      this.keeping.push(this.keep(slot, () => done()).then(() => done()))
    })
  }

  /** The figures of all that answer, by their place. */
  async readFigures(): Promise<{ readonly name: string; readonly families: readonly MetricFamily[] }[]> {
    const parts = [...this.members].map(async ([slot, { channel, isReady }]) => {
      if (!isReady) return []
      const families = await channel.ask(topics.figures, undefined, FIGURES_MS).catch(() => undefined)
      return families === undefined ? [] : [{ name: String(slot), families: families as MetricFamily[] }]
    })
    return (await Promise.all(parts)).flat()
  }

  /** Has them finish what they are at. Who does not end in time is ended. */
  async close(): Promise<void> {
    this.closing.abort()
    for (const { worker, channel, isReady } of this.members.values()) {
      // Whoever has just been started may not listen yet, and has nothing to finish.
      if (isReady) channel.tell(topics.stop)
      else worker.process.kill('SIGTERM')
    }
    const force = setTimeout(() => {
      for (const { worker } of this.members.values()) worker.process.kill('SIGKILL')
    }, this.options.closeTimeoutMs)
    await Promise.all(this.keeping).finally(() => clearTimeout(force))
  }

  /** Keeps one place filled until all is closed; gives up with its exit code only if nobody has ever come to serve. */
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
      logger.error('worker died', { slot, exitCode: code, signal: killedBy, nextInMs: Math.round(pauseMs) })
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
      for (const other of this.members.values()) if (other !== member) other.channel.tell(topics.sent, boc)
    })
    worker.on('error', (error) => this.options.logger.warn('worker cannot be reached', { slot, error }))
    const [code, killedBy] = (await once(worker, 'exit')) as [number | null, string | null]
    this.members.delete(slot)
    const connections = resetHanded()
    if (connections > 0) this.options.logger.warn('connections of a dead worker reset', { slot, connections })
    return { code: code ?? undefined, killedBy: killedBy ?? undefined }
  }
}
