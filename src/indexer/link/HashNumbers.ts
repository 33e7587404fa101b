import { getI32LE } from '../../primitives/bytes.ts'

export const HASH_BYTES = 32

// By chance, so that nobody can make hashes that all fall on one place.
const multiplier = Math.floor(Math.random() * 2 ** 32) | 1

/** Finds numbers by hashes: an open-addressing table, several times faster than a map with text keys. */
export class HashNumbers {
  readonly #hashes: Uint8Array
  readonly #slots: Int32Array
  readonly #shift: number

  /** For numbers from 0 up to, and without, `count`. */
  constructor(count: number) {
    const bits = Math.max(4, 33 - Math.clz32(count))
    this.#hashes = new Uint8Array(count * HASH_BYTES)
    this.#slots = new Int32Array(2 ** bits).fill(-1)
    this.#shift = 32 - bits
  }

  /** Of two numbers with the same hash, the later counts. */
  set(hashes: Uint8Array, at: number, number: number): void {
    this.#slots[this.#slotOf(hashes, at)] = number
    const start = number * HASH_BYTES
    for (let k = 0; k < HASH_BYTES; k++) this.#hashes[start + k] = hashes[at + k]!
  }

  /** The number of a hash, or -1. */
  find(hashes: Uint8Array, at: number): number {
    return this.#slots[this.#slotOf(hashes, at)]!
  }

  /** The slot of this hash, or the free one where it belongs. There is always one: at most half of them are taken. */
  #slotOf(hash: Uint8Array, at: number): number {
    const slots = this.#slots
    const hashes = this.#hashes
    let slot = Math.imul(getI32LE(hash, at), multiplier) >>> this.#shift
    for (;;) {
      const number = slots[slot]!
      if (number < 0) return slot
      const start = number * HASH_BYTES
      let k = 0
      while (k < HASH_BYTES && hashes[start + k] === hash[at + k]) k++
      if (k === HASH_BYTES) return slot
      slot = (slot + 1) & (slots.length - 1)
    }
  }
}
