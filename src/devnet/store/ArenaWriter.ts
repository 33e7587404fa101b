import { Cell, cellAt } from '../../codec/cell/Cell.ts'
import { CellArena, type CellRef } from '../../codec/cell/CellArena.ts'

// More than most need; what is not used is given back when an arena is full.
const BYTES_PER_CELL = 48
const REFS_PER_CELL = 1.25
const GROWTH = 1.5
/** Of what an arena has: less than that is not worth a copy. */
const SPARE = 1 / 16

/**
 * Copies cells into arenas that hold nothing else and refer to no others. A cell keeps its whole arena alive, and everything that
 * any cell of it refers to: without the copy, states would keep every earlier block and state in memory.
 */
export class ArenaWriter {
  private readonly capacity: number
  private readonly owned = new Set<CellArena>()
  private readonly arenas: CellArena[] = []
  private arena: CellArena
  private bytesUsed = 0
  private refsUsed = 0
  /** What the arena in hand already refers to outside of itself. */
  private foreign = new Map<CellArena, Map<number, number>>()

  /** An arena is begun for so many cells at a time. */
  constructor(capacity: number) {
    this.capacity = capacity
    this.arena = this.startArena()
  }

  get count(): number {
    return (this.arenas.length - 1) * this.capacity + this.arena.count
  }

  owns(arena: CellArena): boolean {
    return this.owned.has(arena)
  }

  /** Cells by the order in which they were appended. */
  get(number: number): Cell {
    const index = number % this.capacity
    return new Cell(this.arenas[(number - index) / this.capacity]!, index)
  }

  /** Whether the cell with this number has this hash. */
  hasHash(number: number, hash: Uint8Array): boolean {
    const index = number % this.capacity
    return this.arenas[(number - index) / this.capacity]!.hashEquals(index, 3, hash, 0)
  }

  /** A copy of a cell over children of which the same holds as of all cells here. Its hash is made at once. */
  append(source: CellRef, children: readonly CellRef[]): Cell {
    if (this.arena.count === this.capacity) {
      this.trimArena()
      this.arena = this.startArena()
    }
    const { arena } = this
    const index = arena.count
    const from = source.arena
    const bits = from.bitLength[source.index]!
    const length = (bits + 7) >> 3
    this.reserve(length, children.length)
    // A bag may store hashes before the data of a cell; a copy does not.
    arena.d1[index] = from.d1[source.index]! & ~16
    arena.bitLength[index] = bits
    arena.dataStart[index] = this.bytesUsed
    const start = from.dataStart[source.index]!
    for (let k = 0; k < length; k++) arena.bytes[this.bytesUsed + k] = from.bytes[start + k]!
    this.bytesUsed += length
    arena.refStart[index] = this.refsUsed
    for (const child of children) arena.refs[this.refsUsed++] = this.refTo(child)
    arena.topDepth[index] = from.fullDepth(source.index)
    arena.count = index + 1
    arena.reserveSlots(index)
    arena.copyHash(index, 3, scratch, 0)
    return new Cell(arena, index)
  }

  private startArena(): CellArena {
    const { capacity } = this
    const arena = new CellArena(
      new Uint8Array(BYTES_PER_CELL * capacity),
      0,
      capacity,
      Math.ceil(REFS_PER_CELL * capacity),
    )
    this.arenas.push(arena)
    this.owned.add(arena)
    this.bytesUsed = 0
    this.refsUsed = 0
    this.foreign = new Map()
    return arena
  }

  private reserve(length: number, refCount: number): void {
    const { arena } = this
    if (this.bytesUsed + length > arena.bytes.length) {
      const bytes = new Uint8Array(GROWTH * arena.bytes.length + 128)
      bytes.set(arena.bytes)
      arena.bytes = bytes
    }
    if (this.refsUsed + refCount > arena.refs.length) {
      const refs = new Int32Array(GROWTH * arena.refs.length + 4)
      refs.set(arena.refs)
      arena.refs = refs
    }
  }

  private trimArena(): void {
    const { arena, bytesUsed } = this
    if (arena.bytes.length - bytesUsed > SPARE * arena.bytes.length) arena.bytes = arena.bytes.slice(0, bytesUsed)
  }

  private refTo(child: CellRef): number {
    const { arena } = this
    if (child.arena === arena) return child.index
    let slots = this.foreign.get(child.arena)
    if (slots === undefined) {
      slots = new Map()
      this.foreign.set(child.arena, slots)
    }
    let slot = slots.get(child.index)
    if (slot === undefined) {
      if (arena.foreign.length === 0) arena.foreign = []
      slot = arena.foreign.push(new Cell(child.arena, child.index)) - 1
      slots.set(child.index, slot)
    }
    return ~slot
  }
}

const scratch = new Uint8Array(32)

/** Copies the part of a tree that is not among the cells already owned. Its cost follows what is new. */
export const adoptCells = (root: Cell, writer: ArenaWriter, isOwned: (arena: CellArena) => boolean): Cell => {
  const copies = new Map<CellArena, Map<number, Cell>>()
  // Recursion is bounded: no cell tree is deeper than 1024.
  const visit = (cell: Cell): Cell => {
    const { arena, index } = cell
    if (isOwned(arena)) return cell
    let known = copies.get(arena)
    if (known === undefined) {
      known = new Map()
      copies.set(arena, known)
    }
    const before = known.get(index)
    if (before !== undefined) return before
    const children: Cell[] = []
    const start = arena.refStart[index]!
    for (let k = 0; k < cell.refCount; k++) children.push(visit(cellAt(arena, arena.refs[start + k]!)))
    const copy = writer.append(cell, children)
    known.set(index, copy)
    return copy
  }
  return visit(root)
}
