import type { Cell } from '../../codec/cell/Cell.ts'
import { openRaw } from '../../codec/cell/CellReader.ts'
import { VisitedCells } from '../../codec/cell/HashIndex.ts'

/** Enters every cell of a tree, for a proof that is to hold all of it. */
export const visitAll = (root: Cell | undefined): void => {
  const seen = new VisitedCells()
  const visit = (cell: Cell): void => {
    if (seen.has(cell)) return
    seen.add(cell.arena, cell.index)
    openRaw(cell)
    for (let k = 0; k < cell.refCount; k++) visit(cell.ref(k))
  }
  if (root !== undefined) visit(root)
}
