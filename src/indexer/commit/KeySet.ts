import { getI32LE } from '../../primitives/bytes.ts'

// By chance, so that nobody can make keys that all fall on one place.
const multiplier = Math.floor(Math.random() * 2 ** 32) | 1
const FIRST_BITS = 8

/** Keys of one length, at most so many: one more, and it begins anew. Many times smaller and faster than a set of texts. */
export class KeySet {
  readonly #keyBytes: number
  readonly #maxBits: number
  #keys = new Uint8Array(0)
  #slots = new Int32Array(0)
  #bits = 0
  #used = 0

  /** For up to 2 ** `maxBits` keys. Their last four bytes should be random. */
  constructor(keyBytes: number, maxBits: number) {
    this.#keyBytes = keyBytes
    this.#maxBits = maxBits
    this.clear()
  }

  get size(): number {
    return this.#used
  }

  clear(): void {
    this.#resize(Math.min(FIRST_BITS, this.#maxBits))
    this.#used = 0
  }

  has(bytes: Uint8Array, at = 0): boolean {
    return this.#slots[this.#slotOf(bytes, at)]! >= 0
  }

  /** Whether it was not there before. */
  add(bytes: Uint8Array, at = 0): boolean {
    if (this.has(bytes, at)) return false
    if (this.#used >= 2 ** this.#bits) {
      if (this.#bits === this.#maxBits) this.clear()
      else this.#grow()
    }
    this.#slots[this.#slotOf(bytes, at)] = this.#used
    const start = this.#used++ * this.#keyBytes
    for (let k = 0; k < this.#keyBytes; k++) this.#keys[start + k] = bytes[at + k]!
    return true
  }

  /** The slot of this key, or the free one where it belongs: half of them are always free. */
  #slotOf(bytes: Uint8Array, at: number): number {
    const slots = this.#slots
    const keys = this.#keys
    const length = this.#keyBytes
    // The last four bytes: an address begins with its workchain.
    let slot = Math.imul(getI32LE(bytes, at + length - 4), multiplier) >>> (31 - this.#bits)
    for (;;) {
      const number = slots[slot]!
      if (number < 0) return slot
      const start = number * length
      let k = 0
      while (k < length && keys[start + k] === bytes[at + k]) k++
      if (k === length) return slot
      slot = (slot + 1) & (slots.length - 1)
    }
  }

  #grow(): void {
    const keys = this.#keys
    this.#resize(this.#bits + 1)
    this.#keys.set(keys)
    for (let number = 0; number < this.#used; number++) {
      this.#slots[this.#slotOf(this.#keys, number * this.#keyBytes)] = number
    }
  }

  #resize(bits: number): void {
    this.#bits = bits
    this.#keys = new Uint8Array(this.#keyBytes * 2 ** bits)
    this.#slots = new Int32Array(2 ** (bits + 1)).fill(-1)
  }
}
