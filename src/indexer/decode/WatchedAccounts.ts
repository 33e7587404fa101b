/** The accounts whose transactions are kept, where not all are; by their keys of 33 bytes. */
export class WatchedAccounts {
  private readonly keys: ReadonlySet<string>

  constructor(keys: readonly Uint8Array[]) {
    this.keys = new Set(keys.map(textOf))
  }

  has(key: Uint8Array): boolean {
    return this.keys.has(textOf(key))
  }
}

const textOf = (key: Uint8Array): string => Buffer.from(key.buffer, key.byteOffset, key.length).toString('latin1')
