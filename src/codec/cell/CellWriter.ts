import { Cell, type CellSlice, cellAt } from './Cell.ts'
import { CellArena } from './CellArena.ts'
import { CellError } from './errors.ts'
import { findExoticFault, levelMaskOf, MAX_BITS, MAX_DEPTH, PRUNED_BRANCH } from './exotic.ts'

// New cells go to a slab until it is full, as small Buffers do; a slab lives as long as any of its cells is held.
// A chain of them begins with a small one, as most trees are small, and each next one is twice as large up to a limit.
const FIRST_SLAB_CELLS = 64
const MAX_SLAB_CELLS = 512
const BYTES_PER_CELL = 64
const REFS_PER_CELL = 2

const createSlab = (cells: number): CellArena =>
  new CellArena(new Uint8Array(BYTES_PER_CELL * cells), 0, cells, REFS_PER_CELL * cells)

let slab = createSlab(FIRST_SLAB_CELLS)
let slabBytes = 0
let slabRefs = 0
/** Some cell of the slab refers to a cell of an earlier one. */
let isChained = false

const startSlab = (cells: number): void => {
  slab = createSlab(cells)
  slab.isSlab = true
  slabBytes = 0
  slabRefs = 0
  isChained = false
}

/**
 * Call it before a tree is made that may be larger than a slab. The slabs of such a tree keep each other alive, with all that their cells
 * refer to. If the next tree began in the last of them, all slabs would be one chain, and every block and state that any tree was made from
 * would stay in memory.
 */
export const breakSlabChain = (): void => {
  if (isChained) startSlab(FIRST_SLAB_CELLS)
}

// The bytes of writers come out of larger buffers, too: to take memory for each costs more than to fill it.
const WRITER_BYTES = 128
const ROOM_BYTES = 64 * WRITER_BYTES

let room = new Uint8Array(ROOM_BYTES)
let roomUsed = 0

/** As many zeros as a cell can have bytes. Never written to. */
const takeRoom = (): Uint8Array => {
  if (roomUsed === ROOM_BYTES) {
    room = new Uint8Array(ROOM_BYTES)
    roomUsed = 0
  }
  const taken = room.subarray(roomUsed, roomUsed + WRITER_BYTES)
  roomUsed += WRITER_BYTES
  return taken
}

/** Collects the bits and references of one cell. Whatever does not fit is an error, never cut. */
export class CellWriter {
  private readonly bytes = takeRoom()
  private bit = 0
  private refs: Cell[] = []

  get usedBits(): number {
    return this.bit
  }

  get usedRefs(): number {
    return this.refs.length
  }

  writeBit(value: boolean): this {
    this.reserve(1)
    if (value) this.bytes[this.bit >> 3]! |= 0x80 >> (this.bit & 7)
    this.bit++
    return this
  }

  /** Unsigned, at most 53 bits. */
  writeUint(value: number, bits: number): this {
    if (!Number.isInteger(value) || value < 0 || bits > 53 || value >= 2 ** bits) failRange(value, bits, 'an unsigned')
    this.reserve(bits)
    if (bits <= 24) this.putSmall(value, bits)
    else {
      const high = Math.floor(value / 0x1000000)
      if (bits <= 48) this.putSmall(high, bits - 24)
      else {
        this.putSmall(Math.floor(high / 0x1000000), bits - 48)
        this.putSmall(high % 0x1000000, 24)
      }
      this.putSmall(value % 0x1000000, 24)
    }
    return this
  }

  /** Two's complement, at most 53 bits. */
  writeInt(value: number, bits: number): this {
    const half = 2 ** (bits - 1)
    if (!Number.isInteger(value) || bits > 53 || value < -half || value >= half) failRange(value, bits, 'a signed')
    return this.writeUint(value < 0 ? value + 2 * half : value, bits)
  }

  /** Unsigned, any number of bits. */
  writeUintWide(value: bigint, bits: number): this {
    if (value < 0n || value >> BigInt(bits) !== 0n) failRange(value, bits, 'an unsigned')
    this.reserve(bits)
    let left = bits
    while (left > 48) {
      left -= 48
      this.writeUint(Number((value >> BigInt(left)) & 0xffffffffffffn), 48)
    }
    return this.writeUint(Number(value & ((1n << BigInt(left)) - 1n)), left)
  }

  /** Two's complement, any number of bits. */
  writeIntWide(value: bigint, bits: number): this {
    if (BigInt.asIntN(bits, value) !== value) failRange(value, bits, 'a signed')
    return this.writeUintWide(BigInt.asUintN(bits, value), bits)
  }

  writeUint64(value: bigint): this {
    return this.writeUintWide(value, 64)
  }

  /** `VarUInteger n`: canonical, no leading zero byte. */
  writeVarUint(value: bigint, lengthBits: number): this {
    if (value < 0n) failRange(value, 8 * (2 ** lengthBits - 1), 'an unsigned')
    const length = value === 0n ? 0 : (value.toString(16).length + 1) >> 1
    if (length >= 2 ** lengthBits) failRange(value, 8 * (2 ** lengthBits - 1), 'an unsigned')
    return this.writeUint(length, lengthBits).writeUintWide(value, 8 * length)
  }

  /** `VarInteger n`: the shortest two's complement. */
  writeVarInt(value: bigint, lengthBits: number): this {
    let length = 0
    while (BigInt.asIntN(8 * length, value) !== value) length++
    if (length >= 2 ** lengthBits) failRange(value, 8 * (2 ** lengthBits - 1), 'a signed')
    return this.writeUint(length, lengthBits).writeIntWide(value, 8 * length)
  }

  /** `Grams`, nanograms. */
  writeCoins(value: bigint): this {
    return this.writeVarUint(value, 4)
  }

  writeBytes(value: Uint8Array): this {
    return this.writeBits(value, 8 * value.length)
  }

  /** The first `bits` bits of a left-aligned byte array. */
  writeBits(value: Uint8Array, bits: number): this {
    if (bits > 8 * value.length) {
      throw new CellError(`${bits} bits were to be written from ${value.length} bytes, which hold fewer.`)
    }
    this.putBits(value, 0, 0, bits)
    return this
  }

  writeRef(cell: Cell): this {
    if (this.refs.length === 4) throw new CellError('A cell holds at most 4 references, a fifth was to be written.')
    this.refs.push(cell)
    return this
  }

  /** `Maybe ^Cell`. */
  writeMaybeRef(cell: Cell | undefined): this {
    this.writeBit(cell !== undefined)
    return cell === undefined ? this : this.writeRef(cell)
  }

  /** All bits and references of a slice. */
  writeSlice({ arena, index, bitStart, bitEnd, refStart, refEnd }: CellSlice): this {
    this.putBits(arena.bytes, arena.dataStart[index]!, bitStart, bitEnd - bitStart)
    const base = arena.refStart[index]!
    for (let k = refStart; k < refEnd; k++) this.writeRef(cellAt(arena, arena.refs[base + k]!))
    return this
  }

  /** An ordinary cell of what was written. The writer may be written on and used again. */
  toCell(): Cell {
    return buildCell(this.bytes, this.bit, this.refs, 0)
  }

  /** An exotic cell of what was written, type byte first; its layout is checked. */
  toExoticCell(): Cell {
    return buildCell(this.bytes, this.bit, this.refs, 8)
  }

  private reserve(bits: number): void {
    if (this.bit + bits > MAX_BITS) {
      throw new CellError(`A cell holds at most ${MAX_BITS} bits; ${this.bit} are written and ${bits} more do not fit.`)
    }
  }

  /** At most 24 bits, room already reserved. */
  private putSmall(value: number, bits: number): void {
    const bytes = this.bytes
    let at = this.bit
    let left = bits
    while (left > 0) {
      const free = 8 - (at & 7)
      const take = left < free ? left : free
      left -= take
      bytes[at >> 3]! |= ((value >>> left) & ((1 << take) - 1)) << (free - take)
      at += take
    }
    this.bit = at
  }

  private putBits(from: Uint8Array, base: number, fromBit: number, bits: number): void {
    this.reserve(bits)
    let at = fromBit
    let left = bits
    if ((this.bit & 7) === 0) {
      const shift = at & 7
      const whole = bits >> 3
      let p = base + (at >> 3)
      let to = this.bit >> 3
      if (shift === 0) for (let k = 0; k < whole; k++) this.bytes[to++] = from[p++]!
      else for (let k = 0; k < whole; k++, p++) this.bytes[to++] = (from[p]! << shift) | (from[p + 1]! >> (8 - shift))
      this.bit += 8 * whole
      at += 8 * whole
      left -= 8 * whole
    }
    for (; left >= 8; left -= 8, at += 8) {
      const shift = at & 7
      const p = base + (at >> 3)
      const byte = shift === 0 ? from[p]! : ((from[p]! << shift) | (from[p + 1]! >> (8 - shift))) & 0xff
      this.putSmall(byte, 8)
    }
    for (; left > 0; left--, at++) this.putSmall((from[base + (at >> 3)]! >> (7 - (at & 7))) & 1, 1)
  }
}

/** A cell of the first `bit` bits of `bytes`; exotic ones (8) have their type byte first, and their layout is checked. */
export const buildCell = (bytes: Uint8Array, bit: number, refs: readonly Cell[], exotic: 0 | 8): Cell => {
  const length = (bit + 7) >> 3
  const cells = slab.d1.length
  if (slab.count === cells || slabBytes + length > slab.bytes.length || slabRefs + refs.length > slab.refs.length)
    startSlab(Math.min(MAX_SLAB_CELLS, 2 * cells))
  const arena = slab
  const index = arena.count
  const type = exotic === 8 && bit >= 8 ? bytes[0]! : 0
  let childMasks = 0
  let depth = 0
  for (const child of refs) {
    childMasks |= child.levelMask
    depth = Math.max(depth, 1 + child.arena.fullDepth(child.index))
  }
  if (depth > MAX_DEPTH) throw new CellError(`A cell tree would be ${depth} deep; at most ${MAX_DEPTH} is allowed.`)
  const mask = levelMaskOf(type, bytes[1]! & 7, childMasks)
  if (exotic === 8) {
    const fault = findExoticFault(bytes, 0, bit, refs.length)
    if (fault !== undefined) throw new CellError(`An exotic cell was written wrongly: ${fault}.`)
  }
  arena.d1[index] = refs.length | exotic | (mask << 5)
  arena.bitLength[index] = bit
  arena.dataStart[index] = slabBytes
  for (let k = 0; k < length; k++) arena.bytes[slabBytes + k] = bytes[k]!
  if ((bit & 7) !== 0) {
    // The bytes may go on behind these bits.
    const last = slabBytes + length - 1
    arena.bytes[last] = (arena.bytes[last]! & (0xff00 >> (bit & 7))) | (0x80 >> (bit & 7))
  }
  slabBytes += length
  arena.refStart[index] = slabRefs
  for (const child of refs) arena.refs[slabRefs++] = refInto(arena, child)
  arena.topDepth[index] = type === PRUNED_BRANCH ? 0 : depth
  arena.count = index + 1
  arena.reserveSlots(index)
  return new Cell(arena, index)
}

const refInto = (arena: CellArena, child: Cell): number => {
  if (child.arena === arena) return child.index
  if (arena.foreign.length === 0) arena.foreign = []
  if (child.arena.isSlab) isChained = true
  return ~(arena.foreign.push(child) - 1)
}

const failRange = (value: number | bigint, bits: number, kind: string): never => {
  throw new CellError(`${value} does not fit ${kind} integer of ${bits} bits.`)
}

/** A slice as a cell of its own; a slice that is a whole ordinary cell is that cell. */
export const sliceToCell = (slice: CellSlice): Cell => {
  const { arena, index, bitStart, bitEnd, refStart, refEnd } = slice
  const isWhole =
    bitStart === 0 && refStart === 0 && bitEnd === arena.bitLength[index] && refEnd === (arena.d1[index]! & 7)
  return isWhole && !arena.isExotic(index) ? new Cell(arena, index) : new CellWriter().writeSlice(slice).toCell()
}

/** The cell with no bits and no references. */
export const emptyCell = new CellWriter().toCell()
