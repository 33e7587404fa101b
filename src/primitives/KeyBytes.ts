import { latin1Slice } from './bytes.ts'

/**
 * Bytes that are a key as a rule, such as a hash or an address: their text is made once, and so is the hash that a map takes of it. A
 * request asks for the text of each some three times.
 */
export class KeyBytes extends Uint8Array {
  #text: string | undefined

  constructor(memory: ArrayBuffer, at: number, length: number) {
    super(memory, at, length)
  }

  /** Bytes as a map key: one character per byte. */
  static textOf(bytes: Uint8Array): string {
    if (!(bytes instanceof KeyBytes)) return latin1Slice.call(bytes, 0, bytes.length)
    const known = bytes.#text
    if (known !== undefined) return known
    const text = latin1Slice.call(bytes, 0, bytes.length)
    bytes.#text = text
    return text
  }
}
