import { LruCache } from '../../primitives/LruCache.ts'

const MAX_BYTES = 8 << 20

/** The bytes of events as they are written. Many connections get the same event: it is encoded once for all of them. */
export class SharedBytes {
  readonly #encode: (text: string, id: string) => Buffer
  readonly #known = new LruCache<{ readonly id: string; readonly bytes: Buffer }>(MAX_BYTES)

  constructor(encode: (text: string, id: string) => Buffer) {
    this.#encode = encode
  }

  find(text: string, id: string): Buffer {
    const known = this.#known.find(text)
    if (known !== undefined && known.id === id) return known.bytes
    const bytes = this.#encode(text, id)
    this.#known.set(text, { id, bytes }, bytes.length)
    return bytes
  }
}
