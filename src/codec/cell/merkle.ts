import { type Cell, cellAt, wholeSlice } from './Cell.ts'
import type { CellArena } from './CellArena.ts'
import { breakSlabChain, CellWriter } from './CellWriter.ts'
import { CellError, ProofError } from './errors.ts'
import { MERKLE_PROOF, MERKLE_UPDATE, PRUNED_BRANCH } from './exotic.ts'
import { HashIndex, VisitedCells } from './HashIndex.ts'

/** Below three Merkle cells no level is left for a pruned branch: those cells stay whole. */
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
 * Each cell is met once for each Merkle depth, however often it is shared. `isPruning`: what stands for a cell has its hash at level 0, as
 * pruned branches do, so that the cells above them need not be hashed for it.
 */
export const rewriteTree = (
  root: Cell,
  rootDepth: number,
  replace: (cell: Cell, merkleDepth: number) => Cell | undefined,
  isPruning = false,
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
      if (isPruning && merkleDepth === 0 && result !== cell) result.arena.adoptHash(result.index, cell)
    }
    known.set(cell.index, result)
    return result
  }
  return visit(root, rootDepth)
}

/** The tree with every cell pruned that was not visited; cells without references are kept, they cost less than their stand-in. */
export const pruneUnvisited = (root: Cell, visited: VisitedCells): Cell =>
  rewriteTree(
    root,
    0,
    (cell, depth) => {
      if (visited.has(cell)) return undefined
      return cell.refCount === 0 || depth > MAX_PRUNE_DEPTH ? cell : pruneCell(cell, depth)
    },
    true,
  )

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
  breakSlabChain()
  visited.add(root.arena, root.index)
  return wrapMerkleProof(pruneUnvisited(root, visited))
}

/** The tree inside a Merkle proof, after checking that it proves the cell with this hash. Compare its hashes at level 0. */
export const unwrapMerkleProof = (proof: Cell, expectedHash: Uint8Array): Cell => {
  const inner = unwrapUnchecked(proof)
  if (proof.level !== 0) throw new ProofError(`A Merkle proof has level 0, this one has level ${proof.level}.`)
  // The hash of the proof cell itself is not computed: it would be most of the work, and nothing compares it.
  proof.arena.checkMerkle(proof.index)
  if (!inner.hasHash(expectedHash, 0)) throw new ProofError('A Merkle proof is of another cell than the expected one.')
  return inner
}

/** The tree inside a Merkle proof, unchecked. */
export const unwrapUnchecked = (proof: Cell): Cell => {
  if (proof.exoticType !== MERKLE_PROOF) throw new ProofError('Expected a Merkle proof, but got another kind of cell.')
  return proof.ref(0)
}

/** The two sides of a Merkle update, pruned; `hash(0)` and `depth(0)` of each are those of the whole trees. */
export type MerkleUpdate = { readonly before: Cell; readonly after: Cell }

/** Takes a Merkle update apart. Its stated hashes are checked against its cells when a hash of it is asked for. */
export const readMerkleUpdate = (cell: Cell): MerkleUpdate => {
  if (cell.exoticType !== MERKLE_UPDATE) throw new ProofError('Expected a Merkle update, but got another kind of cell.')
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
  breakSlabChain()
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
