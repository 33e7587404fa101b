import type { Cell } from './Cell.ts'
import { CellWriter } from './CellWriter.ts'
import { ProofError } from './errors.ts'
import { MERKLE_UPDATE, PRUNED_BRANCH } from './exotic.ts'
import { HashIndex } from './HashIndex.ts'
import { pruneUnvisited } from './merkleProof.ts'
import { isMerkleCell, MAX_PRUNE_DEPTH, pruneCell, rewriteTree } from './prune.ts'
import { VisitedCells } from './visited.ts'

/** The two sides of a Merkle update, pruned; `hash(0)` and `depth(0)` of each are those of the whole trees. */
export type MerkleUpdate = { readonly before: Cell; readonly after: Cell }

/** Takes a Merkle update apart. Its stated hashes are checked against its cells when a hash of it is asked for. */
export const readMerkleUpdate = (cell: Cell): MerkleUpdate => {
  if (cell.exoticType !== MERKLE_UPDATE)
    throw new ProofError('A Merkle update was expected, another kind of cell came.')
  return { before: cell.ref(0), after: cell.ref(1) }
}

const wrapMerkleUpdate = (before: Cell, after: Cell): Cell =>
  new CellWriter()
    .writeUint(MERKLE_UPDATE, 8)
    .writeBytes(before.hash(0))
    .writeBytes(after.hash(0))
    .writeUint(before.depth(0), 16)
    .writeUint(after.depth(0), 16)
    .writeRef(before)
    .writeRef(after)
    .toExoticCell()

/**
 * Makes the new tree from the old one and an update. Only the paths that the update keeps are walked; the result shares all
 * unchanged cells with `old`.
 */
export const applyMerkleUpdate = (old: Cell, update: Cell): Cell => {
  update.hash()
  const { before, after } = readMerkleUpdate(update)
  if (update.level !== 0 || old.level !== 0) {
    throw new ProofError(
      `Only a whole Merkle update applies, and to a whole tree: their levels are ${update.level} and ${old.level}.`,
    )
  }
  if (!old.hasHash(before.hash(0)))
    throw new ProofError('A Merkle update starts from another cell than the one it is applied to.')
  const known = new HashIndex()
  const originals: Cell[] = []
  // The same content may stand pruned in one place and whole in another, so being known does not end the descent. And one
  // cell may stand for different originals: pruned for this update, or a part of the old tree below a Merkle cell there.
  const pairedAt = [new VisitedCells(), new VisitedCells(), new VisitedCells(), new VisitedCells()]
  const pair = (stated: Cell, original: Cell, merkleDepth: number): void => {
    const paired = pairedAt[Math.min(merkleDepth, 3)]!
    if (paired.has(stated)) return
    paired.add(stated.arena, stated.index)
    if (known.find(stated, merkleDepth) < 0) {
      known.add(stated, merkleDepth)
      originals.push(original)
    }
    if (stated.exoticType === PRUNED_BRANCH && stated.level > merkleDepth) return
    const childDepth = isMerkleCell(stated) ? merkleDepth + 1 : merkleDepth
    for (let k = 0; k < stated.refCount; k++) pair(stated.ref(k), original.ref(k), childDepth)
  }
  pair(before, old, 0)
  return rewriteTree(after, 0, (cell, merkleDepth) => {
    if (cell.levelMask === 0) return cell
    if (cell.exoticType !== PRUNED_BRANCH || cell.level !== merkleDepth + 1) return undefined
    const found = known.find(cell, merkleDepth)
    if (found < 0) throw new ProofError('A Merkle update uses a part of the old tree that it does not show there.')
    return originals[found]!
  })
}

/**
 * The update from one tree to another. `visited` are the cells of `old` that were read while `next` was made (see
 * recordVisited): with it the cost follows the change and not the size of the trees. Without it all of `old` is compared.
 */
export const buildMerkleUpdate = (old: Cell, next: Cell, visited: VisitedCells = allCells(old)): Cell => {
  visited.add(old.arena, old.index)
  const reusable = new HashIndex()
  const seen = new VisitedCells()
  const index = (cell: Cell): void => {
    if (seen.has(cell)) return
    seen.add(cell.arena, cell.index)
    if (reusable.find(cell) < 0) reusable.add(cell)
    if (visited.has(cell)) for (let k = 0; k < cell.refCount; k++) index(cell.ref(k))
  }
  index(old)
  const used = new HashIndex()
  const after = rewriteTree(next, 0, (cell, merkleDepth) => {
    if (cell.refCount === 0 || merkleDepth > MAX_PRUNE_DEPTH) return cell
    if (reusable.find(cell) < 0) return undefined
    if (used.find(cell) < 0) used.add(cell)
    return pruneCell(cell, merkleDepth)
  })
  return wrapMerkleUpdate(pruneUnvisited(old, pathsTo(old, visited, used)), after)
}

const allCells = (root: Cell): VisitedCells => {
  const all = new VisitedCells()
  const visit = (cell: Cell): void => {
    if (all.has(cell)) return
    all.add(cell.arena, cell.index)
    for (let k = 0; k < cell.refCount; k++) visit(cell.ref(k))
  }
  visit(root)
  return all
}

/** The cells of the old tree that lie above a reused one: all that the old side has to show. */
const pathsTo = (root: Cell, visited: VisitedCells, used: HashIndex): VisitedCells => {
  const paths = new VisitedCells()
  const seen = new VisitedCells()
  // A reused cell may lie below another reused one, so the search goes on there.
  const leadsThere = (cell: Cell): boolean => {
    if (!seen.has(cell)) {
      seen.add(cell.arena, cell.index)
      if (visited.has(cell)) {
        for (let k = 0; k < cell.refCount; k++) if (leadsThere(cell.ref(k))) paths.add(cell.arena, cell.index)
      }
    }
    return paths.has(cell) || used.find(cell) >= 0
  }
  leadsThere(root)
  return paths
}
