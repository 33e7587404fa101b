import type { CellArena, CellRef } from './CellArena.ts'

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
