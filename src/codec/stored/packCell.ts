import { CodedError } from '../../primitives/errors.ts'
import { Cell, cellAt } from '../cell/Cell.ts'
import { CellArena } from '../cell/CellArena.ts'
import { findExoticFault, levelMaskOf, MAX_DEPTH, PRUNED_BRANCH } from '../cell/exotic.ts'
import { HashIndex } from '../cell/HashIndex.ts'

/** Bytes of the store are not the cells that they should be. */
export class PackedCellError extends CodedError {
  readonly code = 'invalid_packed_cell'
}

const EXOTIC = 8
const SHARED = 16

/** A number of seven bits a byte, low ones first; where it ends is left in {@link varintEnd}. */
const readVarint = (bytes: Uint8Array, at: number): number => {
  let value = 0
  for (let k = 0; k < 5; k++) {
    const byte = bytes[at + k]
    if (byte === undefined) break
    value += (byte & 0x7f) * 2 ** (7 * k)
    if (byte < 0x80) {
      varintEnd = at + k + 1
      return value
    }
  }
  throw new PackedCellError('A packed cell points at another with a number that does not end.')
}

let varintEnd = 0

/** How many cells there are; all that can be wrong with the records themselves is refused here. */
const countRecords = (bytes: Uint8Array, maxCells: number): number => {
  let count = 0
  /** Trees that no parent has taken yet. */
  let open = 0
  for (let at = 0; at < bytes.length; count++) {
    if (count === maxCells) throw new PackedCellError(`At most ${maxCells} packed cells are read, there are more.`)
    const head = bytes[at]!
    const refs = head & 7
    if (refs > 4 || head >= 32) {
      throw new PackedCellError(`Packed cell ${count} begins with ${head}, which no cell does.`)
    }
    const size = ((bytes[at + 1] ?? 0) + 1) >> 1
    at += 2 + size
    let taken = refs
    if ((head & SHARED) !== 0) {
      const mask = bytes[at++] ?? 0
      if (mask === 0 || mask >> refs !== 0) {
        throw new PackedCellError(`Packed cell ${count} with ${refs} references says that it points by ${mask}.`)
      }
      for (let rest = mask; rest !== 0; rest &= rest - 1) {
        const back = readVarint(bytes, at)
        if (back < 1 || back > count) {
          throw new PackedCellError(`Packed cell ${count} points ${back} cells back, where none is.`)
        }
        at = varintEnd
        taken--
      }
    }
    if (at > bytes.length) throw new PackedCellError(`Packed cell ${count} runs past the end of ${bytes.length} bytes.`)
    if (taken > open)
      throw new PackedCellError(`Packed cell ${count} takes ${taken} cells, but only ${open} precede it.`)
    open += 1 - taken
  }
  if (open !== 1) throw new PackedCellError(`Expected one packed tree of cells, but got ${open}.`)
  return count
}

/**
 * The shortest plain form of a tree of cells, for the store: no magic, no counts, no checksum. Children come before their
 * parents, so a reference to what came last needs no bytes at all; only equal cells, each of which is kept once, are pointed at.
 *
 * A cell is: one byte (references 0 to 4; 8 if exotic; 16 if it points at cells), the second descriptor and the data as in a bag
 * of cells; then, if it points, a byte with a bit for each reference that does, and how many cells back each of those is.
 *
 * Equal trees give equal bytes, wherever their cells came from.
 */
export const packCell = (root: Cell): Uint8Array<ArrayBuffer> => packCellView(root).slice()

/** As {@link packCell}, in a buffer that the next call overwrites: for those who copy the bytes at once. */
export const packCellView = (root: Cell): Uint8Array<ArrayBuffer> => {
  length = 0
  if (root.refCount === 0) putHead(root.arena, root.index, 0)
  else if (!putShallow(root)) {
    length = 0
    numbers.clear()
    put(root)
  }
  return out.subarray(0, length)
}

const numbers = new HashIndex()
let out = new Uint8Array(1 << 14)
let length = 0

/** Writes a cell whose children are all leaves, as most are that have any; says whether it was one, and they were different. */
const putShallow = ({ arena, index, refCount }: Cell): boolean => {
  const start = arena.refStart[index]!
  for (let k = 0; k < refCount; k++) {
    const child = arena.refs[start + k]!
    if (child < 0 || (arena.d1[child]! & 7) !== 0) return false
    for (let j = 0; j < k; j++) if (areAlike(arena, arena.refs[start + j]!, child)) return false
    putHead(arena, child, 0)
  }
  putHead(arena, index, 0)
  return true
}

/** Whether two leaves might be equal. */
const areAlike = ({ d1, bitLength, dataStart, bytes }: CellArena, a: number, b: number): boolean => {
  if (d1[a] !== d1[b] || bitLength[a] !== bitLength[b]) return false
  const size = (bitLength[a]! + 7) >> 3
  for (let k = 0; k < size; k++) if (bytes[dataStart[a]! + k] !== bytes[dataStart[b]! + k]) return false
  return true
}

/** Writes a cell that was not written yet, after its children. */
const put = (cell: Cell): void => {
  const { arena, index, refCount } = cell
  if (refCount === 0) {
    putHead(arena, index, 0)
    numbers.add(cell)
    return
  }
  const start = arena.refStart[index]!
  // At most four of them: found among those before, or -1 where the child has just been written.
  let first = -1
  let second = -1
  let third = -1
  let fourth = -1
  for (let k = 0; k < refCount; k++) {
    const child = cellAt(arena, arena.refs[start + k]!)
    const known = numbers.find(child)
    if (known < 0) put(child)
    else if (k === 0) first = known
    else if (k === 1) second = known
    else if (k === 2) third = known
    else fourth = known
  }
  const mask = (first < 0 ? 0 : 1) | (second < 0 ? 0 : 2) | (third < 0 ? 0 : 4) | (fourth < 0 ? 0 : 8)
  putHead(arena, index, mask === 0 ? 0 : SHARED)
  const number = numbers.add(cell)
  if (mask === 0) return
  out[length++] = mask
  if (first >= 0) putVarint(number - first)
  if (second >= 0) putVarint(number - second)
  if (third >= 0) putVarint(number - third)
  if (fourth >= 0) putVarint(number - fourth)
}

// Two descriptors, 128 bytes of data, a mask and four distances.
const MAX_RECORD = 2 + 128 + 1 + 4 * 5

const putHead = (arena: CellArena, index: number, shared: number): void => {
  if (length + MAX_RECORD > out.length) grow()
  const bits = arena.bitLength[index]!
  const size = (bits + 7) >> 3
  out[length] = (arena.d1[index]! & (7 | EXOTIC)) | shared
  out[length + 1] = (bits >> 3) + size
  const { bytes } = arena
  const from = arena.dataStart[index]!
  const to = length + 2
  for (let k = 0; k < size; k++) out[to + k] = bytes[from + k]!
  length = to + size
}

const putVarint = (value: number): void => {
  let rest = value
  for (; rest > 0x7f; rest >>>= 7) out[length++] = (rest & 0x7f) | 0x80
  out[length++] = rest
}

const grow = (): void => {
  const grown = new Uint8Array(out.length * 2)
  grown.set(out)
  out = grown
}

const DEFAULT_MAX_CELLS = 1 << 20

/** The tree that `packCell` wrote, over the bytes given: they must not change while the cells are in use. */
export const unpackCell = (bytes: Uint8Array, maxCells = DEFAULT_MAX_CELLS): Cell => {
  const count = countRecords(bytes, maxCells)
  const arena = new CellArena(bytes, count, count, 4 * count)
  fill(arena)
  return new Cell(arena, 0)
}

const FEW_CELLS = 16
const few = new CellArena(new Uint8Array(0), FEW_CELLS, FEW_CELLS, 4 * FEW_CELLS)
let isReadingFew = false

/**
 * What is read of the tree that `packCell` wrote. Cells and views of bytes must not be kept: the next call overwrites them. For the few
 * cells that most trees have, to make room takes as long as to read them.
 */
export const readPacked = <T>(bytes: Uint8Array, read: (root: Cell) => T): T => {
  const count = countRecords(bytes, DEFAULT_MAX_CELLS)
  if (count > FEW_CELLS || isReadingFew) return read(unpackCell(bytes))
  isReadingFew = true
  try {
    few.reuse(bytes, count)
    fill(few)
    return read(new Cell(few, 0))
  } finally {
    isReadingFew = false
  }
}

/** Fills the tables of an arena from its bytes. */
const fill = (arena: CellArena): void => {
  const { bytes, count } = arena
  const open: number[] = []
  let at = 0
  let refAt = 0
  // Arenas have parents before children, so the numbers run backwards.
  for (let index = count - 1; index >= 0; index--) {
    const head = bytes[at]!
    const d2 = bytes[at + 1]!
    const data = at + 2
    const size = (d2 + 1) >> 1
    arena.dataStart[index] = data
    arena.bitLength[index] = readBitLength(bytes, data + size, d2)
    arena.refStart[index] = refAt
    at = data + size
    const refs = head & 7
    const mask = (head & SHARED) === 0 ? 0 : bytes[at++]!
    for (let k = 0; k < refs; k++) {
      if (((mask >> k) & 1) === 0) continue
      arena.refs[refAt + k] = index + readVarint(bytes, at)
      at = varintEnd
    }
    for (let k = refs - 1; k >= 0; k--) if (((mask >> k) & 1) === 0) arena.refs[refAt + k] = open.pop()!
    refAt += refs
    settle(arena, index, head)
    open.push(index)
  }
}

const readBitLength = (bytes: Uint8Array, end: number, d2: number): number => {
  if ((d2 & 1) === 0) return 4 * d2
  const last = bytes[end - 1]!
  if ((last & 0x7f) === 0) {
    throw new PackedCellError(`The last byte of a packed cell is ${last}, where a completion bit must follow data.`)
  }
  return 4 * (d2 + 1) - 1 - (31 - Math.clz32(last & -last))
}

/** Works out what follows from the children of a cell, and looks at it where it is exotic. */
const settle = (arena: CellArena, index: number, head: number): void => {
  const { d1, refs, topDepth, bytes } = arena
  const start = arena.refStart[index]!
  const refCount = head & 7
  let childMasks = 0
  let depth = 0
  for (let k = start; k < start + refCount; k++) {
    const child = refs[k]!
    childMasks |= d1[child]! >> 5
    if (topDepth[child]! >= depth) depth = topDepth[child]! + 1
  }
  if (depth > MAX_DEPTH) throw new PackedCellError(`Packed cells are more than ${MAX_DEPTH} deep.`)
  topDepth[index] = depth
  let mask = childMasks
  if ((head & EXOTIC) !== 0) {
    const data = arena.dataStart[index]!
    const fault = findExoticFault(bytes, data, arena.bitLength[index]!, refCount)
    if (fault !== undefined) throw new PackedCellError(`A packed cell is not acceptable: ${fault}.`)
    const type = bytes[data]!
    mask = levelMaskOf(type, type === PRUNED_BRANCH ? bytes[data + 1]! : 0, childMasks)
  }
  d1[index] = refCount | (head & EXOTIC) | (mask << 5)
}
