import { type Cell, cellAt } from '../../codec/cell/Cell.ts'
import type { CellArena } from '../../codec/cell/CellArena.ts'
import type { ArenaWriter } from './ArenaWriter.ts'

/** Copies the part of a tree that is not among the cells already owned. Its cost follows what is new. */
export const adoptCells = (root: Cell, writer: ArenaWriter, isOwned: (arena: CellArena) => boolean): Cell => {
  const copies = new Map<CellArena, Map<number, Cell>>()
  // Recursion is bounded: no cell tree is deeper than 1024.
  const visit = (cell: Cell): Cell => {
    const { arena, index } = cell
    if (isOwned(arena)) return cell
    let known = copies.get(arena)
    if (known === undefined) {
      known = new Map()
      copies.set(arena, known)
    }
    const before = known.get(index)
    if (before !== undefined) return before
    const children: Cell[] = []
    const start = arena.refStart[index]!
    for (let k = 0; k < cell.refCount; k++) children.push(visit(cellAt(arena, arena.refs[start + k]!)))
    const copy = writer.append(cell, children)
    known.set(index, copy)
    return copy
  }
  return visit(root)
}
