import type { Cell } from '../../../codec/cell/Cell.ts'
import type { CellArena } from '../../../codec/cell/CellArena.ts'

export type SpelledCells = {
  /** With every path to a cell spelled out. */
  readonly spelled: number
  /** Each once, without those that were counted before. */
  readonly distinct: number
}

/** What cells come to that were counted before. */
export type CountedCells = Map<CellArena, Map<number, number>>

/**
 * How many cells a cell comes to when it is spelled out. Each is looked at once, so that this takes no longer for a few cells
 * that spell out endlessly many.
 */
export const countSpelledCells = (root: Cell, known: CountedCells = new Map()): SpelledCells => {
  let distinct = 0
  const count = (cell: Cell): number => {
    const counts = countsOf(known, cell.arena)
    const counted = counts.get(cell.index)
    if (counted !== undefined) return counted
    distinct++
    let spelled = 1
    for (let at = 0; at < cell.refCount; at++) spelled += count(cell.ref(at))
    counts.set(cell.index, spelled)
    return spelled
  }
  const spelled = count(root)
  return { spelled, distinct }
}

const countsOf = (known: CountedCells, arena: CellArena): Map<number, number> => {
  const counts = known.get(arena) ?? new Map<number, number>()
  known.set(arena, counts)
  return counts
}
