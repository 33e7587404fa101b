import { Cell, type CellSlice, cellAt } from './Cell.ts'
import type { CellArena } from './CellArena.ts'
import { CellError, PrunedBranchError } from './errors.ts'
import { PRUNED_BRANCH } from './exotic.ts'
import { recorder } from './HashIndex.ts'

const words = new Uint32Array(2)
const wide = new BigUint64Array(words.buffer)
const wideSigned = new BigInt64Array(words.buffer)
// Which half of a 64-bit number the host keeps first.
const LOW = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? 0 : 1
const HIGH = 1 - LOW

/** A cursor over the bits and references of one cell. Numbers up to 53 bits are `number`, wider ones `bigint`. */
export class CellReader {
  readonly arena: CellArena
  readonly index: number
  private readonly bytes: Uint8Array
  private readonly base: number
  private bit: number
  private readonly bitEnd: number
  private nextRef: number
  private readonly endRef: number

  constructor(arena: CellArena, index: number, bit: number, bitEnd: number, ref: number, refEnd: number) {
    this.arena = arena
    this.index = index
    this.bytes = arena.bytes
    this.base = arena.dataStart[index]!
    this.bit = bit
    this.bitEnd = bitEnd
    const refBase = arena.refStart[index]!
    this.nextRef = refBase + ref
    this.endRef = refBase + refEnd
  }

  get remainingBits(): number {
    return this.bitEnd - this.bit
  }

  get remainingRefs(): number {
    return this.endRef - this.nextRef
  }

  /** The cell this reader stands in. */
  get cell(): Cell {
    return new Cell(this.arena, this.index)
  }

  readBit(): boolean {
    const at = this.bit
    if (at >= this.bitEnd) this.failBits(1)
    this.bit = at + 1
    return ((this.bytes[this.base + (at >> 3)]! >> (7 - (at & 7))) & 1) === 1
  }

  /** Unsigned, at most 53 bits. */
  readUint(bits: number): number {
    if (bits <= 24) return this.readSmall(bits)
    if (bits <= 32) {
      if (bits > this.bitEnd - this.bit) this.failBits(bits)
      return this.readSmall(bits - 16) * 0x10000 + this.readSmall(16)
    }
    if (bits > 53) throw new CellError(`readUint reads at most 53 bits, ${bits} were asked.`)
    if (bits > this.bitEnd - this.bit) this.failBits(bits)
    const high = this.readUint(bits - 24)
    return high * 0x1000000 + this.readSmall(24)
  }

  /** Two's complement, at most 53 bits. */
  readInt(bits: number): number {
    const value = this.readUint(bits)
    if (bits <= 32) return bits === 0 ? 0 : (value << (32 - bits)) >> (32 - bits)
    const half = 2 ** (bits - 1)
    return value >= half ? value - 2 * half : value
  }

  readUint64(): bigint {
    if (64 > this.bitEnd - this.bit) this.failBits(64)
    words[HIGH] = this.readSmall(16) * 0x10000 + this.readSmall(16)
    words[LOW] = this.readSmall(16) * 0x10000 + this.readSmall(16)
    return wide[0]!
  }

  readInt64(): bigint {
    this.readUint64()
    return wideSigned[0]!
  }

  /** Unsigned, any number of bits. */
  readUintWide(bits: number): bigint {
    if (bits > this.bitEnd - this.bit) this.failBits(bits)
    let value = BigInt(this.readUint(bits % 48))
    for (let left = bits - (bits % 48); left > 0; left -= 48) value = (value << 48n) | BigInt(this.readUint(48))
    return value
  }

  /** Two's complement, any number of bits. */
  readIntWide(bits: number): bigint {
    return BigInt.asIntN(bits, this.readUintWide(bits))
  }

  /** `VarUInteger n`: a length in `lengthBits` bits, then that many bytes. */
  readVarUint(lengthBits: number): bigint {
    const length = this.readSmall(lengthBits)
    if (length <= 6) return length === 0 ? 0n : BigInt(this.readUint(8 * length))
    return this.readUintWide(8 * length)
  }

  /** `VarInteger n`: as {@link readVarUint}, the value in two's complement. */
  readVarInt(lengthBits: number): bigint {
    const length = this.readSmall(lengthBits)
    return length === 0 ? 0n : this.readIntWide(8 * length)
  }

  /** `Grams`, nanograms. */
  readCoins(): bigint {
    return this.readVarUint(4)
  }

  /** Whole bytes: a view where they are aligned (it dies with the arena), a copy where not. */
  readBytes(length: number): Uint8Array {
    const at = this.bit
    const end = at + 8 * length
    if (end > this.bitEnd) this.failBits(8 * length)
    this.bit = end
    const from = this.base + (at >> 3)
    const shift = at & 7
    if (shift === 0) return this.bytes.subarray(from, from + length)
    const out = new Uint8Array(length)
    copyShifted(this.bytes, from, shift, out, length)
    return out
  }

  /** Any number of bits as a fresh byte array, left-aligned, the rest of the last byte zero. */
  readBits(bits: number): Uint8Array {
    const at = this.bit
    if (at + bits > this.bitEnd) this.failBits(bits)
    this.bit = at + bits
    const length = (bits + 7) >> 3
    const out = new Uint8Array(length)
    const from = this.base + (at >> 3)
    const shift = at & 7
    const whole = bits >> 3
    copyShifted(this.bytes, from, shift, out, whole)
    const rest = bits & 7
    if (rest > 0) {
      let last = (this.bytes[from + whole]! << shift) & 0xff
      if (shift + rest > 8) last |= this.bytes[from + whole + 1]! >> (8 - shift)
      out[whole] = last & (0xff00 >> rest)
    }
    return out
  }

  /** Copies bits into `out` from bit `outBit` on, over whatever stands there. */
  readBitsInto(out: Uint8Array, outBit: number, bits: number): void {
    if (bits > this.bitEnd - this.bit) this.failBits(bits)
    const first = Math.min(bits, -outBit & 7)
    this.readBitsIntoByte(out, outBit, first)
    const whole = (bits - first) >> 3
    const at = (outBit + first) >> 3
    const { bytes, bit } = this
    const from = this.base + (bit >> 3)
    const shift = bit & 7
    if (shift === 0) for (let k = 0; k < whole; k++) out[at + k] = bytes[from + k]!
    else
      for (let k = 0; k < whole; k++) out[at + k] = (bytes[from + k]! << shift) | (bytes[from + k + 1]! >> (8 - shift))
    this.bit = bit + 8 * whole
    this.readBitsIntoByte(out, 8 * (at + whole), bits - first - 8 * whole)
  }

  /** The same for bits that end in the byte where they begin. */
  private readBitsIntoByte(out: Uint8Array, outBit: number, bits: number): void {
    if (bits === 0) return
    const after = 8 - (outBit & 7) - bits
    const mask = ((1 << bits) - 1) << after
    out[outBit >> 3] = (out[outBit >> 3]! & ~mask) | (this.readSmall(bits) << after)
  }

  skipBits(bits: number): void {
    if (bits > this.bitEnd - this.bit) this.failBits(bits)
    this.bit += bits
  }

  /** Reads up to 32 bits without moving. */
  peekUint(bits: number): number {
    const at = this.bit
    const value = this.readUint(bits)
    this.bit = at
    return value
  }

  /** Moves past a constructor tag, or says which tag stands there instead. */
  expectTag(tag: number, bits: number): void {
    const found = this.readUint(bits)
    if (found !== tag) this.failTag(tag, found, bits)
  }

  /** Enters the next reference. Exotic cells hold no data of their own kind and are refused. */
  readRef(): CellReader {
    const ref = this.takeRef()
    if (ref >= 0) return openAt(this.arena, ref)
    const { arena, index } = this.arena.foreign[~ref]!
    return openAt(arena, index)
  }

  /** The next reference as a cell, not entered, of any kind. */
  readRefCell(): Cell {
    return cellAt(this.arena, this.takeRef())
  }

  /** `Maybe ^Cell`. */
  readMaybeRefCell(): Cell | undefined {
    return this.readBit() ? this.readRefCell() : undefined
  }

  skipRef(): void {
    this.takeRef()
  }

  /** A second cursor at the same position. */
  clone(): CellReader {
    const refBase = this.arena.refStart[this.index]!
    return new CellReader(this.arena, this.index, this.bit, this.bitEnd, this.nextRef - refBase, this.endRef - refBase)
  }

  /** The rest as a slice, without moving the cursor. */
  rest(): CellSlice {
    const refBase = this.arena.refStart[this.index]!
    return {
      arena: this.arena,
      index: this.index,
      bitStart: this.bit,
      bitEnd: this.bitEnd,
      refStart: this.nextRef - refBase,
      refEnd: this.endRef - refBase,
    }
  }

  /** Reads the rest as a slice. */
  readRest(): CellSlice {
    const slice = this.rest()
    this.bit = this.bitEnd
    this.nextRef = this.endRef
    return slice
  }

  /** From where `start` stood up to here, as a slice: for keeping a value that was read only to know its length. */
  sliceSince(start: CellReader): CellSlice {
    const refBase = this.arena.refStart[this.index]!
    return {
      arena: this.arena,
      index: this.index,
      bitStart: start.bit,
      bitEnd: this.bit,
      refStart: start.nextRef - refBase,
      refEnd: this.nextRef - refBase,
    }
  }

  /** A structure fills its cell: anything left over is an error. */
  expectEnd(what: string): void {
    if (this.bit !== this.bitEnd || this.nextRef !== this.endRef) {
      throw new CellError(
        `${what} should fill its cell, but ${this.remainingBits} bits and ${this.remainingRefs} references are left.`,
      )
    }
  }

  private takeRef(): number {
    const at = this.nextRef
    if (at >= this.endRef) throw new CellError('A reference was expected, but the cell has no more of them.')
    this.nextRef = at + 1
    return this.arena.refs[at]!
  }

  private readSmall(bits: number): number {
    const at = this.bit
    const end = at + bits
    if (end > this.bitEnd) this.failBits(bits)
    if (bits === 0) return 0
    this.bit = end
    const bytes = this.bytes
    let p = this.base + (at >> 3)
    const last = this.base + ((end - 1) >> 3)
    let value = bytes[p]! & (0xff >> (at & 7))
    while (p < last) value = (value << 8) | bytes[++p]!
    return value >>> (-end & 7)
  }

  private failBits(bits: number): never {
    throw new CellError(`${bits} more bits were expected, but the cell has ${this.bitEnd - this.bit} left.`)
  }

  private failTag(tag: number, found: number, bits: number): never {
    const show = (value: number) =>
      bits % 4 === 0 ? `#${value.toString(16).padStart(bits / 4, '0')}` : `$${value.toString(2).padStart(bits, '0')}`
    throw new CellError(`Expected constructor tag ${show(tag)}, but got ${show(found)}.`)
  }
}

const copyShifted = (from: Uint8Array, at: number, shift: number, out: Uint8Array, length: number): void => {
  if (shift === 0) {
    for (let k = 0; k < length; k++) out[k] = from[at + k]!
    return
  }
  const back = 8 - shift
  let carry = from[at]!
  for (let k = 0; k < length; k++) {
    const next = from[at + k + 1]!
    out[k] = (carry << shift) | (next >> back)
    carry = next
  }
}

const openAt = (arena: CellArena, index: number): CellReader => {
  if (arena.loader !== undefined) arena.loader.load(index)
  if (recorder.current !== undefined) recorder.current.add(arena, index)
  const d1 = arena.d1[index]!
  if ((d1 & 8) !== 0) failExotic(arena.exoticType(index))
  return new CellReader(arena, index, 0, arena.bitLength[index]!, 0, d1 & 7)
}

const failExotic = (type: number): never => {
  if (type === PRUNED_BRANCH) throw new PrunedBranchError()
  throw new CellError(`Expected an ordinary cell, but got an exotic one of type ${type}.`)
}

/** Starts reading an ordinary cell. */
export const openCell = ({ arena, index }: Cell): CellReader => openAt(arena, index)

/** Starts reading a cell of any kind as plain bits and references, its type byte included. */
export const openRaw = ({ arena, index }: Cell): CellReader => {
  recorder.current?.add(arena, index)
  return new CellReader(arena, index, 0, arena.bitLength[index]!, 0, arena.d1[index]! & 7)
}

/** Starts reading a slice. */
export const openSlice = (s: CellSlice): CellReader => {
  if (recorder.current !== undefined) recorder.current.add(s.arena, s.index)
  return new CellReader(s.arena, s.index, s.bitStart, s.bitEnd, s.refStart, s.refEnd)
}
