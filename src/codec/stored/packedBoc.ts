import { crc32c } from '../../primitives/crc.ts'
import { CHECKED_BOC, encodeBoc, numberCells, type RefGraph } from '../cell/encodeBoc.ts'
import { unpackCell } from './packCell.ts'

/** Longer ones are rare. */
const MAX_LINE = 8
const MAX_CELL = 2 + 128 + 1
const HEAD = 11
const TAIL = 4

const out = new Uint8Array(HEAD + 1 + MAX_LINE * MAX_CELL + TAIL)
const starts = new Int32Array(MAX_LINE)

/** The bag of cells, with a checksum, of what {@link packCell} wrote. The next call may overwrite it. */
export const packedBocView = (packed: Uint8Array): Uint8Array => {
  const count = findLine(packed)
  if (count > 0) return putLine(packed, count)
  const tree = findTree(packed)
  return tree === undefined ? encodeBoc([unpackCell(packed)], CHECKED_BOC) : putTree(packed, tree)
}

/**
 * How many ordinary cells there are, where each but the last has one below it, as in most bodies of messages; 0 where it is another
 * tree, or none. Of a line there is one order only, in a bag the other way round, and its records are the same in both.
 */
const findLine = (packed: Uint8Array): number => {
  let count = 0
  for (let at = 0; at < packed.length; count++) {
    if (count === MAX_LINE || at + 2 > packed.length || packed[at] !== (count === 0 ? 0 : 1)) return 0
    const d2 = packed[at + 1]!
    starts[count] = at
    at += 2 + ((d2 + 1) >> 1)
    if (at > packed.length || ((d2 & 1) === 1 && (packed[at - 1]! & 0x7f) === 0)) return 0
  }
  return count
}

const putLine = (packed: Uint8Array, count: number): Uint8Array => {
  const size = packed.length + count - 1
  const offsetSize = size < 256 ? 1 : 2
  out[0] = 0xb5
  out[1] = 0xee
  out[2] = 0x9c
  out[3] = 0x72
  out[4] = 0x41
  out[5] = offsetSize
  out[6] = count
  out[7] = 1
  out[8] = 0
  let at = 9
  if (offsetSize === 2) out[at++] = size >> 8
  out[at++] = size
  out[at++] = 0
  for (let k = count - 1, end = packed.length; k >= 0; k--) {
    const start = starts[k]!
    for (let from = start; from < end; from++) out[at++] = packed[from]!
    end = start
    if (k > 0) out[at++] = count - k
  }
  const crc = crc32c(out, 0, at)
  for (let k = 0; k < TAIL; k++) out[at++] = crc >>> (8 * k)
  return out.subarray(0, at)
}

/** One byte numbers them all. */
const MAX_TREE = 255
const SHARED = 16

/** Cells as they stand in the packed bytes: where the records begin, and where their data ends. */
type PackedTree = RefGraph & { readonly starts: readonly number[]; readonly ends: readonly number[] }

/**
 * The cells of a tree of ordinary cells; `undefined` where it is large, or another, or none. Equal cells are packed once, and in the
 * order in which the encoder of bags visits them, so that nothing has to be hashed.
 */
const findTree = (packed: Uint8Array): PackedTree | undefined => {
  const [cellStarts, ends]: [number[], number[]] = [[], []]
  const [refStart, refs, weights]: [number[], number[], number[]] = [[], [], []]
  const open: number[] = []
  for (let at = 0; at < packed.length; ) {
    const count = cellStarts.length
    const head = packed[at]!
    const refCount = head & 7
    const d2 = packed[at + 1] ?? 0
    const end = at + 2 + ((d2 + 1) >> 1)
    if (count === MAX_TREE || (head & ~(7 | SHARED)) !== 0 || refCount > 4 || end > packed.length) return undefined
    if ((d2 & 1) === 1 && (packed[end - 1]! & 0x7f) === 0) return undefined
    cellStarts.push(at)
    ends.push(end)
    at = end
    const mask = (head & SHARED) === 0 ? 0 : (packed[at++] ?? 0)
    if (mask >> refCount !== 0 || ((head & SHARED) !== 0 && mask === 0)) return undefined
    let taken = refCount
    for (let rest = mask; rest !== 0; rest &= rest - 1) taken--
    if (taken > open.length) return undefined
    const first = refs.length
    refStart.push(first)
    let weight = 1
    for (let k = 0, next = open.length - taken; k < refCount; k++) {
      let child = 0
      if ((mask & (1 << k)) === 0) child = open[next++]!
      else {
        // Fewer cells than 128 back take one byte.
        const back = packed[at++] ?? 0
        if (back === 0 || back > count || back >= 0x80) return undefined
        child = count - back
      }
      refs.push(child)
      weight += weights[child]!
    }
    open.length -= taken
    open.push(count)
    weights.push(Math.min(255, weight))
  }
  if (open.length !== 1) return undefined
  return { starts: cellStarts, ends: ends, refStart: refStart, refs: refs, weights: weights, roots: open }
}

const putTree = (packed: Uint8Array, tree: PackedTree): Uint8Array => {
  const { starts: from, ends, refStart, refs } = tree
  const count = from.length
  const numbers = numberCells(tree)
  let size = refs.length
  const sources = new Uint8Array(count)
  for (let i = 0; i < count; i++) {
    size += ends[i]! - from[i]!
    sources[count - 1 - numbers[i]!] = i
  }
  const offsetSize = size < 256 ? 1 : size < 65_536 ? 2 : 3
  const bag = new Uint8Array(10 + offsetSize + size + TAIL)
  bag.set([0xb5, 0xee, 0x9c, 0x72, 0x41, offsetSize, count, 1, 0])
  let at = 9
  for (let shift = 8 * (offsetSize - 1); shift >= 0; shift -= 8) bag[at++] = size >> shift
  bag[at++] = count - 1 - numbers[count - 1]!
  for (let position = 0; position < count; position++) {
    const i = sources[position]!
    const start = at
    for (let k = from[i]!; k < ends[i]!; k++) bag[at++] = packed[k]!
    bag[start] = packed[from[i]!]! & 7
    for (let k = refStart[i]!; k < (refStart[i + 1] ?? refs.length); k++) bag[at++] = count - 1 - numbers[refs[k]!]!
  }
  const crc = crc32c(bag, 0, at)
  for (let k = 0; k < TAIL; k++) bag[at++] = crc >>> (8 * k)
  return bag
}
