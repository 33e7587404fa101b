import type { Cell } from '../../src/codec/cell/Cell.ts'
import { CellWriter, emptyCell } from '../../src/codec/cell/CellWriter.ts'
import { pruneCell, wrapMerkleProof } from '../../src/codec/cell/merkle.ts'
import type { RawBag, RawCell } from '../support/RawBag.ts'
import type { Random } from './Random.ts'

const NOTHING = new Uint8Array(0)

/** A chain of cells, each referring `fan` times to the next: few cells, `fan` to the power of their number many paths. */
export const chainBag = (random: Random): RawBag => {
  const length = random.pick<() => number>([
    () => random.between(1, 40),
    () => random.between(1, 40),
    () => random.between(1, 300),
    () => random.between(1, 300),
    () => random.between(1, 300),
    () => random.between(1022, 1026),
    () => random.between(900, 1100),
    () => (random.once(4) ? random.between(1100, 6000) : 2000),
  ])()
  const fan = random.pick([1, 1, 2, 3, 4])
  const data = random.bytes(random.pick(length > 2000 ? [0, 1] : [0, 1, 4, 20]))
  const cells = Array.from({ length }, (_, k): RawCell => {
    // Now and then a cell goes on further down, so that the paths have many lengths.
    const skip = (): number => Math.min(length, k + (random.once(50) ? random.between(1, 5) : 1))
    const refs = Array.from({ length: fan }, skip)
    return { d1: fan, d2: 2 * data.length, stored: NOTHING, data, refs }
  })
  cells.push({ d1: 0, d2: 2 * data.length, stored: NOTHING, data, refs: [] })
  return { cells, roots: [0], refSize: 2, crc: random.once(2), index: random.once(3) }
}

const writeLabel = (w: CellWriter, max: number, random: Random): void => {
  const lengthBits = 32 - Math.clz32(max)
  const lie = random.once(6)
  const length = lie ? random.between(0, 2 ** lengthBits - 1) : random.below(Math.min(max, 3) + 1)
  switch (random.below(4)) {
    case 0:
      w.writeUint(0b10, 2).writeUint(length, lengthBits)
      for (let k = 0; k < Math.min(length, 300); k++) w.writeBit(random.once(2))
      return
    case 1:
      w.writeUint(0b110 | random.below(2), 3).writeUint(length, lengthBits)
      return
    default:
      w.writeBit(false)
      for (let k = 0; k < Math.min(length, 300); k++) w.writeBit(true)
      w.writeBit(false)
      for (let k = 0; k < Math.min(length, 300); k++) w.writeBit(random.once(2))
  }
}

/** Dictionaries whose subtrees are shared, so that a few cells claim endlessly many keys; labels may lie. */
export const dictBomb = (random: Random, inner: Cell = emptyCell): Cell => {
  const keyBits = random.pick([8, 15, 32, 32, 64, 64, 96, 256, 267, 352, 1023])
  const isHonest = random.once(2)
  const extraBits = random.pick([0, 0, 0, 5, 64])
  const leaf = new CellWriter().writeUint(0, 2).writeUintWide(0n, extraBits)
  const kind = random.below(4)
  if (kind === 1 || kind === 3) leaf.writeUintWide(0n, random.pick([8, 8, 64, 256]))
  if (kind === 2 || kind === 3) leaf.writeRef(inner)
  let node = leaf.toCell()
  const levels = Math.min(keyBits, 450)
  for (let max = 1; max <= levels; max++) {
    const w = new CellWriter()
    // What is left of a long key stands in the label of the root.
    if (isHonest && max === levels) w.writeUint(0b110, 3).writeUint(keyBits - levels, 32 - Math.clz32(keyBits))
    else if (isHonest) w.writeUint(0, 2)
    else writeLabel(w, max, random)
    w.writeRef(node).writeRef(node).writeUintWide(0n, extraBits)
    node = w.toCell()
  }
  // As HashmapE, with an extra behind the root, or the root by itself.
  if (random.once(3)) return node
  return new CellWriter()
    .writeBytes(random.bytes(random.pick([0, 0, 1])))
    .writeBit(true)
    .writeRef(node)
    .writeUintWide(0n, extraBits)
    .toCell()
}

/** A byte string through a chain of cells, with shared side branches. */
export const snakeBomb = (random: Random): Cell => {
  const bytes = random.bytes(random.pick([1, 20, 127]))
  let cell = emptyCell
  for (let k = random.pick([10, 40, 100, 200, bytes.length > 100 ? 200 : 980]); k > 0; k--) {
    const w = new CellWriter()
    if (random.once(40)) w.writeUint(1, 3)
    else w.writeBytes(bytes)
    for (let refs = random.pick([1, 1, 1, 2, 4]); refs > 0; refs--) w.writeRef(cell)
    cell = w.toCell()
  }
  return new CellWriter()
    .writeUint(random.below(3), random.pick([8, 32]))
    .writeRef(cell)
    .toCell()
}

/** A binary tree of equal halves, sometimes deeper than any real one. */
export const binTreeBomb = (random: Random): Cell => {
  let node = new CellWriter()
    .writeBit(false)
    .writeBytes(random.bytes(random.below(60)))
    .toCell()
  for (let k = random.pick([3, 12, 20, 59, 60, 61, 200]); k > 0; k--) {
    node = new CellWriter().writeBit(true).writeRef(node).writeRef(node).toCell()
  }
  return node
}

/** ShardHashes: as many workchains as there are numbers, each with the same tree of the same shard. */
export const shardBomb = (random: Random): Cell => {
  // A ShardDescr in its first form: the tag, and zeros will do for the rest.
  let tree = new CellWriter().writeBit(false).writeUint(0xb, 4).writeUintWide(0n, 883).toCell()
  for (let k = random.pick([0, 4, 12, 13, 59]); k > 0; k--) {
    tree = new CellWriter().writeBit(true).writeRef(tree).writeRef(tree).toCell()
  }
  let node = new CellWriter().writeUint(0, 2).writeRef(tree).toCell()
  for (let k = 0; k < 32; k++) node = new CellWriter().writeUint(0, 2).writeRef(node).writeRef(node).toCell()
  return new CellWriter().writeBit(true).writeRef(node).toCell()
}

/** A stack of the virtual machine with tuples of shared halves. */
export const stackBomb = (random: Random): Cell => {
  const small = new CellWriter().writeUint(1, 8).writeUint64(5n).toCell()
  let tuple = new CellWriter().writeUint(7, 8).writeUint(2, 16).writeRef(small).writeRef(small).toCell()
  for (let k = random.pick([2, 10, 60, 500]); k > 0; k--) {
    const length = random.pick([2, 2, 2, 3, 255, 65_535])
    tuple = new CellWriter().writeUint(7, 8).writeUint(length, 16).writeRef(tuple).writeRef(tuple).toCell()
  }
  let list = emptyCell
  const depth = random.pick([1, 2, 5, 100])
  for (let k = 0; k < depth; k++) {
    const w = new CellWriter()
    if (k === depth - 1) w.writeUint(random.once(4) ? random.below(2 ** 24) : depth, 24)
    w.writeRef(list).writeUint(7, 8).writeUint(2, 16).writeRef(tuple).writeRef(tuple)
    list = w.toCell()
  }
  return list
}

/** A tree of Merkle cells and pruned branches, whose statements are true, sometimes with many paths. */
export const merkleTree = (random: Random, inner: Cell): Cell => {
  let cell = inner
  for (let k = random.pick([1, 3, 6, 12]); k > 0; k--) {
    const depth = random.below(3)
    const shared = random.once(3)
    const pruned = cell.level <= depth && !random.once(3) ? pruneCell(cell, depth) : cell
    const over = new CellWriter().writeUint(random.below(16), 4).writeRef(pruned)
    if (shared) over.writeRef(cell).writeRef(pruned)
    cell = over.toCell()
    if (random.once(2)) cell = wrapMerkleProof(cell)
    if (random.once(3)) cell = wrapMerkleUpdate(cell, random.once(2) ? cell : inner)
  }
  while (cell.level > 0) cell = wrapMerkleProof(cell)
  return cell
}

const wrapMerkleUpdate = (before: Cell, after: Cell): Cell =>
  new CellWriter()
    .writeUint(4, 8)
    .writeBytes(before.hash(0))
    .writeBytes(after.hash(0))
    .writeUint(before.depth(0), 16)
    .writeUint(after.depth(0), 16)
    .writeRef(before)
    .writeRef(after)
    .toExoticCell()
