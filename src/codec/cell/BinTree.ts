import type { Cell } from './Cell.ts'
import { type CellReader, openCell } from './CellReader.ts'
import { CellWriter } from './CellWriter.ts'
import { CellError } from './errors.ts'

/** A leaf of a `BinTree` and the path to it: `depth` turns, each a bit of `path` (1 is right), first turn highest. */
export type BinTreeLeaf<T> = { readonly path: bigint; readonly depth: number; readonly value: T }

// No workchain has near as many shards; equal subtrees are one cell, so a small bag may claim any number.
const MAX_LEAVES = 1 << 11
const MAX_TREE_DEPTH = 60

/** bt_leaf$0 leaf:X = BinTree X; bt_fork$1 left:^(BinTree X) right:^(BinTree X) = BinTree X; */
export const readBinTree = <T>(root: Cell, read: (r: CellReader) => T): BinTreeLeaf<T>[] => {
  const leaves: BinTreeLeaf<T>[] = []
  const visit = (r: CellReader, path: bigint, depth: number): void => {
    if (!r.readBit()) {
      if (leaves.length === MAX_LEAVES) throw new CellError(`A binary tree has more than ${MAX_LEAVES} leaves.`)
      leaves.push({ path, depth, value: read(r) })
    } else {
      if (depth === MAX_TREE_DEPTH) throw new CellError(`A binary tree is more than ${MAX_TREE_DEPTH} deep.`)
      visit(r.readRef(), path << 1n, depth + 1)
      visit(r.readRef(), (path << 1n) | 1n, depth + 1)
    }
    r.expectEnd('A binary tree node')
  }
  visit(openCell(root), 0n, 0)
  return leaves
}

/**
 * Walks down by `turn` (asked at each fork, with its depth) and reads the leaf that is reached; nothing beside the path is
 * entered. `undefined` where `turn` said to stop.
 */
export const lookupBinTree = <T>(
  root: Cell,
  turn: (depth: number) => 'left' | 'right' | 'stop',
  read: (r: CellReader) => T,
): { readonly depth: number; readonly value: T } | undefined => {
  let r = openCell(root)
  for (let depth = 0; ; depth++) {
    if (!r.readBit()) return { depth, value: read(r) }
    if (depth === MAX_TREE_DEPTH) throw new CellError(`A binary tree is more than ${MAX_TREE_DEPTH} deep.`)
    const side = turn(depth)
    if (side === 'stop') return undefined
    if (side === 'right') r.skipRef()
    r = r.readRef()
  }
}

/** Builds the tree of these leaves, which must be in order and cover it without gaps. */
export const writeBinTree = <T>(leaves: readonly BinTreeLeaf<T>[], write: (w: CellWriter, value: T) => void): Cell => {
  let next = 0
  const build = (path: bigint, depth: number): Cell => {
    if (depth > MAX_TREE_DEPTH) throw new CellError(`A binary tree is more than ${MAX_TREE_DEPTH} deep.`)
    const leaf = leaves[next]
    if (leaf === undefined || leaf.depth < depth || leaf.path >> BigInt(leaf.depth - depth) !== path) {
      throw new CellError(`The leaves of a binary tree leave a gap or are out of order at leaf ${next}.`)
    }
    const w = new CellWriter()
    if (leaf.depth === depth) {
      next++
      w.writeBit(false)
      write(w, leaf.value)
    } else
      w.writeBit(true)
        .writeRef(build(path << 1n, depth + 1))
        .writeRef(build((path << 1n) | 1n, depth + 1))
    return w.toCell()
  }
  const root = build(0n, 0)
  if (next !== leaves.length) throw new CellError(`A binary tree is complete after ${next} of ${leaves.length} leaves.`)
  return root
}
