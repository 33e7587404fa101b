/** Hashes, one after another in one buffer. */
export class HashList {
  private bytes = new Uint8Array(32 * 256)
  private length = 0

  clear(): void {
    this.length = 0
  }

  push(hash: Uint8Array): void {
    if (this.length === this.bytes.length) {
      const grown = new Uint8Array(this.bytes.length * 2)
      grown.set(this.bytes)
      this.bytes = grown
    }
    this.bytes.set(hash, this.length)
    this.length += 32
  }

  /** All of them, in a buffer of their own. */
  take(): Uint8Array<ArrayBuffer> {
    const taken = this.bytes.slice(0, this.length)
    this.length = 0
    return taken
  }
}
