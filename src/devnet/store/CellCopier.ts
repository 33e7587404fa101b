import type { Cell } from '../../codec/cell/Cell.ts'
import { ArenaWriter } from './ArenaWriter.ts'
import { CellWalk } from './CellWalk.ts'
import type { SlicedWork } from './slices.ts'

/** Small enough that marking what was visited in an arena costs little, large enough that few references leave it. */
const ARENA_CELLS = 8192

/** Copies trees of cells, each content once. */
export class CellCopier {
  /** Holds the copies, without what is needed to make more of them. */
  readonly writer = new ArenaWriter(ARENA_CELLS)
  private readonly walk: CellWalk

  constructor() {
    const { writer } = this
    this.walk = new CellWalk((cell, children) => {
      writer.append(
        cell,
        children.map((number) => writer.get(number)),
      )
    })
  }

  *copy(root: Cell): SlicedWork<Cell> {
    return this.writer.get(yield* this.walk.visit(root))
  }
}
