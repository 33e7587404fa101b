import type { AnsweredRequest } from '../api/core/Call.ts'
import type { PlainAnswer, PlainRoute } from '../api/core/PlainRoute.ts'
import type { Logger } from '../observe/Logger.ts'
import { CodedError } from '../primitives/errors.ts'
import { formatRate } from '../primitives/Rate.ts'
import type { Database } from '../store/connect/Database.ts'
import { listKeys } from '../store/keys/apiKeys.ts'
import { addUsage, dayOf, type KeyUsage, sumUsage, type UsageSum } from '../store/keys/keyUsage.ts'

type Count = { readonly keyId: string; readonly endpoint: string; requests: number; refused: number; failed: number }

const FLUSH_MS = 5000
/** Maximum counters in memory while the database is unavailable. */
const MAX_COUNTS = 100_000

/** Counts requests by API key, and writes the counts periodically. */
export class UsageCounts {
  readonly #database: Pick<Database, 'transaction'>
  readonly #logger: Logger
  readonly #area: string
  readonly #timer: NodeJS.Timeout
  #counts = new Map<string, Count>()
  #flushing: Promise<void> = Promise.resolve()

  /** `network` stands before the endpoints of a network that shares the keys of another one. */
  constructor(
    database: Pick<Database, 'transaction'>,
    logger: Logger,
    { network, flushMs = FLUSH_MS }: { readonly network?: string | undefined; readonly flushMs?: number } = {},
  ) {
    this.#database = database
    this.#area = network === undefined ? '' : `${network}/`
    this.#logger = logger
    this.#timer = setInterval(() => void this.flush(), flushMs)
    this.#timer.unref()
  }

  readonly count = ({ key, prefix, endpoint, status }: AnsweredRequest): void => {
    if (key === undefined) return
    const name = `${key} ${prefix} ${endpoint}`
    let count = this.#counts.get(name)
    if (count === undefined) {
      if (this.#counts.size >= MAX_COUNTS) return
      const shown = `${this.#area}${prefix.slice(prefix.lastIndexOf('/') + 1)}/${endpoint ?? '-'}`
      count = { keyId: key, endpoint: shown, requests: 0, refused: 0, failed: 0 }
      this.#counts.set(name, count)
    }
    count.requests++
    if (status === 429) count.refused++
    else if (status >= 500) count.failed++
  }

  /** Writes the counts; after a failure they are kept for the next flush. */
  flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#write())
    return this.#flushing
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.flush()
  }

  async #write(): Promise<void> {
    if (this.#counts.size === 0) return
    const counts = this.#counts
    this.#counts = new Map()
    try {
      await this.#database.transaction((client) => addUsage(client, sum(counts.values(), dayOf(Date.now()))))
    } catch (error) {
      this.#logger.debug('API key usage write failed, retrying', { error })
      for (const [name, count] of counts) add(this.#counts, name, count)
    }
  }
}

const add = (counts: Map<string, Count>, name: string, count: Count): void => {
  const known = counts.get(name)
  if (known === undefined) {
    counts.set(name, { ...count })
    return
  }
  known.requests += count.requests
  known.refused += count.refused
  known.failed += count.failed
}

/** An interface may be served at several prefixes; its counts are summed. */
const sum = (counts: Iterable<Count>, day: number): KeyUsage[] => {
  const sums = new Map<string, Count>()
  for (const count of counts) add(sums, `${count.keyId} ${count.endpoint}`, count)
  return [...sums.values()].map((count) => ({ ...count, day }))
}

const DAYS = 30

/** API keys with their recent usage. For operators: the route must be protected. */
export const usageRoute = (database: Pick<Database, 'transaction'>, flush: () => Promise<void>): PlainRoute => ({
  method: 'GET',
  path: '/keys/usage',
  answer: async () => {
    try {
      await flush()
      return toAnswer(200, await readOverview(database))
    } catch (error) {
      if (!(error instanceof CodedError)) throw error
      return toAnswer(503, { ok: false, error: error.message, code: 503 })
    }
  },
})

type EndpointUsage = Pick<UsageSum, 'endpoint' | 'requests' | 'refused' | 'failed'>

const readOverview = (database: Pick<Database, 'transaction'>) =>
  database.transaction(async (client) => {
    const usage = await sumUsage(client, dayOf(Date.now()) - DAYS + 1)
    const keys = await listKeys(client)
    const byKey = new Map<string, EndpointUsage[]>()
    for (const { keyId, endpoint, requests, refused, failed } of usage) {
      const endpoints = byKey.get(keyId) ?? []
      byKey.set(keyId, endpoints)
      endpoints.push({ endpoint, requests, refused, failed })
    }
    return {
      days: DAYS,
      keys: keys.map(({ hash: _, rate, ...key }) => ({
        ...key,
        rate: rate && formatRate(rate),
        endpoints: byKey.get(key.id) ?? [],
      })),
    }
  })

const toAnswer = (status: number, body: unknown): PlainAnswer => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
  body: JSON.stringify(body),
})
