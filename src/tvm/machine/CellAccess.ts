import type { Cell } from '../../codec/cell/Cell.ts'
import { buildCell } from '../../codec/cell/CellWriter.ts'
import { CellError, ProofError } from '../../codec/cell/errors.ts'
import { LIBRARY_REFERENCE, MAX_DEPTH, MERKLE_PROOF } from '../../codec/cell/exotic.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import { toHex } from '../../primitives/hex.ts'
import { findInDictionary } from './dictionary.ts'
import { CELL_OVERFLOW, CELL_UNDERFLOW, fault, VmFault } from './faults.ts'
import { CELL_CREATE_GAS, CELL_LOAD_GAS, CELL_RELOAD_GAS, type Gas } from './Gas.ts'
import { type Builder, Slice } from './values.ts'

/**
 * The cells that a run has loaded, told apart by content. Two handles on the same cell are the usual case; a hash is computed only
 * where different cells look alike.
 */
class LoadedCells {
  private readonly alike = new Map<number, Cell[]>()

  /** Whether it was not there before. */
  add(cell: Cell): boolean {
    const key = outlineOf(cell)
    const found = this.alike.get(key)
    if (found === undefined) {
      this.alike.set(key, [cell])
      return true
    }
    for (const other of found) if (other.arena === cell.arena && other.index === cell.index) return false
    for (const other of found) if (other.equals(cell)) return false
    found.push(cell)
    return true
  }

  *[Symbol.iterator](): Generator<Cell> {
    for (const cells of this.alike.values()) yield* cells
  }
}

/** Equal for equal cells, and mostly different for others: lengths, depth, and the first and last bytes. */
const outlineOf = ({ arena, index }: Cell): number => {
  const { bytes } = arena
  const start = arena.dataStart[index]!
  const length = (arena.bitLength[index]! + 7) >> 3
  let outline = (arena.topDepth[index]! << 16) ^ (arena.bitLength[index]! << 4) ^ (arena.d1[index]! & 0xef)
  const head = Math.min(length, 8)
  for (let k = 0; k < head; k++) outline = Math.imul(outline, 31) + bytes[start + k]!
  for (let k = Math.max(head, length - 4); k < length; k++) outline = Math.imul(outline, 31) + bytes[start + k]!
  return outline
}

export type CellAccessOptions = {
  readonly version: number
  /** Roots of library dictionaries, tried in this order. */
  readonly libraries: readonly Cell[]
  /** How many different libraries a run may ask for. */
  readonly maxLibraryLoads: number | undefined
}

/** How a run gets at cells: what is loaded and created costs gas, and library references are followed. */
export class CellAccess {
  readonly options: CellAccessOptions
  /** Hashes of libraries that were not found. */
  readonly missingLibraries: Uint8Array[] = []
  private loaded = new LoadedCells()
  /** Cells of runs inside this one that counted for themselves. */
  private readonly isolated: LoadedCells[] = []
  private readonly askedLibraries = new Set<string>()

  constructor(options: CellAccessOptions) {
    this.options = options
  }

  /** Everything that was loaded; what runs inside this one loaded may be there twice. */
  get loadedCells(): Iterable<Cell> {
    return this.isolated.length === 0 ? this.loaded : [...this.loaded, ...this.isolated.flatMap((inner) => [...inner])]
  }

  get usedLibraries(): boolean {
    return this.askedLibraries.size > 0
  }

  /** Another set of loaded cells for a run inside a run; call the result to return to the present set. */
  isolate(): () => void {
    const outer = this.loaded
    this.loaded = new LoadedCells()
    this.isolated.push(this.loaded)
    return () => {
      this.loaded = outer
    }
  }

  registerLoad(cell: Cell, gas: Gas): void {
    gas.charge(this.loaded.add(cell) ? CELL_LOAD_GAS : CELL_RELOAD_GAS)
  }

  /** Marks a cell as loaded without a charge; whether it was not loaded before. */
  registerFree(cell: Cell): boolean {
    return this.loaded.add(cell)
  }

  /** Turns a cell into a slice by the loading rule: libraries are resolved, other exotic cells refused. */
  load(cell: Cell, gas: Gas): Slice {
    this.registerLoad(cell, gas)
    return cell.isExotic ? this.loadExotic(cell, gas) : Slice.of(cell)
  }

  private loadExotic(reference: Cell, gas: Gas): Slice {
    const isFree = this.options.version >= 5
    for (let cell = reference, isFirst = true; ; isFirst = false) {
      if (!isFirst && !isFree) this.registerLoad(cell, gas)
      if (!cell.isExotic) return Slice.of(cell)
      if (cell.exoticType !== LIBRARY_REFERENCE || (!isFirst && isFree)) fault(CELL_UNDERFLOW)
      cell = this.findLibrary(cell, gas) ?? fault(CELL_UNDERFLOW)
    }
  }

  /** The cell that a library reference stands for. */
  findLibrary(reference: Cell, gas: Gas): Cell | undefined {
    const hash = Slice.of(reference).skip(8).toBytes(32)
    const key = toHex(hash)
    const { maxLibraryLoads, libraries, version } = this.options
    if (this.askedLibraries.size === maxLibraryLoads && !this.askedLibraries.has(key)) return undefined
    this.askedLibraries.add(key)
    const open = version >= 4 ? openFree : (cell: Cell) => this.load(cell, gas)
    for (const root of libraries) {
      const library = findLibraryIn(root, hash, open)
      if (library !== undefined) return library
    }
    this.missingLibraries.push(hash)
    return undefined
  }

  /** Finishes a builder as an ordinary cell. */
  create(builder: Builder, gas: Gas): Cell {
    gas.charge(CELL_CREATE_GAS)
    if (builder.refs.some((ref) => ref.depth() >= MAX_DEPTH)) fault(CELL_OVERFLOW)
    return builder.toCell()
  }

  /** Finishes a builder as an exotic cell, whose contents are checked. */
  createExotic(builder: Builder, gas: Gas): Cell {
    gas.charge(CELL_CREATE_GAS)
    if (builder.refs.some((ref) => ref.depth() >= MAX_DEPTH)) fault(CELL_OVERFLOW)
    try {
      const cell = buildCell(builder.bytes, builder.bits, builder.refs, 8)
      if (cell.exoticType >= MERKLE_PROOF) cell.arena.checkMerkle(cell.index)
      return cell
    } catch (error) {
      if (error instanceof CellError || error instanceof ProofError) return fault(CELL_OVERFLOW)
      throw error
    }
  }
}

const openFree = (cell: Cell): Slice => (cell.isExotic ? fault(CELL_UNDERFLOW) : Slice.of(cell))

/** A library by its hash. Errors of the dictionary count as "not there". */
const findLibraryIn = (root: Cell, hash: Uint8Array, open: (cell: Cell) => Slice): Cell | undefined => {
  try {
    const value = findInDictionary(root, 256, hash, 0, open)
    if (value === undefined || value.refs === 0) return undefined
    const library = value.ref(0)
    return bytesEqual(library.hash(), hash) ? library : undefined
  } catch (error) {
    if (error instanceof VmFault) return undefined
    throw error
  }
}
