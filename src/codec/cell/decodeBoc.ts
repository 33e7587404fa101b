import { crc32c } from '../../primitives/crc32c.ts'
import { type BocHeader, type BocLimits, DEFAULT_BOC_LIMITS, readBigEndian, readBocHeader } from './bocHeader.ts'
import { Cell } from './Cell.ts'
import { CellArena } from './CellArena.ts'
import { BocError } from './errors.ts'
import { findExoticFault, levelMaskOf, MAX_DEPTH, MERKLE_PROOF, popcount3 } from './exotic.ts'

export type BocOptions = {
  readonly limits?: Partial<BocLimits>
  /**
   * The caller has checked the bytes as a whole (a block by its file hash): Merkle cells and stored hashes are then checked
   * when their hash is first asked for, not at once.
   */
  readonly trusted?: boolean
  /** Takes roots of a level above zero, which only occur as parts of proofs. */
  readonly allowPrunedRoots?: boolean
  /** Takes what third-party writers get wrong: index entries and level masks. Hashes are computed from the cells all the same. */
  readonly lenient?: boolean
  /** Also refuses wrong cache bits, which are a hint that the node itself ignores. */
  readonly strict?: boolean
  /** Takes bytes after the end of a bag that has no checksum. */
  readonly allowTrailing?: boolean
}

/** Reads a bag of cells. Every count, size, reference, exotic layout, level mask and depth is checked; hashes as `trusted` says. */
export const decodeBoc = (bytes: Uint8Array, options: BocOptions = {}): Cell[] => {
  const header = readBocHeader(bytes, { ...DEFAULT_BOC_LIMITS, ...options.limits })
  if (header.length !== bytes.length && (header.hasCrc || options.allowTrailing !== true)) {
    throw new BocError(`The bag of cells ends at byte ${header.length}, but ${bytes.length - header.length} more bytes came.`)
  }
  if (header.hasCrc) checkCrc(bytes, header)
  const lenient = options.lenient === true
  const arena = scanCells(bytes, header)
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
  if (hasStatedHashes && options.trusted !== true) arena.hashAll()
  return roots
}

/** Reads a bag that must have exactly one root. */
export const decodeSingleBoc = (bytes: Uint8Array, options: BocOptions = {}): Cell => {
  const roots = decodeBoc(bytes, options)
  if (roots.length !== 1) throw new BocError(`A bag of cells with one root was expected, it has ${roots.length}.`)
  return roots[0]!
}

const checkCrc = (bytes: Uint8Array, { length }: BocHeader): void => {
  const end = length - 4
  const stored = (bytes[end]! | (bytes[end + 1]! << 8) | (bytes[end + 2]! << 16) | (bytes[end + 3]! << 24)) >>> 0
  const found = crc32c(bytes, 0, end)
  if (stored !== found) {
    throw new BocError(`The checksum of the bag of cells is ${stored.toString(16)}, its bytes give ${found.toString(16)}.`)
  }
}

const scanCells = (bytes: Uint8Array, header: BocHeader): CellArena => {
  const { cells, refSize, cellsStart, cellsSize } = header
  const end = cellsStart + cellsSize
  // What is not taken by descriptors bounds the references, however many the cells claim.
  const refCapacity = Math.min(4 * cells, Math.floor((cellsSize - 2 * cells) / refSize))
  const arena = new CellArena(bytes, cells, cells, refCapacity)
  const { d1: descriptors, bitLength, dataStart, refStart, refs } = arena
  let at = cellsStart
  let nextRef = 0
  for (let i = 0; i < cells; i++) {
    if (at + 2 > end) failCell(i, 'its record runs past the end of the cell area')
    const d1 = bytes[at]!
    const d2 = bytes[at + 1]!
    const refCount = d1 & 7
    if (refCount > 4) failCell(i, `it states ${refCount} references, at most 4 are allowed`)
    const data = at + 2 + ((d1 & 16) === 0 ? 0 : 34 * (popcount3(d1 >> 5) + 1))
    const length = (d2 >> 1) + (d2 & 1)
    at = data + length + refCount * refSize
    if (at > end) failCell(i, 'its record runs past the end of the cell area')
    let bits = 8 * length
    if ((d2 & 1) !== 0) {
      const last = bytes[data + length - 1]!
      if ((last & 0x7f) === 0) failCell(i, `its last data byte ${last.toString(16)} has no completion bit that is needed`)
      bits -= 1 + 31 - Math.clz32(last & -last)
    }
    if ((d1 & 8) !== 0) {
      const fault = findExoticFault(bytes, data, bits, refCount, d1 >> 5)
      if (fault !== undefined) failCell(i, fault)
    }
    descriptors[i] = d1
    bitLength[i] = bits
    dataStart[i] = data
    refStart[i] = nextRef
    for (let p = data + length; p < at; p += refSize) {
      let ref = bytes[p]!
      for (let k = 1; k < refSize; k++) ref = ref * 256 + bytes[p + k]!
      if (ref <= i || ref >= cells) failCell(i, `it refers to cell ${ref}; only ${i + 1} to ${cells - 1} may follow it`)
      refs[nextRef++] = ref
    }
  }
  if (at !== end) throw new BocError(`The cells end ${end - at} bytes before the cell area does.`)
  return arena
}

/** Works out masks and depths from the last cell to the first; says whether any cell states hashes of its own or others. */
const settleLevels = (arena: CellArena, lenient: boolean): boolean => {
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
      mask = levelMaskOf(type, d1 >> 5, mask)
      if (type >= MERKLE_PROOF) hasStatedHashes = true
    }
    if (mask !== d1 >> 5) {
      // Stored hashes cannot be found with a wrong mask, so leniency ends there.
      if (!lenient || (d1 & 16) !== 0) failCell(i, `its level mask is ${d1 >> 5}, its references give ${mask}`)
      descriptors[i] = (d1 & 31) | (mask << 5)
    }
    if ((d1 & 16) !== 0) hasStatedHashes = true
  }
  return hasStatedHashes
}

const checkIndex = (bytes: Uint8Array, header: BocHeader, indexStart: number, arena: CellArena, strict: boolean): void => {
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

const failCell = (index: number, fault: string): never => {
  throw new BocError(`Cell ${index} of the bag is not acceptable: ${fault}.`)
}
