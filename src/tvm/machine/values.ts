import { Cell, cellAt } from '../../codec/cell/Cell.ts'
import type { CellArena } from '../../codec/cell/CellArena.ts'
import type { CellSlice } from '../../codec/cell/CellSlice.ts'
import { buildCell } from '../../codec/cell/CellWriter.ts'
import { copyBits, firstDifferentBit, peekBits, peekInt, peekUint, putBits, putInteger } from './bits.ts'
import type { Continuation } from './Continuation.ts'
import { CELL_OVERFLOW, fault } from './faults.ts'

/** An integer of 257 bits: a number where it is a safe integer, `NaN` for the machine's NaN, otherwise a bigint. */
export type Integer = number | bigint

export type Tuple = readonly Value[]

/** What stands on the stack. Values never change once they are there. */
export type Value = null | Integer | Cell | Slice | Builder | Continuation | Tuple

export const isInteger = (value: Value): value is Integer => typeof value === 'number' || typeof value === 'bigint'

export const isTuple = (value: Value): value is Tuple => Array.isArray(value)

/** A window on the bits and references of a cell. */
export class Slice implements CellSlice {
  readonly arena: CellArena
  readonly index: number
  readonly bitStart: number
  readonly bitEnd: number
  readonly refStart: number
  readonly refEnd: number

  constructor(arena: CellArena, index: number, bitStart: number, bitEnd: number, refStart: number, refEnd: number) {
    this.arena = arena
    this.index = index
    this.bitStart = bitStart
    this.bitEnd = bitEnd
    this.refStart = refStart
    this.refEnd = refEnd
  }

  /** The bits and references of a cell of any kind, as they stand. */
  static of({ arena, index }: Cell): Slice {
    return new Slice(arena, index, 0, arena.bitLength[index]!, 0, arena.d1[index]! & 7)
  }

  get bits(): number {
    return this.bitEnd - this.bitStart
  }

  get refs(): number {
    return this.refEnd - this.refStart
  }

  get isEmpty(): boolean {
    return this.bitStart === this.bitEnd && this.refStart === this.refEnd
  }

  get bytes(): Uint8Array {
    return this.arena.bytes
  }

  /** Where the first bit stands in {@link bytes}. */
  get offset(): number {
    return 8 * this.arena.dataStart[this.index]! + this.bitStart
  }

  get cell(): Cell {
    return new Cell(this.arena, this.index)
  }

  /** Unsigned, from the first bit on; the caller has checked that they are there. */
  uint(bits: number): Integer {
    return peekUint(this.arena.bytes, this.offset, bits)
  }

  int(bits: number): Integer {
    return peekInt(this.arena.bytes, this.offset, bits)
  }

  /** At most 32 bits, `skip` bits behind the start. */
  small(bits: number, skip = 0): number {
    return bits === 0 ? 0 : peekBits(this.arena.bytes, this.offset + skip, bits)
  }

  ref(position: number): Cell {
    const { arena } = this
    return cellAt(arena, arena.refs[arena.refStart[this.index]! + this.refStart + position]!)
  }

  /** What is behind the first `bits` bits and `refs` references. */
  skip(bits: number, refs = 0): Slice {
    return new Slice(this.arena, this.index, this.bitStart + bits, this.bitEnd, this.refStart + refs, this.refEnd)
  }

  /** The first `bits` bits and `refs` references. */
  first(bits: number, refs = 0): Slice {
    const { bitStart, refStart } = this
    return new Slice(this.arena, this.index, bitStart, bitStart + bits, refStart, refStart + refs)
  }

  /** The last `bits` bits and `refs` references. */
  last(bits: number, refs = 0): Slice {
    const { bitEnd, refEnd } = this
    return new Slice(this.arena, this.index, bitEnd - bits, bitEnd, refEnd - refs, refEnd)
  }

  /** Whether the bits of `other` begin here. */
  startsWith(other: Slice): boolean {
    const { bits } = other
    if (bits > this.bits) return false
    return firstDifferentBit(this.bytes, this.offset, other.bytes, other.offset, bits) === bits
  }

  endsWith(other: Slice): boolean {
    const { bits } = other
    if (bits > this.bits) return false
    return firstDifferentBit(this.bytes, this.offset + this.bits - bits, other.bytes, other.offset, bits) === bits
  }

  /** −1, 0 or 1 by the order of the bits; a prefix comes first. */
  compare(other: Slice): number {
    const shared = Math.min(this.bits, other.bits)
    const at = firstDifferentBit(this.bytes, this.offset, other.bytes, other.offset, shared)
    if (at === shared) return Math.sign(this.bits - other.bits)
    return this.small(1, at) === 0 ? -1 : 1
  }

  /** How many bits from the start equal `bit`. */
  countLeading(bit: number): number {
    let count = 0
    while (count < this.bits && this.small(1, count) === bit) count++
    return count
  }

  countTrailing(bit: number): number {
    const { bits } = this
    let count = 0
    while (count < bits && this.small(1, bits - 1 - count) === bit) count++
    return count
  }

  /** Without the last 1 and the zeros behind it: inline constants of code are padded so. */
  withoutCompletion(): Slice {
    const { bits } = this
    const zeros = this.countTrailing(0)
    return new Slice(
      this.arena,
      this.index,
      this.bitStart,
      this.bitEnd - (zeros === bits ? bits : zeros + 1),
      this.refStart,
      this.refEnd,
    )
  }

  /** Whole bytes, copied; the caller has checked that there are so many. */
  toBytes(length: number = this.bits >> 3): Uint8Array {
    // A little more room than is needed: bits are copied four bytes at a time.
    const out = new Uint8Array(length + 8)
    copyBits(this.bytes, this.offset, out, 0, 8 * length)
    return out.subarray(0, length)
  }

  toCell(): Cell {
    return Builder.empty.withSlice(this).toCell()
  }

  /** Depth of what it refers to, plus one; 0 without references. */
  depth(): number {
    let depth = 0
    for (let k = 0; k < this.refs; k++) depth = Math.max(depth, this.ref(k).depth() + 1)
    return depth
  }
}

export const MAX_BUILDER_BITS = 1023
export const MAX_BUILDER_REFS = 4

/** Bytes that builders share: one may write behind its own bits as long as no other has. */
class BitBuffer {
  // 128 bytes of a cell, and room for writes of four bytes at a time.
  readonly bytes = new Uint8Array(136)
  used = 0
}

const NO_REFS: readonly Cell[] = []

/** A cell in the making. Each write gives a new builder; the bytes are copied only where an older one is written to again. */
export class Builder {
  static readonly empty = new Builder(new BitBuffer(), 0, NO_REFS)

  private readonly buffer: BitBuffer
  readonly bits: number
  readonly refs: readonly Cell[]

  private constructor(buffer: BitBuffer, bits: number, refs: readonly Cell[]) {
    this.buffer = buffer
    this.bits = bits
    this.refs = refs
  }

  get bytes(): Uint8Array {
    return this.buffer.bytes
  }

  /** Whether this much more fits. */
  hasRoom(bits: number, refs = 0): boolean {
    return this.bits + bits <= MAX_BUILDER_BITS && this.refs.length + refs <= MAX_BUILDER_REFS
  }

  /** A buffer that ends with the bits of this builder. */
  private extend(more: number): BitBuffer {
    if (this.bits + more > MAX_BUILDER_BITS) fault(CELL_OVERFLOW)
    let { buffer } = this
    if (buffer.used !== this.bits || this === Builder.empty) {
      buffer = new BitBuffer()
      copyBits(this.buffer.bytes, 0, buffer.bytes, 0, this.bits)
    }
    buffer.used = this.bits + more
    return buffer
  }

  /** With an integer that fits `bits` bits. */
  withInteger(value: Integer, bits: number): Builder {
    const buffer = this.extend(bits)
    if (bits > 0) putInteger(buffer.bytes, this.bits, value, bits)
    return new Builder(buffer, this.bits + bits, this.refs)
  }

  /** With `bits` bits of `bytes` from bit `at` on. */
  withBits(bytes: Uint8Array, at: number, bits: number): Builder {
    const buffer = this.extend(bits)
    copyBits(bytes, at, buffer.bytes, this.bits, bits)
    return new Builder(buffer, this.bits + bits, this.refs)
  }

  withBytes(bytes: Uint8Array): Builder {
    return this.withBits(bytes, 0, 8 * bytes.length)
  }

  /** With `bits` bits that all are `bit`. */
  withSame(bit: number, bits: number): Builder {
    const buffer = this.extend(bits)
    if (bit === 1) {
      for (let done = 0; done < bits; done += 32) putBits(buffer.bytes, this.bits + done, -1, Math.min(32, bits - done))
    }
    return new Builder(buffer, this.bits + bits, this.refs)
  }

  withRef(cell: Cell): Builder {
    if (this.refs.length === MAX_BUILDER_REFS) fault(CELL_OVERFLOW)
    return new Builder(this.buffer, this.bits, [...this.refs, cell])
  }

  withSlice(slice: Slice): Builder {
    if (this.refs.length + slice.refs > MAX_BUILDER_REFS) fault(CELL_OVERFLOW)
    const longer = slice.bits === 0 ? this : this.withBits(slice.bytes, slice.offset, slice.bits)
    if (slice.refs === 0) return longer
    const refs = [...this.refs]
    for (let k = 0; k < slice.refs; k++) refs.push(slice.ref(k))
    return new Builder(longer.buffer, longer.bits, refs)
  }

  withBuilder(other: Builder): Builder {
    if (this.refs.length + other.refs.length > MAX_BUILDER_REFS) fault(CELL_OVERFLOW)
    const longer = other.bits === 0 ? this : this.withBits(other.bytes, 0, other.bits)
    return other.refs.length === 0 ? longer : new Builder(longer.buffer, longer.bits, [...this.refs, ...other.refs])
  }

  /** An ordinary cell, without a charge. */
  toCell(): Cell {
    return buildCell(this.buffer.bytes, this.bits, this.refs, 0)
  }

  depth(): number {
    let depth = 0
    for (const ref of this.refs) depth = Math.max(depth, ref.depth() + 1)
    return depth
  }
}
