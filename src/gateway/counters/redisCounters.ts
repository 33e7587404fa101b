import { Redis } from 'ioredis'
import type { Logger } from '../../observe/Logger.ts'
import { pacingOf } from './pacing.ts'
import { SharedCounters } from './SharedCounters.ts'

export type RedisCountersOptions = {
  readonly url: string
  /** Keeps the budgets of different networks apart. */
  readonly network: string
  readonly logger: Logger
}

const COMMAND_MS = 300
const CONNECT_MS = 2000
const MAX_RETRY_MS = 1000

// In microseconds of the server's own clock, which is the same for all. A budget that is further from whole than it can be was written
// before that clock was set back.
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

/** Budgets in a Redis server: one round trip for a request, and one for all that come at a time. */
export const openRedisCounters = async ({ url, network, logger }: RedisCountersOptions): Promise<SharedCounters> => {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    enableAutoPipelining: true,
    maxRetriesPerRequest: 0,
    commandTimeout: COMMAND_MS,
    connectTimeout: CONNECT_MS,
    retryStrategy: (tries) => Math.min(100 * tries, MAX_RETRY_MS),
    scripts: { takeOne: { lua: takeScript, numberOfKeys: 1 } },
  })
  redis.on('error', (error: unknown) => logger.debug('the connection to Redis failed', { error }))
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

/** Resolves when the server is there, or does not come soon. */
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
