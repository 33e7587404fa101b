import type { CellArena, CellRef } from './CellArena.ts'

const MAX_KEPT_SLOTS = 1 << 12

/** Numbers cells by representation hash: an open-addressing table, many times faster than a Map with text keys. */
export class HashIndex {
  private slots = new Int32Array(64).fill(-1)
  private hashes = new Uint8Array(32 * 32)
  private used = 0
  private readonly probe = new Uint8Array(32)

  get size(): number {
    return this.used
  }

  /** Forgets all cells; the table is used again, unless it has grown large. */
  clear(): void {
    if (this.slots.length > MAX_KEPT_SLOTS) {
      this.slots = new Int32Array(64).fill(-1)
      this.hashes = new Uint8Array(32 * 32)
    } else if (this.used > 0) this.slots.fill(-1)
    this.used = 0
  }

  /** The number of the cell with this hash at `level`, or -1. */
  find(cell: CellRef, level = 3): number {
    cell.arena.copyHash(cell.index, level, this.probe, 0)
    return this.slots[this.slotOf(this.probe, 0)]!
  }

  /** Gives the cell the next number, counted from 0; it must not be in the table yet. */
  add(cell: CellRef, level = 3): number {
    if (2 * this.used >= this.slots.length) this.grow()
    const number = this.used++
    cell.arena.copyHash(cell.index, level, this.hashes, 32 * number)
    this.slots[this.slotOf(this.hashes, 32 * number)] = number
    return number
  }

  /** The slot that holds this hash, or the free one where it belongs. */
  private slotOf(hash: Uint8Array, at: number): number {
    const { slots, hashes } = this
    const mask = slots.length - 1
    let slot = (hash[at]! | (hash[at + 1]! << 8) | (hash[at + 2]! << 16) | (hash[at + 3]! << 24)) & mask
    for (;;) {
      const number = slots[slot]!
      if (number < 0) return slot
      let k = 0
      while (k < 32 && hashes[32 * number + k] === hash[at + k]) k++
      if (k === 32) return slot
      slot = (slot + 1) & mask
    }
  }

  private grow(): void {
    const hashes = new Uint8Array(this.hashes.length * 2)
    hashes.set(this.hashes)
    this.hashes = hashes
    this.slots = new Int32Array(this.slots.length * 2).fill(-1)
    for (let number = 0; number < this.used; number++) this.slots[this.slotOf(hashes, 32 * number)] = number
  }
}

/** The cells that were entered while something was read: what a Merkle proof of that reading has to keep. */
export class VisitedCells {
  private readonly marks = new Map<CellArena, Uint8Array>()

  add(arena: CellArena, index: number): void {
    let marks = this.marks.get(arena)
    if (marks === undefined) {
      marks = new Uint8Array(arena.d1.length)
      this.marks.set(arena, marks)
    }
    marks[index] = 1
  }

  has({ arena, index }: CellRef): boolean {
    return this.marks.get(arena)?.[index] === 1
  }
}

/** Where readers report the cells they enter; `undefined` outside {@link recordVisited}. */
export const recorder: { current: VisitedCells | undefined } = { current: undefined }

/**
 * Runs `read` and collects every cell it enters, whatever object it goes through. `read` must be synchronous: what other
 * code reads meanwhile would be recorded too. Calls may be nested, and `visited` may be passed on to add to it.
 */
export const recordVisited = (read: () => void, visited: VisitedCells = new VisitedCells()): VisitedCells => {
  const outer = recorder.current
  recorder.current = visited
  try {
    read()
  } finally {
    recorder.current = outer
  }
  return visited
}
