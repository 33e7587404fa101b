import { crc32c } from '../../primitives/crc32c.ts'
import { type BocOrder, orderCells, orderDepthFirst } from './bocOrder.ts'
import type { Cell } from './Cell.ts'
import { BocError } from './errors.ts'
import { popcount3 } from './exotic.ts'

export type BocFormat = {
  readonly index: boolean
  readonly crc: boolean
  readonly cacheBits: boolean
  /** Stores the hashes of some inner cells, as nodes do in block and state files. */
  readonly innerHashes: boolean
  /** The order of cells: that of nodes unless told otherwise. */
  readonly order?: 'depthFirst'
}

/** Liteserver proofs, account states, stacks, block proofs: cells alone. */
export const PLAIN_BOC: BocFormat = { index: false, crc: false, cacheBits: false, innerHashes: false }
/** Messages and collated data: cells and a checksum. */
export const CHECKED_BOC: BocFormat = { index: false, crc: true, cacheBits: false, innerHashes: false }
/** Payloads of actions, as the original writes them: cells depth first, and a checksum. */
export const DEPTH_FIRST_BOC: BocFormat = { ...CHECKED_BOC, order: 'depthFirst' }
/** Block and state files: everything. */
export const BLOCK_BOC: BocFormat = { index: true, crc: true, cacheBits: true, innerHashes: true }

/** Writes a bag of cells, byte for byte as nodes do unless the format has another order. */
export const encodeBoc = (roots: readonly Cell[], format: BocFormat = PLAIN_BOC): Uint8Array => {
  if (roots.length === 0) throw new BocError('A bag of cells needs at least one root, none was given.')
  if (format.cacheBits && !format.index) throw new BocError('Cache bits stand in the index, which was not asked for.')
  if (format.innerHashes && format.order !== undefined) throw new BocError('Only the order of nodes has inner hashes.')
  const orderTree = format.order === 'depthFirst' ? orderDepthFirst : orderCells
  const order = (format.innerHashes ? undefined : orderOfLine(roots)) ?? orderTree(roots)
  const { cells, refs, carriesHash, isShared } = order
  const count = cells.length
  const refSize = bytesFor(count)
  let cellsSize = 0
  for (let i = 0; i < count; i++) {
    const cell = cells[i]!
    cellsSize += 2 + ((cell.bits + 7) >> 3) + cell.refCount * refSize
    if (format.innerHashes && carriesHash[i] === 1) cellsSize += 34 * (popcount3(cell.levelMask) + 1)
  }
  const offsetSize = bytesFor(format.cacheBits ? cellsSize * 2 : cellsSize)
  const headSize = 6 + 3 * refSize + offsetSize + roots.length * refSize
  const indexSize = format.index ? count * offsetSize : 0
  const out = new Uint8Array(headSize + indexSize + cellsSize + (format.crc ? 4 : 0))

  put(out, 0, 0xb5ee9c72, 4)
  out[4] = (format.index ? 0x80 : 0) | (format.crc ? 0x40 : 0) | (format.cacheBits ? 0x20 : 0) | refSize
  out[5] = offsetSize
  let at = 6
  for (const value of [count, roots.length, 0]) {
    put(out, at, value, refSize)
    at += refSize
  }
  put(out, at, cellsSize, offsetSize)
  at += offsetSize
  for (const root of order.roots) {
    put(out, at, root, refSize)
    at += refSize
  }

  const cellsStart = at + indexSize
  let p = cellsStart
  for (let i = 0, nextRef = 0; i < count; i++) {
    const { arena, index } = cells[i]!
    const withHashes = format.innerHashes && carriesHash[i] === 1
    const d1 = arena.d1[index]! & ~16
    const bits = arena.bitLength[index]!
    const length = (bits + 7) >> 3
    out[p] = withHashes ? d1 | 16 : d1
    out[p + 1] = (bits >> 3) + length
    p += 2
    if (withHashes) p = putHashes(out, p, cells[i]!)
    const data = arena.dataStart[index]!
    for (let k = 0; k < length; k++) out[p + k] = arena.bytes[data + k]!
    p += length
    for (let k = d1 & 7; k > 0; k--) {
      put(out, p, refs[nextRef++]!, refSize)
      p += refSize
    }
    if (format.index) {
      const end = p - cellsStart
      put(out, at + i * offsetSize, format.cacheBits ? 2 * end + isShared[i]! : end, offsetSize)
    }
  }
  if (format.crc) {
    const crc = crc32c(out, 0, p)
    for (let k = 0; k < 4; k++) out[p + k] = crc >>> (8 * k)
  }
  return out
}

/** Longer ones are rare. */
const MAX_LINE = 8

/**
 * The order of a cell with no more than one below it, and so on, as most bodies of messages are: there is no other, and no two of them
 * are equal, so that nothing has to be hashed. `undefined` where it is another tree.
 */
const orderOfLine = ([root, ...others]: readonly Cell[]): BocOrder | undefined => {
  if (root === undefined || others.length > 0) return undefined
  const cells = [root]
  for (let last = root; last.refCount > 0; cells.push(last)) {
    if (last.refCount > 1 || cells.length === MAX_LINE) return undefined
    last = last.ref(0)
  }
  // To hash one that is not ordinary is to check what it says of others.
  if (cells.some(({ isExotic }) => isExotic)) return undefined
  const none = new Uint8Array(cells.length)
  return { cells, refs: Int32Array.from(cells, (_, k) => k + 1), roots: [0], carriesHash: none, isShared: none }
}

const bytesFor = (value: number): number => {
  let size = 1
  while (value >= 256 ** size) size++
  return size
}

const put = (out: Uint8Array, at: number, value: number, size: number): void => {
  let rest = value
  for (let k = size - 1; k >= 0; k--) {
    out[at + k] = rest
    rest = Math.floor(rest / 256)
  }
}

const putHashes = (out: Uint8Array, at: number, { arena, index }: Cell): number => {
  const mask = arena.levelMask(index)
  const count = popcount3(mask) + 1
  let slot = 0
  for (let level = 0; level <= 3; level++) {
    if (level !== 3 && ((mask >> level) & 1) === 0) continue
    arena.copyHash(index, level, out, at + 32 * slot)
    put(out, at + 32 * count + 2 * slot, arena.depth(index, level), 2)
    slot++
  }
  return at + 34 * count
}
