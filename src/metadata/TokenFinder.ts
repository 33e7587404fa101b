import type { Database } from '../store/connect/Database.ts'
import {
  findNewestToken,
  type QueuedPage,
  queueTokens,
  type TokenPage,
  type TokenPosition,
} from '../store/metadata/metadataTasks.ts'
import { type TokenType, tokenTypes } from '../store/schema/contractTables.ts'

const PAGE = 1000
const NEWEST: TokenPosition = { sinceLt: 2n ** 63n - 1n, address: new Uint8Array() }
/** Tokens of different shards come in no strict order of time. This is the work of a few minutes. */
const OVERLAP_LT = 100_000_000n

/**
 * Goes through the tokens of one table, newest first, as the index does. Those that are indexed later are at either end: new ones
 * above, those of older blocks below. From time to time it goes through all again, for the sake of contents that have changed.
 */
class TokenSweep {
  readonly type: TokenType
  #older: TokenPosition = NEWEST
  #newer: TokenPosition
  #isAtEnd = false

  constructor(type: TokenType, newestLt: bigint) {
    this.type = type
    this.#newer = before(newestLt)
  }

  /** Whether it has been through all of them, so that only those are left that come in the meantime. */
  get isAtEnd(): boolean {
    return this.#isAtEnd
  }

  /** Begins again. */
  restart(): void {
    this.#older = NEWEST
    this.#isAtEnd = false
  }

  /** The next page to look at. */
  page(direction: TokenPage['direction']): TokenPage {
    return { type: this.type, direction, from: direction === 'older' ? this.#older : this.#newer, limit: PAGE }
  }

  /** Says what a page held, and learns whether there may be more right behind it. */
  pass({ direction }: Pick<TokenPage, 'direction'>, { seen, last }: QueuedPage): boolean {
    const isFull = seen === PAGE
    if (direction === 'newer') {
      if (last !== undefined) this.#newer = isFull ? last : before(last.sinceLt)
    } else {
      // An empty page is of a look below the end: it stays where it is.
      if (last !== undefined) this.#older = isFull ? last : after(last.sinceLt)
      if (!isFull) this.#isAtEnd = true
    }
    return isFull
  }
}

const before = (lt: bigint): TokenPosition => ({ sinceLt: lt - OVERLAP_LT, address: new Uint8Array() })
const after = (lt: bigint): TokenPosition => ({ sinceLt: lt + OVERLAP_LT, address: new Uint8Array() })

type Times = { readonly lookMs: number; readonly sweepMs: number }

/** Goes on at the next look where a burst of tokens is longer than this many pages. */
const MAX_PAGES = 20

/** Makes tasks of tokens. New ones are looked for often; the many that are there already, only while nothing else is due. */
export class TokenFinder {
  readonly #database: Pick<Database, 'transaction'>
  readonly #times: Times
  #sweeps: readonly TokenSweep[] | undefined
  #lookedAt = Number.NEGATIVE_INFINITY
  #sweptAt = Number.NEGATIVE_INFINITY

  constructor(database: Pick<Database, 'transaction'>, times: Times) {
    this.#database = database
    this.#times = times
  }

  /** At both ends, where it is time to. Tells how many tokens became tasks. */
  async look(): Promise<number> {
    const now = performance.now()
    if (now - this.#lookedAt < this.#times.lookMs) return 0
    const sweeps = await this.#open()
    let queued = 0
    for (const sweep of sweeps) {
      queued += await this.#followUp(sweep, 'newer')
      if (sweep.isAtEnd) queued += await this.#followUp(sweep, 'older')
    }
    this.#lookedAt = now
    return queued
  }

  /** One page more of each table that is not done yet. */
  async sweep(): Promise<{ readonly queued: number; readonly isAtEnd: boolean }> {
    const sweeps = await this.#open()
    let queued = 0
    for (const sweep of sweeps) if (!sweep.isAtEnd) queued += (await this.#pass(sweep, 'older')).queued
    const isAtEnd = sweeps.every((sweep) => sweep.isAtEnd)
    if (isAtEnd && performance.now() - this.#sweptAt > this.#times.sweepMs) {
      this.#sweptAt = performance.now()
      for (const sweep of sweeps) sweep.restart()
    }
    return { queued, isAtEnd }
  }

  async #open(): Promise<readonly TokenSweep[]> {
    if (this.#sweeps !== undefined) return this.#sweeps
    const opened = []
    for (const type of tokenTypes) {
      const newest = await this.#database.transaction((client) => findNewestToken(client, type))
      opened.push(new TokenSweep(type, newest ?? 0n))
    }
    this.#sweeps = opened
    this.#sweptAt = performance.now()
    return opened
  }

  async #followUp(sweep: TokenSweep, direction: TokenPage['direction']): Promise<number> {
    let queued = 0
    for (let pages = 0; pages < MAX_PAGES; pages++) {
      const passed = await this.#pass(sweep, direction)
      queued += passed.queued
      if (!passed.hasMore) break
    }
    return queued
  }

  async #pass(sweep: TokenSweep, direction: TokenPage['direction']) {
    const page = sweep.page(direction)
    const held = await this.#database.transaction((client) => queueTokens(client, page))
    return { queued: held.queued, hasMore: sweep.pass(page, held) }
  }
}
