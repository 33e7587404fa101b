import type { Database } from '../store/connect/Database.ts'
import { findNewestToken, queueTokens, type TokenPage } from '../store/metadata/metadataTasks.ts'
import { tokenTypes } from '../store/schema/contractTables.ts'
import { TokenSweep } from './TokenSweep.ts'

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
