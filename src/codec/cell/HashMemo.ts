import { sha256Into } from '../../primitives/hash.ts'

const SLOTS = 1 << 12

/**
 * Digests of contents that were hashed before, each found by comparing the whole content. Proofs repeat most of their cells: the header of
 * a block, the top of a dictionary, the code of a wallet. To compare them takes a tenth of the time of SHA-256.
 */
export class HashMemo {
  private readonly words: number
  /** The content in a slot, as words; a length of 0 means that it is free. */
  private readonly contents: Int32Array
  private readonly lengths = new Uint16Array(SLOTS)
  private readonly digests = new Uint8Array(32 * SLOTS)

  /** Contents have at most so many words. */
  constructor(words: number) {
    this.words = words
    this.contents = new Int32Array(SLOTS * words)
  }

  /** As `sha256Into` for the content in `bytes`, which is also in `words` with zeros up to the end of the last word. */
  hashInto(bytes: Uint8Array, words: Int32Array, out: Uint8Array, outAt: number): void {
    const { contents, lengths, digests } = this
    const { length } = bytes
    const count = (length + 3) >> 2
    let mix = length
    for (let k = 0; k < count; k++) {
      mix = Math.imul(mix ^ words[k]!, 0x9e3779b1)
      mix ^= mix >>> 15
    }
    const slot = mix & (SLOTS - 1)
    const start = slot * this.words
    let k = lengths[slot] === length ? 0 : count + 1
    while (k < count && contents[start + k] === words[k]) k++
    if (k !== count) {
      lengths[slot] = 0
      sha256Into(bytes, digests, 32 * slot)
      for (k = 0; k < count; k++) contents[start + k] = words[k]!
      lengths[slot] = length
    }
    for (k = 0; k < 32; k++) out[outAt + k] = digests[32 * slot + k]!
  }
}
