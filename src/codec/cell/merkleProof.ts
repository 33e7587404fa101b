import type { Cell } from './Cell.ts'
import { CellWriter } from './CellWriter.ts'
import { ProofError } from './errors.ts'
import { MERKLE_PROOF } from './exotic.ts'
import { MAX_PRUNE_DEPTH, pruneCell, rewriteTree } from './prune.ts'
import type { VisitedCells } from './visited.ts'

/** The tree with every cell pruned that was not visited; cells without references are kept, they cost less than their stand-in. */
export const pruneUnvisited = (root: Cell, visited: VisitedCells): Cell =>
  rewriteTree(root, 0, (cell, depth) => {
    if (visited.has(cell)) return undefined
    return cell.refCount === 0 || depth > MAX_PRUNE_DEPTH ? cell : pruneCell(cell, depth)
  })

/** Wraps a pruned tree as a Merkle proof of its original. */
export const wrapMerkleProof = (inner: Cell): Cell =>
  new CellWriter()
    .writeUint(MERKLE_PROOF, 8)
    .writeBytes(inner.hash(0))
    .writeUint(inner.depth(0), 16)
    .writeRef(inner)
    .toExoticCell()

/** A Merkle proof that holds what was visited of `root`. The root itself is always kept. */
export const buildMerkleProof = (root: Cell, visited: VisitedCells): Cell => {
  visited.add(root.arena, root.index)
  return wrapMerkleProof(pruneUnvisited(root, visited))
}

/** The tree inside a Merkle proof, after checking that it proves the cell with this hash. Compare its hashes at level 0. */
export const unwrapMerkleProof = (proof: Cell, expectedHash: Uint8Array): Cell => {
  const inner = unwrapUnchecked(proof)
  if (proof.level !== 0) throw new ProofError(`A Merkle proof has level 0, this one has level ${proof.level}.`)
  // The hash of the proof itself would be of no use: it is the larger part of the work, and nobody compares it.
  proof.arena.checkMerkle(proof.index)
  if (!inner.hasHash(expectedHash, 0)) throw new ProofError('A Merkle proof is of another cell than the expected one.')
  return inner
}

/** The tree inside a Merkle proof, believed to be right. */
export const unwrapUnchecked = (proof: Cell): Cell => {
  if (proof.exoticType !== MERKLE_PROOF) throw new ProofError('A Merkle proof was expected, another kind of cell came.')
  return proof.ref(0)
}
