import type { Cell } from '../../codec/cell/Cell.ts'
import { HashIndex } from '../../codec/cell/HashIndex.ts'
import { wrapMerkleProof } from '../../codec/cell/merkleProof.ts'
import { MAX_PRUNE_DEPTH, pruneCell, rewriteTree } from '../../codec/cell/prune.ts'
import { recordVisited, VisitedCells } from '../../codec/cell/visited.ts'

/** The result of a reading and the proof of all that was entered for it. */
export const prove = <T>(root: Cell, read: (root: Cell) => T): { readonly value: T; readonly proof: Cell } => {
  let value: T | undefined
  const visited = recordVisited(() => {
    value = read(root)
  })
  visited.add(root.arena, root.index)
  return { value: value as T, proof: wrapMerkleProof(pruneUnknown(root, hashesOf(root, visited))) }
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

/** The tree without the content that was not entered. As with a node, it stands wherever it occurs once it was entered. */
const pruneUnknown = (root: Cell, hashes: HashIndex): Cell =>
  rewriteTree(root, 0, (cell, depth) => {
    if (hashes.find(cell) >= 0) return undefined
    return cell.refCount === 0 || depth > MAX_PRUNE_DEPTH ? cell : pruneCell(cell, depth)
  })
