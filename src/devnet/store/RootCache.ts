import type { Cell } from '../../codec/cell/Cell.ts'

type Entry = { readonly root: Cell; readonly bytes: number }

/**
 * The roots of the blocks used last. Reading a block takes a tenth of a millisecond and hashing its cells, which every proof
 * from it needs, six times that: both are kept with the root.
 */
export class RootCache {
  private readonly maxBytes: number
  private readonly entries = new Map<string, Entry>()
  private used = 0

  /** `maxBytes` of block files; their roots take about three times that. */
  constructor(maxBytes: number) {
    this.maxBytes = maxBytes
  }

  find(key: string): Cell | undefined {
    const entry = this.entries.get(key)
    if (entry === undefined) return undefined
    // A Map keeps its order of insertion: what was used goes to the end, what was not is found at the front.
    this.entries.delete(key)
    this.entries.set(key, entry)
    return entry.root
  }

  set(key: string, root: Cell, bytes: number): void {
    this.remove(key)
    this.entries.set(key, { root, bytes })
    this.used += bytes
    for (const oldest of this.entries.keys()) {
      if (this.used <= this.maxBytes) break
      this.remove(oldest)
    }
  }

  private remove(key: string): void {
    const entry = this.entries.get(key)
    if (entry === undefined) return
    this.entries.delete(key)
    this.used -= entry.bytes
  }
}
