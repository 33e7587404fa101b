const BITS = 20

/**
 * Tells which hashes are surely not in a set, by their first bits. Thousands of messages may be under way while a block receives a
 * few of them: those that it surely does not receive cost no entry in a map.
 */
export class HashSieve {
  readonly #words = new Int32Array(2 ** (BITS - 5))

  add(hashes: Uint8Array, at: number): void {
    const bits = firstBits(hashes, at)
    this.#words[bits >>> 5]! |= 1 << (bits & 31)
  }

  mayHave(hash: Uint8Array): boolean {
    const bits = firstBits(hash, 0)
    return (this.#words[bits >>> 5]! & (1 << (bits & 31))) !== 0
  }
}

const firstBits = (bytes: Uint8Array, at: number): number =>
  ((bytes[at]! << 16) | (bytes[at + 1]! << 8) | bytes[at + 2]!) >>> (24 - BITS)
