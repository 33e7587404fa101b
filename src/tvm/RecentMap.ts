/** Keeps the entries used last, up to a number of them. What it drops depends on the order of calls alone. */
export class RecentMap<V> {
  private readonly entries = new Map<string, V>()
  private readonly capacity: number
  private readonly onDrop: (value: V) => void

  constructor(capacity: number, onDrop: (value: V) => void = () => {}) {
    this.capacity = capacity
    this.onDrop = onDrop
  }

  find(key: string): V | undefined {
    const value = this.entries.get(key)
    if (value === undefined) return undefined
    // A Map keeps its order of insertion: what was used goes to the end, what was not is found at the front.
    this.entries.delete(key)
    this.entries.set(key, value)
    return value
  }

  set(key: string, value: V): void {
    this.entries.delete(key)
    this.entries.set(key, value)
    if (this.entries.size <= this.capacity) return
    const [oldest, dropped] = this.entries.entries().next().value!
    this.entries.delete(oldest)
    this.onDrop(dropped)
  }
}
