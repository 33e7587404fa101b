import type { Cluster, Worker } from 'node:cluster'
import type { Redis } from 'ioredis'
import type { Logger } from '../../observe/Logger.ts'
import { LruCache } from '../../primitives/LruCache.ts'
import type { Rate } from '../../primitives/Rate.ts'
import { type Counters, describeTaken, MemoryCounters, pacingOf, type Taken } from './MemoryCounters.ts'

/** Takes from a shared budget. `aheadMs` is the time until it is full. */
export type TakeShared = (
  name: string,
  rate: Rate,
) => Promise<{ readonly isAllowed: boolean; readonly aheadMs: number }>

/** Pause after a failure of the shared counters. */
const AWAY_MS = 1000
const WARN_MS = 60_000
const MAX_REFUSED = 100_000

/**
 * Budgets shared by several processes. While the shared counters are unavailable, every process counts locally, so that requests are still
 * served; in the worst case the limit is multiplied by the number of processes.
 */
class SharedCounters implements Counters {
  private readonly ask: TakeShared
  private readonly end: () => Promise<void> | void
  private readonly logger: Logger
  private readonly own = new MemoryCounters()
  /** Exhausted budgets with the time of their next request, answered without a round trip. */
  private readonly refused = new LruCache<number>(MAX_REFUSED)
  private awayUntil = Number.NEGATIVE_INFINITY
  private warnedAt = Number.NEGATIVE_INFINITY

  constructor(ask: TakeShared, end: () => Promise<void> | void, logger: Logger) {
    this.ask = ask
    this.end = end
    this.logger = logger
  }

  take(name: string, rate: Rate): Taken | Promise<Taken> {
    const now = performance.now()
    const retryMs = (this.refused.find(name) ?? now) - now
    if (retryMs > 0) return { isAllowed: false, remaining: 0, resetMs: retryMs, retryMs }
    return now < this.awayUntil ? this.own.take(name, rate) : this.takeShared(name, rate)
  }

  async close(): Promise<void> {
    await this.end()
    await this.own.close()
  }

  private async takeShared(name: string, rate: Rate): Promise<Taken> {
    try {
      const { isAllowed, aheadMs } = await this.ask(name, rate)
      const taken = describeTaken(isAllowed, aheadMs, rate)
      if (isAllowed) this.refused.delete(name)
      else this.noteRefused(name, taken.retryMs)
      return taken
    } catch (error) {
      this.noteAway(error)
      return this.own.take(name, rate)
    }
  }

  private noteRefused(name: string, retryMs: number): void {
    this.refused.set(name, performance.now() + retryMs)
  }

  private noteAway(error: unknown): void {
    const now = performance.now()
    this.awayUntil = now + AWAY_MS
    const say = now - this.warnedAt > WARN_MS ? 'warn' : 'debug'
    if (say === 'warn') this.warnedAt = now
    this.logger[say]('shared rate limits unavailable, counting locally', { error })
  }
}

/** A batch of requests from a worker, and the responses. */
type Take = readonly [id: number, name: string, perSecond: number, burst: number]
type Answer = readonly [id: number, isAllowed: boolean, aheadMs: number]

const TAKES = 'chaincenter:takes'
const TAKEN = 'chaincenter:taken'
const ANSWER_MS = 500

type Message = { readonly [TAKES]?: readonly Take[]; readonly [TAKEN]?: readonly Answer[] }

const toMessage = (message: unknown): Message => (typeof message === 'object' && message !== null ? message : {})

/** Serves the budgets of all workers from the primary process. Returns the function that stops it. */
export const countForWorkers = (cluster: Pick<Cluster, 'on' | 'off'>): (() => void) => {
  const counters = new MemoryCounters()
  const rates = new Map<string, Rate>()
  const answer = (worker: Worker, message: unknown): void => {
    const takes = toMessage(message)[TAKES]
    if (takes === undefined) return
    const answers = takes.map(([id, name, perSecond, burst]): Answer => {
      const { isAllowed, resetMs } = counters.take(name, findRate(rates, perSecond, burst))
      return [id, isAllowed, resetMs]
    })
    // The worker has exited meanwhile.
    if (worker.isConnected()) worker.send({ [TAKEN]: answers }, () => undefined)
  }
  cluster.on('message', answer)
  return () => void cluster.off('message', answer)
}

/** Interns rates, so that their pacing is cached by identity. */
const findRate = (rates: Map<string, Rate>, perSecond: number, burst: number): Rate => {
  const name = `${perSecond}:${burst}`
  let rate = rates.get(name)
  if (rate === undefined) {
    rate = { perSecond, burst }
    rates.set(name, rate)
  }
  return rate
}

/** The IPC channel of a worker to its primary. */
type Line = Pick<NodeJS.Process, 'send' | 'on' | 'off'>

/** Budgets of the primary process, used from a worker. */
export const openWorkerCounters = (line: Line, logger: Logger): SharedCounters => {
  const waiting = new Map<number, (answer: Answer) => void>()
  let takes: Take[] = []
  let lastId = 0
  const send = (): void => {
    const message = { [TAKES]: takes }
    takes = []
    line.send?.(message, undefined, undefined, () => undefined)
  }
  const receive = (message: unknown): void => {
    for (const answer of toMessage(message)[TAKEN] ?? []) {
      waiting.get(answer[0])?.(answer)
      waiting.delete(answer[0])
    }
  }
  line.on('message', receive)
  return new SharedCounters(
    (name, { perSecond, burst }) =>
      new Promise((done, fail) => {
        const id = ++lastId
        const timer = setTimeout(() => {
          waiting.delete(id)
          fail(new Error('The primary process did not respond in time.'))
        }, ANSWER_MS)
        waiting.set(id, ([, isAllowed, aheadMs]) => {
          clearTimeout(timer)
          done({ isAllowed, aheadMs })
        })
        if (takes.push([id, name, perSecond, burst]) === 1) setImmediate(send)
      }),
    () => void line.off('message', receive),
    logger,
  )
}

export type RedisCountersOptions = {
  readonly url: string
  /** Key prefix that separates networks. */
  readonly network: string
  readonly logger: Logger
}

const COMMAND_MS = 300
const CONNECT_MS = 2000
const MAX_RETRY_MS = 1000

// In microseconds of the Redis clock, which all processes share. A budget that is further from full than possible was written before
// that clock was set back.
const takeScript = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local interval = tonumber(ARGV[1])
local maxAhead = tonumber(ARGV[2])
local ahead = math.max(0, (tonumber(redis.call('GET', KEYS[1])) or now) - now)
if ahead > maxAhead + interval + 1 then ahead = 0 end
if ahead > maxAhead then return { 0, ahead } end
ahead = ahead + interval
redis.call('SET', KEYS[1], string.format('%.0f', now + ahead), 'PX', math.ceil(ahead / 1000))
return { 1, ahead }
`

type Taker = { takeOne(key: string, interval: number, maxAhead: number): Promise<[isAllowed: number, ahead: number]> }

/** Budgets in Redis: concurrent requests share one round trip. */
export const openRedisCounters = async ({ url, network, logger }: RedisCountersOptions): Promise<SharedCounters> => {
  // Optional, and not needed without a Redis server.
  const { Redis } = await import('ioredis')
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    enableAutoPipelining: true,
    maxRetriesPerRequest: 0,
    commandTimeout: COMMAND_MS,
    connectTimeout: CONNECT_MS,
    retryStrategy: (tries) => Math.min(100 * tries, MAX_RETRY_MS),
    scripts: { takeOne: { lua: takeScript, numberOfKeys: 1 } },
  })
  redis.on('error', (error: unknown) => logger.debug('redis connection failed', { error }))
  await untilReady(redis)
  const taker = redis as unknown as Taker
  const prefix = `chaincenter:limits:1:${network}:`
  return new SharedCounters(
    async (name, rate) => {
      const { intervalMs, maxAheadMs } = pacingOf(rate)
      const interval = Math.round(1000 * intervalMs)
      const [isAllowed, ahead] = await taker.takeOne(prefix + name, interval, Math.round(1000 * maxAheadMs))
      return { isAllowed: isAllowed === 1, aheadMs: ahead / 1000 }
    },
    () => redis.disconnect(),
    logger,
  )
}

/** Resolves when Redis is ready, or after the connect timeout. */
const untilReady = async (redis: Redis): Promise<void> => {
  if (redis.status === 'ready') return
  await new Promise<void>((done) => {
    const timer = setTimeout(done, CONNECT_MS)
    redis.once('ready', () => {
      clearTimeout(timer)
      done()
    })
  })
}
