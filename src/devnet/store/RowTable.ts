/** A power of two, so that finding a row is a shift and a mask. */
const ROWS_PER_CHUNK = 4096
const SHIFT = 12

/** Rows of equal length in few large arrays: what a long chain has millions of would not fit into memory as objects. */
export class RowTable {
  private readonly rowBytes: number
  private readonly chunks: Uint8Array[] = []
  private used = 0

  constructor(rowBytes: number) {
    this.rowBytes = rowBytes
  }

  get count(): number {
    return this.used
  }

  /** The array that holds a row, from {@link offsetOf} on. */
  chunkOf(row: number): Uint8Array {
    return this.chunks[row >>> SHIFT]!
  }

  offsetOf(row: number): number {
    return (row & (ROWS_PER_CHUNK - 1)) * this.rowBytes
  }

  /** Takes a copy of a row; its number is the count before. */
  push(from: Uint8Array, at: number): void {
    const row = this.used++
    if (row >>> SHIFT === this.chunks.length) this.chunks.push(new Uint8Array(ROWS_PER_CHUNK * this.rowBytes))
    const to = this.chunkOf(row)
    const start = this.offsetOf(row)
    for (let k = 0; k < this.rowBytes; k++) to[start + k] = from[at + k]!
  }

  /** Forgets all rows from this number on. */
  cutTo(count: number): void {
    this.used = Math.min(this.used, count)
    this.chunks.length = (this.used + ROWS_PER_CHUNK - 1) >>> SHIFT
  }
}
