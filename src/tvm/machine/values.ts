import { Cell, type CellSlice, cellAt } from '../../codec/cell/Cell.ts'
import type { CellArena } from '../../codec/cell/CellArena.ts'
import { buildCell } from '../../codec/cell/CellWriter.ts'
import { copyBits, firstDifferentBit, peekBits, peekInt, peekUint, putBits, putInteger } from './bits.ts'
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

/** Registers that a continuation restores when it is entered: c0 to c5, and c7 in the last slot. */
export type SavedRegisters = {
  readonly c0: Continuation | undefined
  readonly c1: Continuation | undefined
  readonly c2: Continuation | undefined
  readonly c3: Continuation | undefined
  readonly c4: Cell | undefined
  readonly c5: Cell | undefined
  readonly c7: Tuple | undefined
}

export type ControlData = {
  /** Values that go below those that are passed; `undefined` is not the same as none. */
  readonly stack: readonly Value[] | undefined
  /** How many values it takes, −1 for any number. */
  readonly nargs: number
  readonly save: SavedRegisters
}

export const NOTHING_SAVED: SavedRegisters = {
  c0: undefined,
  c1: undefined,
  c2: undefined,
  c3: undefined,
  c4: undefined,
  c5: undefined,
  c7: undefined,
}

export const NO_CONTROL: ControlData = { stack: undefined, nargs: -1, save: NOTHING_SAVED }

export type ContinuationKind =
  | 'ordinary'
  | 'envelope'
  | 'quit'
  | 'quitException'
  | 'pushInt'
  | 'repeat'
  | 'again'
  | 'until'
  | 'whileCondition'
  | 'whileBody'

/** One class for all kinds, so that entering one is the same code path for the engine. Unused members are `undefined`. */
export class Continuation {
  readonly kind: ContinuationKind
  /** Where it goes on, for an ordinary one. */
  readonly code: Slice | undefined
  /** Only ordinary ones and envelopes have control data. */
  readonly control: ControlData | undefined
  /** Exit code, value to push, or rounds left. */
  readonly number: number
  /** Body of a loop, or what follows an envelope or a pushed integer. */
  readonly body: Continuation | undefined
  readonly after: Continuation | undefined
  readonly condition: Continuation | undefined

  constructor(
    kind: ContinuationKind,
    code: Slice | undefined,
    control: ControlData | undefined,
    number: number,
    body?: Continuation,
    after?: Continuation,
    condition?: Continuation,
  ) {
    this.kind = kind
    this.code = code
    this.control = control
    this.number = number
    this.body = body
    this.after = after
    this.condition = condition
  }

  get hasC0(): boolean {
    return this.control?.save.c0 !== undefined
  }

  /** Whether jumping to it changes the stack. */
  get takesStack(): boolean {
    const { control } = this
    return control !== undefined && (control.stack !== undefined || control.nargs >= 0)
  }

  /** The same with other control data; kinds without any are put into an envelope. */
  withControl(control: ControlData): Continuation {
    if (this.kind === 'ordinary') return new Continuation('ordinary', this.code, control, 0)
    if (this.kind === 'envelope') return new Continuation('envelope', undefined, control, 0, this.body)
    return new Continuation('envelope', undefined, control, 0, this)
  }

  /** With these registers saved, each only if its slot is empty. */
  define(registers: Partial<SavedRegisters>): Continuation {
    const control = this.control ?? NO_CONTROL
    const save = { ...control.save }
    save.c0 ??= registers.c0
    save.c1 ??= registers.c1
    save.c2 ??= registers.c2
    save.c3 ??= registers.c3
    save.c4 ??= registers.c4
    save.c5 ??= registers.c5
    save.c7 ??= registers.c7
    return this.withControl({ stack: control.stack, nargs: control.nargs, save })
  }
}

export const ordinary = (code: Slice, control: ControlData = NO_CONTROL): Continuation =>
  new Continuation('ordinary', code, control, 0)

const quit = (exitCode: number): Continuation => new Continuation('quit', undefined, undefined, exitCode)

export const QUIT_0 = quit(0)
export const QUIT_1 = quit(1)
export const QUIT_11 = quit(11)
export const QUIT_EXCEPTION = new Continuation('quitException', undefined, undefined, 0)

export const pushInt = (value: number, next: Continuation): Continuation =>
  new Continuation('pushInt', undefined, undefined, value, next)

export const repeatLoop = (body: Continuation, after: Continuation, rounds: number): Continuation =>
  new Continuation('repeat', undefined, undefined, rounds, body, after)

export const againLoop = (body: Continuation): Continuation => new Continuation('again', undefined, undefined, 0, body)

export const untilLoop = (body: Continuation, after: Continuation): Continuation =>
  new Continuation('until', undefined, undefined, 0, body, after)

export const whileCondition = (condition: Continuation, body: Continuation, after: Continuation): Continuation =>
  new Continuation('whileCondition', undefined, undefined, 0, body, after, condition)

export const whileBody = (condition: Continuation, body: Continuation, after: Continuation): Continuation =>
  new Continuation('whileBody', undefined, undefined, 0, body, after, condition)
