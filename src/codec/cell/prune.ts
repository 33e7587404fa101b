import type { Cell } from './Cell.ts'
import { cellAt } from './Cell.ts'
import type { CellArena } from './CellArena.ts'
import { wholeSlice } from './CellSlice.ts'
import { CellWriter } from './CellWriter.ts'
import { CellError } from './errors.ts'
import { MERKLE_PROOF, MERKLE_UPDATE, PRUNED_BRANCH } from './exotic.ts'

/** Below three Merkle cells there is no level left for a pruned branch: whatever stands there is kept. */
export const MAX_PRUNE_DEPTH = 2

/** The pruned branch that stands for `cell` at a Merkle depth (0 directly under the proof, one more below each Merkle cell). */
export const pruneCell = (cell: Cell, merkleDepth: number): Cell => {
  const mask = cell.levelMask
  if (cell.level > merkleDepth || merkleDepth > MAX_PRUNE_DEPTH) {
    throw new CellError(`A cell of level ${cell.level} cannot be pruned at Merkle depth ${merkleDepth}.`)
  }
  const w = new CellWriter().writeUint(PRUNED_BRANCH, 8).writeUint(mask | (1 << merkleDepth), 8)
  const levels = [0, 1, 2].filter((level) => ((mask >> level) & 1) === 1)
  levels.push(3)
  for (const level of levels) w.writeBytes(cell.hash(level))
  for (const level of levels) w.writeUint(cell.depth(level), 16)
  return w.toExoticCell()
}

export const isMerkleCell = (cell: Cell): boolean =>
  cell.exoticType === MERKLE_PROOF || cell.exoticType === MERKLE_UPDATE

/** The same cell over other children; the cell itself where none differs. */
export const withChildren = (cell: Cell, children: readonly Cell[]): Cell => {
  const slice = wholeSlice(cell)
  const isSame = children.every((child, k) => {
    const old = cell.ref(k)
    return old.arena === child.arena && old.index === child.index
  })
  if (isSame) return cell
  const w = new CellWriter().writeSlice({ ...slice, refEnd: 0 })
  for (const child of children) w.writeRef(child)
  return cell.isExotic ? w.toExoticCell() : w.toCell()
}

/**
 * Rewrites a tree from the root down. `replace` says what stands for a cell, or `undefined` to go on into its children.
 * Each cell is met once for each Merkle depth, however often it is shared.
 */
export const rewriteTree = (
  root: Cell,
  rootDepth: number,
  replace: (cell: Cell, merkleDepth: number) => Cell | undefined,
): Cell => {
  const done: Map<CellArena, Map<number, Cell>>[] = [new Map(), new Map(), new Map(), new Map()]
  const visit = (cell: Cell, merkleDepth: number): Cell => {
    const level = done[Math.min(merkleDepth, 3)]!
    let known = level.get(cell.arena)
    if (known === undefined) {
      known = new Map()
      level.set(cell.arena, known)
    }
    const before = known.get(cell.index)
    if (before !== undefined) return before
    let result = replace(cell, merkleDepth)
    if (result === undefined) {
      const childDepth = isMerkleCell(cell) ? merkleDepth + 1 : merkleDepth
      const children: Cell[] = []
      const start = cell.arena.refStart[cell.index]!
      for (let k = 0; k < cell.refCount; k++)
        children.push(visit(cellAt(cell.arena, cell.arena.refs[start + k]!), childDepth))
      result = withChildren(cell, children)
    }
    known.set(cell.index, result)
    return result
  }
  return visit(root, rootDepth)
}
