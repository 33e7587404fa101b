import type { Cell } from '../../../codec/cell/Cell.ts'
import type { CellArena } from '../../../codec/cell/CellArena.ts'

/**
 * How many cells a cell comes to when every path is spelled out; as each cell is looked at once, this takes no longer for a
 * few that spell out endlessly many.
 */
export const countSpelledCells = (cell: Cell): number => count(cell, new Map())

const count = (cell: Cell, known: Map<CellArena, Map<number, number>>): number => {
  const { arena, index } = cell
  let counts = known.get(arena)
  if (counts === undefined) {
    counts = new Map()
    known.set(arena, counts)
  }
  const counted = counts.get(index)
  if (counted !== undefined) return counted
  let sum = 1
  for (let at = 0; at < cell.refCount; at++) sum += count(cell.ref(at), known)
  counts.set(index, sum)
  return sum
}
