import { Redis } from 'ioredis'
import type { Logger } from '../observe/Logger.ts'
import { fromBase64, toBase64 } from '../primitives/base64.ts'
import { toHex } from '../primitives/hex.ts'
import type { PendingFilter, PendingTrace } from '../store/reader/pending.ts'
import { MemoryPendingStore, namesOf, type PendingStore } from './MemoryPendingStore.ts'

/** Tags for bigints and bytes, which JSON does not have. No member name begins with them. */
const AMOUNT = '$n'
const BYTES = '$b'

/** Serializes a trace for other processes. */
export const encodeTrace = (trace: PendingTrace): string => JSON.stringify(toPlain(trace))

const toPlain = (value: unknown): unknown => {
  if (typeof value === 'bigint') return { [AMOUNT]: value.toString() }
  if (value instanceof Uint8Array) return { [BYTES]: toBase64(value) }
  if (Array.isArray(value)) return value.map(toPlain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toPlain(member)]))
}

/** Parses a trace of {@link encodeTrace}; `undefined` for anything else. */
export const decodeTrace = (text: string): PendingTrace | undefined => {
  try {
    const trace = JSON.parse(text, revive) as PendingTrace | null
    return trace?.externalHashNorm instanceof Uint8Array && Array.isArray(trace.transactions) ? trace : undefined
  } catch {
    return undefined
  }
}

const revive = (_name: string, value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value
  const { [AMOUNT]: amount, [BYTES]: bytes } = value as Record<string, unknown>
  if (typeof amount === 'string') return BigInt(amount)
  return typeof bytes === 'string' ? fromBase64(bytes) : value
}

export type RedisOptions = {
  readonly url: string
  /** Key prefix that separates networks. */
  readonly network: string
  readonly logger: Logger
}

/** Upper limit of the time to live in Redis. */
const MAX_LIFE_MS = 120_000
/** Newest traces of one account. */
const MAX_NAMED = 1000
const MAX_FOUND = 2000
const COMMAND_MS = 1000
const RETRY_MS = 2000
const WARN_MS = 60_000

/**
 * Pending traces shared by processes through Redis. A process also keeps its own traces in memory, so that it can show them while Redis is
 * unavailable.
 */
export class RedisPendingStore implements PendingStore {
  readonly #redis: Redis
  readonly #prefix: string
  readonly #logger: Logger
  readonly #own = new MemoryPendingStore()
  #warnedAt = Number.NEGATIVE_INFINITY

  constructor({ url, network, logger }: RedisOptions) {
    this.#logger = logger
    this.#prefix = `chaincenter:pending:1:${network}:`
    this.#redis = new Redis(url, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: COMMAND_MS,
      connectTimeout: RETRY_MS,
      retryStrategy: (tries) => Math.min(100 * tries, RETRY_MS),
    })
    this.#redis.on('error', (error: unknown) => this.#warn(error))
  }

  /** Resolves when Redis is ready, or after the connect timeout. */
  async ready(): Promise<void> {
    if (this.#redis.status === 'ready') return
    await new Promise<void>((done) => {
      const timer = setTimeout(done, RETRY_MS)
      this.#redis.once('ready', () => {
        clearTimeout(timer)
        done()
      })
    })
  }

  async put(trace: PendingTrace, lifeMs: number): Promise<void> {
    await this.#own.put(trace, lifeMs)
    const id = toHex(trace.externalHashNorm)
    const now = Date.now()
    const changes = this.#redis.multi().set(this.#traceKey(id), encodeTrace(trace), 'PX', lifeMs)
    for (const name of namesOf(trace)) {
      const key = this.#nameKey(name)
      changes
        .zremrangebyscore(key, '-inf', now)
        .zadd(key, now + lifeMs, id)
        .zremrangebyrank(key, 0, -MAX_NAMED - 1)
        .pexpire(key, MAX_LIFE_MS)
    }
    await this.#try(() => changes.exec())
  }

  async remove(normalHash: Uint8Array): Promise<void> {
    await this.#own.remove(normalHash)
    await this.#try(() => this.#redis.del(this.#traceKey(toHex(normalHash))))
  }

  async clear(): Promise<void> {
    await this.#own.clear()
    await this.#try(async () => {
      let cursor = '0'
      do {
        const [next, keys] = await this.#redis.scan(cursor, 'MATCH', `${this.#prefix}*`, 'COUNT', 1000)
        if (keys.length > 0) await this.#redis.unlink(...keys)
        cursor = next
      } while (cursor !== '0')
    })
  }

  async close(): Promise<void> {
    await this.#own.close()
    this.#redis.disconnect()
  }

  async find(filter: PendingFilter): Promise<readonly PendingTrace[]> {
    const own = await this.#own.find(filter)
    const others = (await this.#try(() => this.#findShared(filter))) ?? []
    const found = new Map<string, PendingTrace>()
    // Of two versions of a trace, take the one with more indexed transactions.
    for (const trace of [...others, ...own]) {
      const id = toHex(trace.externalHashNorm)
      const known = found.get(id)
      if (known === undefined || countReal(trace) >= countReal(known)) found.set(id, trace)
    }
    return [...found.values()]
  }

  async #findShared(filter: PendingFilter): Promise<readonly PendingTrace[]> {
    const names = new Set(('accounts' in filter ? filter.accounts : filter.hashes).map(toHex))
    const looks = this.#redis.pipeline()
    const now = Date.now()
    for (const name of names) looks.zrangebyscore(this.#nameKey(name), now, '+inf')
    const answers = (await looks.exec()) ?? []
    const ids = new Set<string>()
    for (const [error, members] of answers) {
      if (error !== null) throw error
      for (const id of members as string[]) ids.add(id)
    }
    if (ids.size === 0) return []
    const texts = await this.#redis.mget([...ids].slice(0, MAX_FOUND).map((id) => this.#traceKey(id)))
    return texts
      .map((text) => (text === null ? undefined : decodeTrace(text)))
      .filter((trace) => trace !== undefined)
      .filter((trace) => namesOf(trace).some((name) => names.has(name)))
  }

  #traceKey(id: string): string {
    return `${this.#prefix}trace:${id}`
  }

  #nameKey(name: string): string {
    return `${this.#prefix}name:${name}`
  }

  /** Without Redis nothing is found, and nothing is stored. */
  async #try<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work()
    } catch (error) {
      this.#warn(error)
      return undefined
    }
  }

  #warn(error: unknown): void {
    const now = performance.now()
    const say = now - this.#warnedAt > WARN_MS ? 'warn' : 'debug'
    if (say === 'warn') this.#warnedAt = now
    this.#logger[say]('pending traces not shared: redis unavailable', { error })
  }
}

const countReal = ({ transactions }: PendingTrace): number =>
  transactions.reduce((sum, { isEmulated }) => sum + (isEmulated ? 0 : 1), 0)
