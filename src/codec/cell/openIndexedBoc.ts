import { type BocHeader, type BocLimits, DEFAULT_BOC_LIMITS, readBigEndian, readBocHeader } from './bocHeader.ts'
import { Cell } from './Cell.ts'
import { CellArena, type CellLoader } from './CellArena.ts'
import { failCell, readCellRecord, settleLevels } from './cellRecord.ts'
import { BocError } from './errors.ts'

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
      `The bag of cells ends at byte ${header.length}, but ${bytes.length - header.length} more bytes came.`,
    )
  }
  const arena = new CellArena(bytes, header.cells, header.cells, 4 * header.cells)
  arena.loader = new IndexLoader(arena, header, header.indexStart)
  return header.roots.map((index) => new Cell(arena, index))
}
