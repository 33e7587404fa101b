import type { CellRef } from './CellArena.ts'
import { CellError } from './errors.ts'
import { VisitedCells } from './visited.ts'

const DEFAULT_MAX_NODES = 1 << 22
// Watching costs more than walking, and a walk this short cannot hurt.
const UNWATCHED_NODES = 1 << 12
const MAX_REPEATS = 1 << 14

/**
 * What a walk over a dictionary may cost. Equal subtrees are one cell, so a bag of 2 KB can spell out more keys than there
 * are atoms: besides all nodes, visits to cells that were visited before are counted. Real dictionaries have next to none.
 */
export class NodeBudget {
  private readonly maxNodes: number
  private nodes = 0
  private repeats = 0
  private seen: VisitedCells | undefined = undefined

  constructor(maxNodes = DEFAULT_MAX_NODES) {
    this.maxNodes = maxNodes
  }

  /** Counts one more visit, to this cell. */
  spend(node: CellRef): void {
    if (++this.nodes > this.maxNodes) {
      throw new CellError(`A dictionary has more than ${this.maxNodes} nodes, the most that is read here.`)
    }
    if (this.nodes > UNWATCHED_NODES) this.watch(node)
  }

  private watch(node: CellRef): void {
    this.seen ??= new VisitedCells()
    if (!this.seen.has(node)) this.seen.add(node.arena, node.index)
    else if (++this.repeats > MAX_REPEATS) {
      throw new CellError(`A dictionary leads back to the same cells more than ${MAX_REPEATS} times.`)
    }
  }
}
