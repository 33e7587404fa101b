type Kept<Facts> = {
  readonly key: string
  readonly at: number
  readonly end: number
  readonly facts: Facts
  /** Bytes that were written until its end, of all rounds. */
  readonly written: number
}

/** From so many dropped entries on, they are taken out of the list. */
const MAX_DROPPED = 1024

/**
 * A cache of bytes by key, with a few facts of each. The bytes are in one ring, where the oldest make room: on the heap, they would be
 * copied and marked by each garbage collection.
 */
export class ByteRing<Facts> {
  readonly #size: number
  readonly #maxEntry: number
  readonly #entries = new Map<string, Kept<Facts>>()
  /** In the order in which they were made; those before `#oldest` are dropped. A Map has this order, too, but looks at all that it had. */
  #order: Kept<Facts>[] = []
  #oldest = 0
  #bytes: Buffer | undefined
  #written = 0

  /** Entries of more than `maxEntry` bytes are not cached. */
  constructor(size: number, maxEntry = size) {
    this.#size = size
    this.#maxEntry = Math.min(maxEntry, size)
  }

  find(key: string): Kept<Facts> | undefined {
    return this.#entries.get(key)
  }

  /** Where the entries are, until the next one is added. */
  get bytes(): Buffer {
    this.#bytes ??= Buffer.allocUnsafeSlow(this.#size)
    return this.#bytes
  }

  /** Makes an entry, whose bytes the caller writes at once. Returns where they begin; `undefined` if there are too many. */
  add(key: string, length: number, facts: Facts): number | undefined {
    this.#entries.delete(key)
    if (length > this.#maxEntry) return undefined
    const at = this.#takeRoom(length)
    const entry = { key, at, end: at + length, facts, written: this.#written }
    this.#entries.set(key, entry)
    this.#order.push(entry)
    return at
  }

  #takeRoom(length: number): number {
    const size = this.#size
    let at = this.#written % size
    if (at + length > size) {
      // It does not fit before the end of the ring.
      this.#written += size - at
      at = 0
    }
    this.#written += length
    this.#drop(this.#written - size)
    return at
  }

  /** Drops what begins before this one of all bytes written: it is overwritten. */
  #drop(first: number): void {
    const order = this.#order
    while (this.#oldest < order.length) {
      const entry = order[this.#oldest]!
      if (entry.written - (entry.end - entry.at) >= first) break
      this.#oldest++
      if (this.#entries.get(entry.key) === entry) this.#entries.delete(entry.key)
    }
    if (this.#oldest < MAX_DROPPED || 2 * this.#oldest < order.length) return
    this.#order = order.slice(this.#oldest)
    this.#oldest = 0
  }
}
