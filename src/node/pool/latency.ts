const KEPT = 256

/** The last few hundred durations, and their percentiles. */
export class LatencyWindow {
  private readonly values = new Float64Array(KEPT)
  private count = 0

  add(ms: number): void {
    this.values[this.count % KEPT] = ms
    this.count++
  }

  get size(): number {
    return Math.min(this.count, KEPT)
  }

  /** The duration that this share of the calls (0 to 1) stayed under, or `undefined` before there were any. */
  percentile(share: number): number | undefined {
    if (this.count === 0) return undefined
    const sorted = this.values.slice(0, this.size).sort()
    return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]
  }
}
