/** Keeps the values used last, up to a total size that the caller states for each. */
export class SizedCache<V> {
  private readonly maxBytes: number
  private readonly entries = new Map<string, { readonly value: V; readonly bytes: number }>()
  private used = 0

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes
  }

  get bytes(): number {
    return this.used
  }

  find(key: string): V | undefined {
    const entry = this.entries.get(key)
    if (entry === undefined) return undefined
    // A Map keeps its order of insertion: what was used goes to the end, what was not is found at the front.
    this.entries.delete(key)
    this.entries.set(key, entry)
    return entry.value
  }

  set(key: string, value: V, bytes: number): void {
    const before = this.entries.get(key)
    if (before !== undefined) this.remove(key, before.bytes)
    if (bytes > this.maxBytes) return
    this.entries.set(key, { value, bytes })
    this.used += bytes
    for (const [oldest, entry] of this.entries) {
      if (this.used <= this.maxBytes) break
      this.remove(oldest, entry.bytes)
    }
  }

  clear(): void {
    this.entries.clear()
    this.used = 0
  }

  private remove(key: string, bytes: number): void {
    this.entries.delete(key)
    this.used -= bytes
  }
}
