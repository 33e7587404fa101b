/** Counts things that are held for a while, by number and by size, up to a limit of each. */
export class Budget {
  private readonly maxCount: number
  private readonly maxSize: number
  private count = 0
  private size = 0

  constructor(maxCount: number, maxSize: number) {
    this.maxCount = maxCount
    this.maxSize = maxSize
  }

  get held(): number {
    return this.count
  }

  /** Whether one more may be held; it then is, until it is given back. */
  take(size: number): boolean {
    if (this.count >= this.maxCount || this.size + size > this.maxSize) return false
    this.count++
    this.size += size
    return true
  }

  giveBack(size: number): void {
    this.count--
    this.size -= size
  }
}
