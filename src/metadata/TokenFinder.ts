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
/** Overlap between sweeps, a few minutes of lt: tokens of different shards are not strictly ordered. */
const OVERLAP_LT = 100_000_000n

/**
 * Sweeps the tokens of one table, newest first. Tokens indexed later are at either end: new blocks above, backfilled blocks below. The
 * sweep is repeated periodically, to find changed contents.
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

  /** Whether the sweep has reached the end. */
  get isAtEnd(): boolean {
    return this.#isAtEnd
  }

  /** Restarts the sweep. */
  restart(): void {
    this.#older = NEWEST
    this.#isAtEnd = false
  }

  /** The next page. */
  page(direction: TokenPage['direction']): TokenPage {
    return { type: this.type, direction, from: direction === 'older' ? this.#older : this.#newer, limit: PAGE }
  }

  /** Records a page. Returns whether more may follow. */
  pass({ direction }: Pick<TokenPage, 'direction'>, { seen, last }: QueuedPage): boolean {
    const isFull = seen === PAGE
    if (direction === 'newer') {
      if (last !== undefined) this.#newer = isFull ? last : before(last.sinceLt)
    } else {
      // An empty page is below the end: keep the position.
      if (last !== undefined) this.#older = isFull ? last : after(last.sinceLt)
      if (!isFull) this.#isAtEnd = true
    }
    return isFull
  }
}

const before = (lt: bigint): TokenPosition => ({ sinceLt: lt - OVERLAP_LT, address: new Uint8Array() })
const after = (lt: bigint): TokenPosition => ({ sinceLt: lt + OVERLAP_LT, address: new Uint8Array() })

type Times = { readonly lookMs: number; readonly sweepMs: number }

/** Maximum pages per search; a longer burst continues in the next one. */
const MAX_PAGES = 20

/** Creates tasks for tokens: often for new ones, and by an idle-time sweep for existing ones. */
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

  /** Searches both ends if due. Returns the number of new tasks. */
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

  /** Sweeps one more page of each unfinished table. */
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
