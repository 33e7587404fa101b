import { type Cell, cellAt } from '../../codec/cell/Cell.ts'
import { HashIndex } from '../../codec/cell/HashIndex.ts'
import type { SlicedWork } from './slices.ts'

const CELLS_PER_YIELD = 64

/** Takes a cell; its children, by their numbers, were taken before. */
type TakeCell = (cell: Cell, children: readonly number[]) => void

/** A cell whose children are being visited. */
type Frame = { readonly cell: Cell; readonly children: number[] }

/**
 * Visits trees of cells, each content once, children before parents, and numbers them in this order. Cells never change, so
 * others may use the same trees while it works.
 */
export class CellWalk {
  private readonly known = new HashIndex()
  private readonly take: TakeCell

  constructor(take: TakeCell) {
    this.take = take
  }

  get count(): number {
    return this.known.size
  }

  /** Gives the number of the root. */
  *visit(root: Cell): SlicedWork<number> {
    const { known } = this
    const there = known.find(root)
    if (there >= 0) return there
    const stack: Frame[] = [{ cell: root, children: [] }]
    for (;;) {
      const { cell, children } = stack.at(-1)!
      const { arena, index } = cell
      if (children.length < cell.refCount) {
        const child = cellAt(arena, arena.refs[arena.refStart[index]! + children.length]!)
        const number = known.find(child)
        if (number >= 0) children.push(number)
        else stack.push({ cell: child, children: [] })
        continue
      }
      const number = known.add(cell)
      this.take(cell, children)
      stack.pop()
      if (stack.length === 0) return number
      stack.at(-1)!.children.push(number)
      if (number % CELLS_PER_YIELD === 0) yield
    }
  }
}
