import { crc32c } from '../../primitives/crc32c.ts'
import { type BocHeader, type BocLimits, DEFAULT_BOC_LIMITS, readBigEndian, readBocHeader } from './bocHeader.ts'
import { Cell } from './Cell.ts'
import { CellArena } from './CellArena.ts'
import { failCell, readCellRecord, settleLevels } from './cellRecord.ts'
import { BocError } from './errors.ts'

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
      `The bag of cells ends at byte ${header.length}, but ${bytes.length - header.length} more bytes came.`,
    )
  }
  if (header.hasCrc && options.skipChecksum !== true) checkCrc(bytes, header)
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
  if (hasStatedHashes && options.trusted !== true) arena.checkStatements()
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
    const show = (crc: number): string => crc.toString(16).padStart(8, '0')
    throw new BocError(`The checksum of the bag of cells is ${show(stored)}, its bytes give ${show(found)}.`)
  }
}

const scanCells = (bytes: Uint8Array, { cells, refSize, cellsStart, cellsSize }: BocHeader): CellArena => {
  const end = cellsStart + cellsSize
  // What is not taken by descriptors bounds the references, however many the cells claim.
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
