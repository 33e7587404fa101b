import type { Cell } from '../../codec/cell/Cell.ts'
import { openRaw } from '../../codec/cell/CellReader.ts'
import { HashIndex, recordVisited, VisitedCells } from '../../codec/cell/HashIndex.ts'
import { MAX_PRUNE_DEPTH, pruneCell, rewriteTree, wrapMerkleProof } from '../../codec/cell/merkle.ts'

type Proven<T> = { readonly value: T; readonly proof: Cell }

/**
 * The result of a read and the proof of all cells visited for it. Cells without references are included whole, as in the proofs of
 * a node that has read a whole block or first state from its file.
 */
export const prove = <T>(root: Cell, read: (root: Cell) => T): Proven<T> =>
  proveWith(root, read, (cell) => cell.refCount === 0)

/** The same for a state as a node has it in its database: of what it did not enter it knows no more than the hash. */
export const proveState = <T>(root: Cell, read: (root: Cell) => T): Proven<T> => proveWith(root, read, () => false)

/** The proof of all that was entered for a reading, and of the cells that a run loaded. */
export const proveLoaded = (root: Cell, read: (root: Cell) => void, isLoaded: (cell: Cell) => boolean): Cell => {
  const visited = recordVisited(() => read(root))
  visited.add(root.arena, root.index)
  const hashes = hashesOf(root, visited)
  const inner = rewriteTree(
    root,
    0,
    (cell, depth) => {
      if (hashes.find(cell) >= 0 || isLoaded(cell)) return undefined
      return cell.refCount === 0 || depth > MAX_PRUNE_DEPTH ? cell : pruneCell(cell, depth)
    },
    true,
  )
  return wrapMerkleProof(inner)
}

const proveWith = <T>(root: Cell, read: (root: Cell) => T, isKept: (cell: Cell) => boolean): Proven<T> => {
  let value: T | undefined
  const visited = recordVisited(() => {
    value = read(root)
  })
  visited.add(root.arena, root.index)
  const hashes = hashesOf(root, visited)
  // As in a node, a visited cell is included wherever it occurs.
  const inner = rewriteTree(
    root,
    0,
    (cell, depth) => {
      if (hashes.find(cell) >= 0) return undefined
      return isKept(cell) || depth > MAX_PRUNE_DEPTH ? cell : pruneCell(cell, depth)
    },
    true,
  )
  return { value: value as T, proof: wrapMerkleProof(inner) }
}

/** What was entered, by its content: the versions of a state share cells, but may hold one content in several. */
const hashesOf = (root: Cell, visited: VisitedCells): HashIndex => {
  const hashes = new HashIndex()
  const seen = new VisitedCells()
  const take = (cell: Cell): void => {
    if (!visited.has(cell) || seen.has(cell)) return
    seen.add(cell.arena, cell.index)
    if (hashes.find(cell) < 0) hashes.add(cell)
    for (let k = 0; k < cell.refCount; k++) take(cell.ref(k))
  }
  take(root)
  return hashes
}

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
