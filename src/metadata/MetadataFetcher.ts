import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from '../observe/Logger.ts'
import type { Metrics } from '../observe/Metrics.ts'
import type { Database } from '../store/connect/Database.ts'
import { claimTasks, type MetadataTask, type TaskEnd } from '../store/metadata/metadataTasks.ts'
import { type BuildRules, refusePicture } from './content/buildMetadata.ts'
import { parseDocument } from './content/parseDocument.ts'
import { MetadataError, MetadataUnavailableError } from './errors.ts'
import type { FetchRules } from './fetch/FetchRules.ts'
import { fetchDocument } from './fetch/fetchDocument.ts'
import { HostLimiter } from './HostLimiter.ts'
import { TokenFinder } from './TokenFinder.ts'
import { endLater, endWith, endWithout, planTask, type TaskPlan, TaskWriter } from './tasks.ts'

const SECONDS = [0.05, 0.2, 0.5, 1, 2, 5, 10, 30]

export type TaskResult = 'found' | 'failed' | 'retry' | 'postponed'

/** Metrics of the fetcher. */
type MetadataMetrics = {
  ended(end: TaskEnd): void
  queued(tokens: number): void
  fetched(seconds: number, result: 'found' | 'failed'): void
  setActive(fetches: number): void
  /** Finished tasks by result. */
  readonly totals: Readonly<Record<TaskResult, number>>
}

const createMetadataMetrics = (metrics: Metrics): MetadataMetrics => {
  const tasks = metrics.counter('chaincenter_metadata_tasks_total', 'Metadata tasks by result.')
  const tokens = metrics.counter('chaincenter_metadata_tokens_queued_total', 'Tokens queued for metadata.')
  const seconds = metrics.histogram('chaincenter_metadata_fetch_seconds', 'Duration of a document fetch.', SECONDS)
  const active = metrics.gauge('chaincenter_metadata_fetches', 'Document fetches in progress.')
  const totals = { found: 0, failed: 0, retry: 0, postponed: 0 }
  return {
    ended: (end) => {
      const result = resultOf(end)
      totals[result]++
      tasks.add(1, { result })
    },
    queued: (count) => tokens.add(count),
    fetched: (took, result) => seconds.observe(took, { result }),
    setActive: (count) => active.set(count),
    totals,
  }
}

const resultOf = (end: TaskEnd): TaskResult => {
  if (end.kind === 'found') return end.tries === 0 ? 'found' : 'failed'
  return end.error === undefined ? 'postponed' : 'retry'
}

/** Waits for a time, until it is woken, or until the signal aborts. */
class Waiter {
  readonly #signal: AbortSignal
  #isWoken = false
  #resume: (() => void) | undefined

  constructor(signal: AbortSignal) {
    this.#signal = signal
    signal.addEventListener('abort', () => this.wake())
  }

  wake(): void {
    this.#isWoken = true
    this.#resume?.()
  }

  /** After a wake-up it waits `gatherMs` more, to batch events. */
  async wait(ms: number, gatherMs = 0): Promise<void> {
    if (!this.#isWoken && !this.#signal.aborted) {
      let timer: NodeJS.Timeout | undefined
      await new Promise<void>((resolve) => {
        this.#resume = resolve
        timer = setTimeout(resolve, ms)
      })
      clearTimeout(timer)
    }
    if (this.#isWoken && gatherMs > 0 && !this.#signal.aborted) {
      await delay(gatherMs, undefined, { signal: this.#signal }).catch(() => {})
    }
    this.#isWoken = false
    this.#resume = undefined
  }
}

export type MetadataTimes = {
  /** Idle interval. */
  readonly idleMs: number
  /** Interval of the search for new tokens. */
  readonly lookMs: number
  /** Interval of the sweep over all tokens. */
  readonly sweepMs: number
  /** Lease of a task: due again if its process died. Longer than any fetch. */
  readonly claimMs: number
  readonly refreshMs: number
}

const DAY_MS = 86_400_000

export const metadataTimes: MetadataTimes = {
  idleMs: 1000,
  lookMs: 2000,
  sweepMs: DAY_MS / 4,
  claimMs: 120_000,
  refreshMs: 7 * DAY_MS,
}

export type MetadataOptions = {
  readonly database: Pick<Database, 'transaction'>
  readonly rules: FetchRules
  /** Image proxy for previews. */
  readonly imageProxy: URL | undefined
  /** Concurrent fetches. */
  readonly parallel: number
  readonly logger: Logger
  readonly metrics: Metrics
  readonly times?: MetadataTimes
}

/** Pause between pages of a sweep, to spare the database. */
const SWEEP_REST_MS = 100
const AFTER_FAILURE_MS = 5000
const TELL_MS = 60_000
/** Results within this time are written in one batch. */
const GATHER_MS = 20

/**
 * Fetches off-chain metadata of tokens. It only reads the index tables, by short queries one at a time; several processes share the work
 * through the task table.
 */
export class MetadataFetcher {
  readonly #options: MetadataOptions
  readonly #times: MetadataTimes
  readonly #build: BuildRules
  readonly #metrics: MetadataMetrics
  readonly #finder: TokenFinder
  readonly #writer: TaskWriter
  readonly #gates = new HostLimiter()
  readonly #controller = new AbortController()
  readonly #waiter = new Waiter(this.#controller.signal)
  readonly #active = new Set<Promise<void>>()
  #running: Promise<void> | undefined

  constructor(options: MetadataOptions) {
    const { rules, imageProxy, database, logger, times = metadataTimes } = options
    this.#options = options
    this.#times = times
    this.#build = { refusePicture: (image) => refusePicture(image, rules), imageProxy }
    this.#metrics = createMetadataMetrics(options.metrics)
    this.#finder = new TokenFinder(database, times)
    this.#writer = new TaskWriter({
      database,
      logger,
      refreshMs: times.refreshMs,
      onWritten: (end) => this.#metrics.ended(end),
    })
  }

  get totals(): MetadataMetrics['totals'] {
    return this.#metrics.totals
  }

  /** Runs until closed. Failures are logged and retried. */
  start(): void {
    this.#running ??= this.#run()
  }

  /** Aborts fetches in progress and releases their tasks. */
  async close(): Promise<void> {
    this.#controller.abort(new Error('Metadata fetcher closed.'))
    await this.#running
  }

  async #run(): Promise<void> {
    const { signal } = this.#controller
    let told = performance.now()
    while (!signal.aborted) {
      try {
        const restMs = await this.#step()
        if (restMs > 0) await this.#waiter.wait(restMs, GATHER_MS)
      } catch (error) {
        this.#options.logger.warn('metadata step failed, retrying', { error })
        await this.#waiter.wait(AFTER_FAILURE_MS)
      }
      if (performance.now() - told > TELL_MS) {
        told = performance.now()
        this.#options.logger.info('metadata', { ...this.totals, active: this.#active.size })
      }
    }
    await Promise.all(this.#active)
    await this.#writer
      .write()
      .catch((error: unknown) => this.#options.logger.debug('metadata task release failed', { error }))
  }

  /** Writes results, starts due tasks, and looks for new tokens. Returns the idle time. */
  async #step(): Promise<number> {
    const { idleMs } = this.#times

    await this.#writer.write()
    this.#metrics.queued(await this.#finder.look())
    const room = this.#options.parallel - this.#active.size - this.#writer.waiting
    if (room <= 0) return idleMs
    const tasks = await this.#options.database.transaction((client) => claimTasks(client, room, this.#times.claimMs))
    for (const task of tasks) this.#begin(task)
    if (tasks.length === room) return 0
    const { queued, isAtEnd } = await this.#finder.sweep()
    this.#metrics.queued(queued)
    if (tasks.length > 0 || queued > 0) return 0
    return isAtEnd ? idleMs : SWEEP_REST_MS
  }

  #begin(task: MetadataTask): void {
    const plan = planTask(task, this.#options.rules)
    const end = this.#endAtOnce(plan)
    if (end !== undefined) this.#writer.add(end)
    else if (plan.kind === 'fetch') this.#track(this.#fetch(plan))
  }

  /** The result of a task that needs no fetch, or not now. */
  #endAtOnce(plan: TaskPlan): TaskEnd | undefined {
    if (plan.kind === 'onChain') return endWith(plan, undefined, this.#build)
    if (plan.kind === 'refused') return this.#fail(plan, plan.error)
    if (plan.target.kind === 'inline') return undefined
    const {
      url: { host },
      isTrusted,
    } = plan.target
    const admission = this.#gates.admit(host, isTrusted)
    switch (admission.kind) {
      case 'go':
        return undefined
      case 'later':
        return endLater(plan, admission.delayMs)
      case 'down': {
        const error = new MetadataUnavailableError(`${host} is not responding.`, { hostFailed: true })
        return this.#fail(plan, error)
      }
    }
  }

  async #fetch(plan: FetchPlan): Promise<void> {
    const { rules } = this.#options
    const { signal } = this.#controller
    const start = performance.now()
    let failure: unknown
    try {
      const document = parseDocument(await fetchDocument(plan.target, rules, signal))
      this.#writer.add(endWith(plan, document, this.#build))
    } catch (error) {
      failure = error
      this.#writer.add(signal.aborted ? endLater(plan, 0) : this.#fail(plan, this.#explain(plan, error)))
    }
    if (plan.target.kind === 'inline') return
    const tookMs = performance.now() - start
    const { hostFailed = false, retryAfterMs } = failure instanceof MetadataUnavailableError ? failure : {}
    this.#metrics.fetched(tookMs / 1000, failure === undefined ? 'found' : 'failed')
    this.#gates.leave(plan.target.url.host, { tookMs, hostFailed, retryAfterMs })
  }

  #explain({ task }: FetchPlan, error: unknown): MetadataError {
    const { logger } = this.#options
    if (error instanceof MetadataError) {
      logger.debug('metadata not found', { type: task.type, error })
      return error
    }
    logger.error('metadata failed', { type: task.type, error })
    return new MetadataUnavailableError('Unexpected failure of the fetch.', { hostFailed: false }, { cause: error })
  }

  #fail(plan: TaskPlan, error: MetadataError): TaskEnd {
    return endWithout(plan, error, { ...this.#build, refreshMs: this.#times.refreshMs })
  }

  #track(work: Promise<void>): void {
    const tracked = work.then(() => {
      this.#active.delete(tracked)
      this.#metrics.setActive(this.#active.size)
      this.#waiter.wake()
    })
    this.#active.add(tracked)
    this.#metrics.setActive(this.#active.size)
  }
}

type FetchPlan = Extract<TaskPlan, { kind: 'fetch' }>
