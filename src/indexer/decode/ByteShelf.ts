const CHUNK_BYTES = 1 << 14

/** Keeps copies of short byte strings in few long buffers, which cross threads as they are. */
export class ByteShelf {
  private chunk = new Uint8Array(0)
  private used = 0

  keep(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
    const { length } = bytes
    if (this.used + length > this.chunk.length) {
      this.chunk = new Uint8Array(Math.max(CHUNK_BYTES, length))
      this.used = 0
    }
    const kept = this.chunk.subarray(this.used, this.used + length)
    kept.set(bytes)
    this.used += length
    return kept
  }
}
