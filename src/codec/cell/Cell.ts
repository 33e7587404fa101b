import type { CellArena, CellRef } from './CellArena.ts'
import { CellError } from './errors.ts'
import { levelOfMask } from './exotic.ts'

/** A handle on one cell. It keeps its whole arena alive: copy out what you keep for long. */
export class Cell implements CellRef {
  readonly arena: CellArena
  readonly index: number

  constructor(arena: CellArena, index: number) {
    this.arena = arena
    this.index = index
    if (arena.loader !== undefined) arena.loader.load(index)
  }

  get bits(): number {
    return this.arena.bitLength[this.index]!
  }

  get refCount(): number {
    return this.arena.d1[this.index]! & 7
  }

  get isExotic(): boolean {
    return this.arena.isExotic(this.index)
  }

  /** Type byte of an exotic cell (see exotic.ts), 0 for an ordinary one. */
  get exoticType(): number {
    return this.arena.exoticType(this.index)
  }

  get levelMask(): number {
    return this.arena.levelMask(this.index)
  }

  get level(): number {
    return levelOfMask(this.levelMask)
  }

  /** The representation hash; with a level, the hash at that level (0 identifies the un-pruned original in a proof). */
  hash(level = 3): Uint8Array {
    const out = new Uint8Array(32)
    this.arena.copyHash(this.index, level, out, 0)
    return out
  }

  /** Whether the hash at `level` equals the 32 bytes given, without making a copy of it. */
  hasHash(expected: Uint8Array, level = 3): boolean {
    return expected.length === 32 && this.arena.hashEquals(this.index, level, expected, 0)
  }

  depth(level = 3): number {
    return this.arena.depth(this.index, level)
  }

  ref(position: number): Cell {
    const { arena, index } = this
    if (position < 0 || position >= this.refCount) {
      throw new CellError(`Reference ${position} was asked of a cell that has ${this.refCount}.`)
    }
    return cellAt(arena, arena.refs[arena.refStart[index]! + position]!)
  }

  /** Whether both handles stand for cells of the same content. */
  equals(other: Cell): boolean {
    if (other.arena === this.arena && other.index === this.index) return true
    return this.hasHash(other.hash())
  }
}

/** The cell behind an entry of `arena.refs`. */
export const cellAt = (arena: CellArena, ref: number): Cell => {
  if (ref >= 0) return new Cell(arena, ref)
  const target = arena.foreign[~ref]!
  return target instanceof Cell ? target : new Cell(target.arena, target.index)
}

/** Part of a cell: a range of its bits and of its references. Immutable; read it with `openSlice`. */
export type CellSlice = {
  readonly arena: CellArena
  readonly index: number
  readonly bitStart: number
  readonly bitEnd: number
  readonly refStart: number
  readonly refEnd: number
}

/** The whole content of a cell as a slice. */
export const wholeSlice = ({ arena, index, bits, refCount }: Cell): CellSlice => ({
  arena,
  index,
  bitStart: 0,
  bitEnd: bits,
  refStart: 0,
  refEnd: refCount,
})
