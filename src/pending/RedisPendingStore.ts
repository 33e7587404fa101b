import { randomBytes } from 'node:crypto'
import { Redis } from 'ioredis'
import type { Logger } from '../observe/Logger.ts'
import { fromBase64, toBase64 } from '../primitives/base64.ts'
import { fromHex, toHex } from '../primitives/hex.ts'
import type { PendingFilter, PendingTrace } from '../store/reader/pending.ts'
import { MemoryPendingStore, namesOf, type PendingStore } from './MemoryPendingStore.ts'
import type { OnPendingChange, PendingEnd } from './PendingChanges.ts'

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

/** A message on the channel of changes. The trace itself is not in it: most processes have nobody to tell. */
type Announcement = { readonly by: string } & (
  | { readonly kind: 'stored'; readonly id: string }
  | { readonly kind: 'ended'; readonly id: string; readonly end: PendingEnd }
  | { readonly kind: 'cleared' }
)

const parseAnnouncement = (text: string): Announcement | undefined => {
  try {
    const said = JSON.parse(text) as Partial<Announcement> | null
    return typeof said?.by === 'string' && typeof said.kind === 'string' ? (said as Announcement) : undefined
  } catch {
    return undefined
  }
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
/** Announcements that wait for Redis. */
const MAX_ANNOUNCED = 5000
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
  /** Marks the changes of this process. */
  readonly #name = randomBytes(8).toString('hex')
  readonly #watches = new Set<Redis>()
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
    changes.publish(this.#channel, this.#announce({ kind: 'stored', id }))
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

  async remove(normalHash: Uint8Array, end: PendingEnd): Promise<void> {
    await this.#own.remove(normalHash)
    const id = toHex(normalHash)
    const changes = this.#redis.multi().del(this.#traceKey(id))
    changes.publish(this.#channel, this.#announce({ kind: 'ended', id, end }))
    await this.#try(() => changes.exec())
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
      await this.#redis.publish(this.#channel, this.#announce({ kind: 'cleared' }))
    })
  }

  async close(): Promise<void> {
    await this.#own.close()
    for (const watch of this.#watches) watch.disconnect()
    this.#redis.disconnect()
  }

  /** Subscribes to the changes of other processes, on a connection of its own. */
  readonly watchOthers = (listener: OnPendingChange): (() => void) => {
    const watch = this.#redis.duplicate({ enableOfflineQueue: true, maxRetriesPerRequest: null })
    watch.on('error', (error: unknown) => this.#warn(error))
    let hasLeft = false
    let waiting: Announcement[] = []
    let isReading = false
    const read = async (): Promise<void> => {
      isReading = true
      while (waiting.length > 0 && !hasLeft) {
        const batch = waiting
        waiting = []
        const traces = (await this.#try(() => this.#readAnnounced(batch))) ?? new Map<string, PendingTrace>()
        for (const change of batch) if (!hasLeft) tell(change, traces, listener)
      }
      isReading = false
    }
    watch.on('message', (_channel: string, text: string) => {
      const said = parseAnnouncement(text)
      if (said === undefined || said.by === this.#name) return
      if (waiting.length >= MAX_ANNOUNCED) {
        waiting = []
        listener({ kind: 'missed' })
      }
      waiting.push(said)
      if (!isReading) void read()
    })
    // Redis keeps nothing for a subscriber that is away.
    watch.on('close', () => {
      if (!hasLeft) listener({ kind: 'missed' })
    })
    watch.subscribe(this.#channel).catch((error: unknown) => {
      if (!hasLeft) this.#warn(error)
    })
    this.#watches.add(watch)
    return () => {
      hasLeft = true
      this.#watches.delete(watch)
      watch.disconnect()
    }
  }

  async #readAnnounced(changes: readonly Announcement[]): Promise<Map<string, PendingTrace>> {
    const ids = [...new Set(changes.flatMap((change) => (change.kind === 'stored' ? [change.id] : [])))]
    const texts = ids.length === 0 ? [] : await this.#redis.mget(ids.map((id) => this.#traceKey(id)))
    const found = new Map<string, PendingTrace>()
    for (const [k, id] of ids.entries()) {
      const text = texts[k]
      const trace = text === null || text === undefined ? undefined : decodeTrace(text)
      if (trace !== undefined) found.set(id, trace)
    }
    return found
  }

  get #channel(): string {
    return `${this.#prefix}changes`
  }

  #announce(change: DistributiveOmit<Announcement, 'by'>): string {
    return JSON.stringify({ by: this.#name, ...change })
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

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never

/** A trace is told once per batch, with what was read; not one that was removed meanwhile. */
const tell = (change: Announcement, traces: Map<string, PendingTrace>, listener: OnPendingChange): void => {
  if (change.kind === 'cleared') listener({ kind: 'cleared' })
  else if (change.kind === 'ended') listener({ kind: 'ended', normalHash: fromHex(change.id), end: change.end })
  else {
    const trace = traces.get(change.id)
    traces.delete(change.id)
    if (trace !== undefined) listener({ kind: 'stored', trace, isOwn: false })
  }
}

const countReal = ({ transactions }: PendingTrace): number =>
  transactions.reduce((sum, { isEmulated }) => sum + (isEmulated ? 0 : 1), 0)
