import { crc32c } from '../../primitives/crc.ts'
import { Cell } from './Cell.ts'
import { CellArena, type CellLoader } from './CellArena.ts'
import { BocError } from './errors.ts'
import { findExoticFault, levelMaskOf, MAX_DEPTH, MERKLE_PROOF, popcount3 } from './exotic.ts'

const MAGIC_GENERIC = 0xb5ee9c72
const MAGIC_INDEXED = 0x68ff65f3
const MAGIC_INDEXED_CRC = 0xacc3a728

/** Limits for input from untrusted sources. */
type BocLimits = { readonly maxBytes: number; readonly maxCells: number; readonly maxRoots: number }

export const DEFAULT_BOC_LIMITS: BocLimits = { maxBytes: 64 * 1024 * 1024, maxCells: 1 << 22, maxRoots: 4096 }

/** The fixed part of a bag, checked against the limits and the bytes at hand before anything is allocated. */
type BocHeader = {
  readonly refSize: number
  readonly offsetSize: number
  readonly cells: number
  readonly roots: readonly number[]
  readonly hasCacheBits: boolean
  readonly hasCrc: boolean
  /** Where the index starts, if there is one. */
  readonly indexStart: number | undefined
  readonly cellsStart: number
  readonly cellsSize: number
  /** Length of the whole bag, checksum included. */
  readonly length: number
}

/** Big-endian number of `size` bytes (1 to 8). */
export const readBigEndian = (bytes: Uint8Array, at: number, size: number): number => {
  let value = 0
  for (let k = 0; k < size; k++) value = value * 256 + bytes[at + k]!
  return value
}

/** Reads and checks the header; `bytes` may go on after the bag. */
export const readBocHeader = (bytes: Uint8Array, limits: BocLimits): BocHeader => {
  if (bytes.length > limits.maxBytes) {
    throw new BocError(`A bag of cells may have ${limits.maxBytes} bytes here, this one has ${bytes.length}.`)
  }
  let at = 0
  const take = (size: number, what: string): number => {
    if (at + size > bytes.length) {
      throw new BocError(`The bag of cells ends at byte ${bytes.length}, inside its ${what}.`)
    }
    at += size
    return readBigEndian(bytes, at - size, size)
  }
  const magic = take(4, 'magic number')
  const isGeneric = magic === MAGIC_GENERIC
  if (!isGeneric && magic !== MAGIC_INDEXED && magic !== MAGIC_INDEXED_CRC) {
    throw new BocError(
      `A bag of cells starts with b5ee9c72, 68ff65f3 or acc3a728, but got ${magic.toString(16).padStart(8, '0')}.`,
    )
  }
  const flags = take(1, 'flags')
  const refSize = flags & 7
  const hasIndex = isGeneric ? (flags & 0x80) !== 0 : true
  const hasCrc = isGeneric ? (flags & 0x40) !== 0 : magic === MAGIC_INDEXED_CRC
  const hasCacheBits = isGeneric && (flags & 0x20) !== 0
  if ((isGeneric ? flags & 0x18 : flags & 0xf8) !== 0) {
    throw new BocError(`The flag byte of a bag of cells has unknown bits set: ${flags.toString(16).padStart(2, '0')}.`)
  }
  if (hasCacheBits && !hasIndex) throw new BocError('A bag of cells has cache bits but no index to keep them in.')
  if (refSize < 1 || refSize > 4) throw new BocError(`Cell numbers take 1 to 4 bytes, the bag says ${refSize}.`)
  const offsetSize = take(1, 'offset size')
  if (offsetSize < 1 || offsetSize > 8) throw new BocError(`Offsets take 1 to 8 bytes, the bag says ${offsetSize}.`)
  const cells = take(refSize, 'cell count')
  const rootCount = take(refSize, 'root count')
  const absent = take(refSize, 'absent count')
  const cellsSize = take(offsetSize, 'size field')
  if (cells < 1) throw new BocError('A bag of cells holds at least one cell, this one none.')
  if (cells > limits.maxCells) throw new BocError(`A bag may hold ${limits.maxCells} cells here, it says ${cells}.`)
  // There may be more roots than cells: nodes write equal roots as one cell that is listed twice.
  if (rootCount < 1 || rootCount > limits.maxRoots) {
    throw new BocError(`A bag may have 1 to ${limits.maxRoots} roots here, it says ${rootCount}.`)
  }
  if (!isGeneric && rootCount !== 1) throw new BocError(`An indexed bag has one root, this one says ${rootCount}.`)
  if (absent !== 0) throw new BocError(`A bag with ${absent} absent cells is not accepted.`)
  if (cellsSize < cells * (2 + refSize) - refSize || cellsSize > cells * 1024) {
    throw new BocError(`${cells} cells cannot take the ${cellsSize} bytes that the bag says.`)
  }
  const fixed = (isGeneric ? rootCount * refSize : 0) + (hasIndex ? cells * offsetSize : 0)
  const length = at + fixed + cellsSize + (hasCrc ? 4 : 0)
  if (length > bytes.length) {
    throw new BocError(`The bag of cells should have ${length} bytes, but got only ${bytes.length}.`)
  }
  const roots: number[] = []
  if (isGeneric) {
    for (let k = 0; k < rootCount; k++) {
      const root = take(refSize, 'root list')
      if (root >= cells) throw new BocError(`Root ${k} is cell ${root}, but the bag has ${cells}.`)
      roots.push(root)
    }
  } else roots.push(0)
  const indexStart = hasIndex ? at : undefined
  const cellsStart = at + (hasIndex ? cells * offsetSize : 0)
  return { refSize, offsetSize, cells, roots, hasCacheBits, hasCrc, indexStart, cellsStart, cellsSize, length }
}

/**
 * Reads the record of cell `i` that starts at `at` and must end by `end` into the columns of `arena`, its references from
 * `refAt` on; returns where it ends. Everything that the record alone can show is checked.
 */
export const readCellRecord = (
  arena: CellArena,
  i: number,
  at: number,
  end: number,
  refSize: number,
  refAt: number,
): number => {
  const { bytes, refs, count } = arena
  if (at + 2 > end) failCell(i, 'its record runs past the end of the cell area')
  const d1 = bytes[at]!
  const d2 = bytes[at + 1]!
  const refCount = d1 & 7
  if (refCount > 4) failCell(i, `it states ${refCount} references, at most 4 are allowed`)
  const data = at + 2 + ((d1 & 16) === 0 ? 0 : 34 * (popcount3(d1 >> 5) + 1))
  const length = (d2 >> 1) + (d2 & 1)
  const recordEnd = data + length + refCount * refSize
  if (recordEnd > end) failCell(i, 'its record runs past the end of the cell area')
  let bits = 8 * length
  if ((d2 & 1) !== 0) {
    const last = bytes[data + length - 1]!
    if ((last & 0x7f) === 0)
      failCell(
        i,
        `its last data byte is ${last.toString(16).padStart(2, '0')}, where a completion bit must follow data`,
      )
    bits -= 1 + 31 - Math.clz32(last & -last)
  }
  if ((d1 & 8) !== 0) {
    const fault = findExoticFault(bytes, data, bits, refCount)
    if (fault !== undefined) failCell(i, fault)
  }
  arena.d1[i] = d1
  arena.bitLength[i] = bits
  arena.dataStart[i] = data
  arena.refStart[i] = refAt
  let nextRef = refAt
  for (let p = data + length; p < recordEnd; p += refSize) {
    let ref = bytes[p]!
    for (let k = 1; k < refSize; k++) ref = ref * 256 + bytes[p + k]!
    if (ref <= i || ref >= count) failCell(i, `it refers to cell ${ref}; only ${i + 1} to ${count - 1} may follow it`)
    refs[nextRef++] = ref
  }
  return recordEnd
}

/** Works out masks and depths from the last cell to the first; says whether any cell states hashes of its own or others. */
export const settleLevels = (arena: CellArena, lenient: boolean): boolean => {
  const { d1: descriptors, refStart, refs, topDepth } = arena
  let hasStatedHashes = false
  for (let i = arena.count - 1; i >= 0; i--) {
    const d1 = descriptors[i]!
    const start = refStart[i]!
    const end = start + (d1 & 7)
    let childMasks = 0
    let depth = 0
    for (let k = start; k < end; k++) {
      const child = refs[k]!
      childMasks |= descriptors[child]!
      if (topDepth[child]! >= depth) depth = topDepth[child]! + 1
    }
    if (depth > MAX_DEPTH) failCell(i, `its tree is more than ${MAX_DEPTH} deep`)
    topDepth[i] = depth
    let mask = childMasks >> 5
    if ((d1 & 8) !== 0) {
      const type = arena.exoticType(i)
      mask = levelMaskOf(type, arena.bytes[arena.dataStart[i]! + 1]!, mask)
      if (type >= MERKLE_PROOF) hasStatedHashes = true
    }
    if (mask !== d1 >> 5) {
      // Stored hashes cannot be found with a wrong mask, so leniency ends there.
      if (!lenient || (d1 & 16) !== 0) failCell(i, `its level mask is ${d1 >> 5}, its content gives ${mask}`)
      descriptors[i] = (d1 & 31) | (mask << 5)
    }
    if ((d1 & 16) !== 0) hasStatedHashes = true
  }
  return hasStatedHashes
}

export const failCell = (index: number, fault: string): never => {
  throw new BocError(`Cell ${index} of the bag is not acceptable: ${fault}.`)
}

export type BocOptions = {
  readonly limits?: Partial<BocLimits>
  /**
   * The caller has checked the bytes as a whole (a block by its file hash): Merkle cells and stored hashes are then checked
   * when their hash is first asked for, not at once.
   */
  readonly trusted?: boolean
  /** Does not look at the checksum: the bytes have just been compared with a hash, which says more. */
  readonly skipChecksum?: boolean
  /** Takes roots of a level above zero, which only occur as parts of proofs. */
  readonly allowPrunedRoots?: boolean
  /** Takes what third-party writers get wrong: index entries and level masks. Hashes are computed from the cells all the same. */
  readonly lenient?: boolean
  /** With `trusted`: stored hashes are not even checked then, since they were when the bytes were written. */
  readonly believeStored?: boolean
  /** Other bags are likely to have many of the same cells: their hashes are remembered. */
  readonly isRepeated?: boolean
  /** Also refuses wrong cache bits, which are a hint that the node itself ignores. */
  readonly strict?: boolean
  /** Takes bytes after the end of a bag that has no checksum. */
  readonly allowTrailing?: boolean
}

/** Reads a bag of cells. Every count, size, reference, exotic layout, level mask and depth is checked; hashes as `trusted` says. */
export const decodeBoc = (bytes: Uint8Array, options: BocOptions = {}): Cell[] => {
  const header = readBocHeader(bytes, { ...DEFAULT_BOC_LIMITS, ...options.limits })
  if (header.length !== bytes.length && (header.hasCrc || options.allowTrailing !== true)) {
    throw new BocError(
      `The bag of cells ends at byte ${header.length}, but got ${bytes.length - header.length} more bytes.`,
    )
  }
  if (header.hasCrc && options.skipChecksum !== true) checkCrc(bytes, header)
  const lenient = options.lenient === true
  const arena = scanCells(bytes, header)
  if (options.isRepeated === true) arena.isRepeated = true
  if (options.trusted === true && options.believeStored === true) arena.believesStored = true
  if (header.indexStart !== undefined && !lenient) {
    checkIndex(bytes, header, header.indexStart, arena, options.strict === true)
  }
  const hasStatedHashes = settleLevels(arena, lenient)
  const roots = header.roots.map((index) => new Cell(arena, index))
  for (const root of roots) {
    if (root.levelMask !== 0 && options.allowPrunedRoots !== true) {
      throw new BocError(`A root cell must be of level 0, this one is a part of a proof and has level ${root.level}.`)
    }
  }
  if (hasStatedHashes && options.trusted !== true) arena.checkStatements()
  return roots
}

/** Reads a bag that must have exactly one root. */
export const decodeSingleBoc = (bytes: Uint8Array, options: BocOptions = {}): Cell => {
  const roots = decodeBoc(bytes, options)
  if (roots.length !== 1) throw new BocError(`Expected a bag of cells with one root, but it has ${roots.length}.`)
  return roots[0]!
}

const checkCrc = (bytes: Uint8Array, { length }: BocHeader): void => {
  const end = length - 4
  const stored = (bytes[end]! | (bytes[end + 1]! << 8) | (bytes[end + 2]! << 16) | (bytes[end + 3]! << 24)) >>> 0
  const found = crc32c(bytes, 0, end)
  if (stored !== found) {
    const show = (crc: number): string => crc.toString(16).padStart(8, '0')
    throw new BocError(`The checksum of the bag of cells is ${show(stored)}, its bytes give ${show(found)}.`)
  }
}

const scanCells = (bytes: Uint8Array, { cells, refSize, cellsStart, cellsSize }: BocHeader): CellArena => {
  const end = cellsStart + cellsSize
  // The bytes not taken by descriptors bound the number of references, whatever the cells claim.
  const refCapacity = Math.min(4 * cells, Math.floor((cellsSize - 2 * cells) / refSize))
  const arena = new CellArena(bytes, cells, cells, refCapacity)
  let at = cellsStart
  let refAt = 0
  for (let i = 0; i < cells; i++) {
    at = readCellRecord(arena, i, at, end, refSize, refAt)
    refAt += arena.d1[i]! & 7
  }
  if (at !== end) throw new BocError(`The cells end ${end - at} bytes before the cell area does.`)
  return arena
}

const checkIndex = (
  bytes: Uint8Array,
  header: BocHeader,
  indexStart: number,
  arena: CellArena,
  strict: boolean,
): void => {
  const { cells, offsetSize, refSize, cellsStart, hasCacheBits, roots } = header
  const uses = strict && hasCacheBits ? countUses(arena, roots) : undefined
  const { d1, bitLength, dataStart } = arena
  for (let i = 0; i < cells; i++) {
    let entry = readBigEndian(bytes, indexStart + i * offsetSize, offsetSize)
    if (hasCacheBits) {
      const isCached = entry % 2 === 1
      if (uses !== undefined && isCached !== uses[i]! > 1) {
        failCell(i, `its cache bit is ${entry % 2}, but it is referred to ${uses[i]} times`)
      }
      entry = Math.floor(entry / 2)
    }
    const end = dataStart[i]! + ((bitLength[i]! + 7) >> 3) + (d1[i]! & 7) * refSize - cellsStart
    if (entry !== end) failCell(i, `the index says that it ends at ${entry}, it ends at ${end}`)
  }
}

const countUses = (arena: CellArena, roots: readonly number[]): Uint32Array => {
  const uses = new Uint32Array(arena.count)
  const used = arena.refStart[arena.count - 1]! + (arena.d1[arena.count - 1]! & 7)
  for (let k = 0; k < used; k++) uses[arena.refs[k]!]!++
  for (const root of roots) uses[root]!++
  return uses
}

/** Finds each cell by the index when it is first entered. */
class IndexLoader implements CellLoader {
  private readonly arena: CellArena
  private readonly header: BocHeader
  private readonly indexStart: number
  private readonly loaded: Uint8Array

  constructor(arena: CellArena, header: BocHeader, indexStart: number) {
    this.arena = arena
    this.header = header
    this.indexStart = indexStart
    this.loaded = new Uint8Array(header.cells)
  }

  load(index: number): void {
    if (this.loaded[index] === 1) return
    const { cellsStart, cellsSize, refSize } = this.header
    const start = index === 0 ? 0 : this.endOf(index - 1)
    const end = this.endOf(index)
    if (end > cellsSize)
      failCell(index, `the index says that it ends at ${end}, behind the cell area of ${cellsSize} bytes`)
    const found = readCellRecord(this.arena, index, cellsStart + start, cellsStart + end, refSize, 4 * index)
    if (found !== cellsStart + end) {
      failCell(index, `the index says that it ends at ${end}, it ends at ${found - cellsStart}`)
    }
    this.loaded[index] = 1
  }

  /** Hashes need all that lies below, and depths the whole: from here on the arena is like a scanned one. */
  loadAll(): void {
    const { arena, header } = this
    for (let i = 0; i < header.cells; i++) this.load(i)
    if (this.endOf(header.cells - 1) !== header.cellsSize) {
      throw new BocError('The index of the bag of cells ends before its cell area does.')
    }
    settleLevels(arena, false)
    arena.loader = undefined
  }

  private endOf(index: number): number {
    const { offsetSize, hasCacheBits } = this.header
    const entry = readBigEndian(this.arena.bytes, this.indexStart + index * offsetSize, offsetSize)
    return hasCacheBits ? Math.floor(entry / 2) : entry
  }
}

/**
 * Opens a bag that has an index without reading its cells: each is found, read and checked when it is entered, so that one
 * account of a large state costs a few dozen cells. The checksum is not verified, since that would read everything, and
 * nothing proves the cells before a hash is asked for, which loads them all: use it on files that are trusted.
 */
export const openIndexedBoc = (bytes: Uint8Array, limits: Partial<BocLimits> = {}): Cell[] => {
  const header = readBocHeader(bytes, { ...DEFAULT_BOC_LIMITS, ...limits })
  if (header.indexStart === undefined) throw new BocError('This bag of cells has no index to find its cells by.')
  if (header.length !== bytes.length) {
    throw new BocError(
      `The bag of cells ends at byte ${header.length}, but got ${bytes.length - header.length} more bytes.`,
    )
  }
  const arena = new CellArena(bytes, header.cells, header.cells, 4 * header.cells)
  arena.loader = new IndexLoader(arena, header, header.indexStart)
  return header.roots.map((index) => new Cell(arena, index))
}
