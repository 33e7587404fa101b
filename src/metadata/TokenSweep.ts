import type { QueuedPage, TokenPage, TokenPlace } from '../store/metadata/metadataTasks.ts'
import type { TokenType } from '../store/schema/contractTables.ts'

const PAGE = 1000
const NEWEST: TokenPlace = { sinceLt: 2n ** 63n - 1n, address: new Uint8Array() }
/** Tokens of different shards come in no strict order of time. This is the work of a few minutes. */
const OVERLAP_LT = 100_000_000n

/**
 * Goes through the tokens of one table, newest first, as the index does. Those that are indexed later are at either end: new ones
 * above, those of older blocks below. From time to time it goes through all again, for the sake of contents that have changed.
 */
export class TokenSweep {
  readonly type: TokenType
  #older: TokenPlace = NEWEST
  #newer: TokenPlace
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

const before = (lt: bigint): TokenPlace => ({ sinceLt: lt - OVERLAP_LT, address: new Uint8Array() })
const after = (lt: bigint): TokenPlace => ({ sinceLt: lt + OVERLAP_LT, address: new Uint8Array() })
