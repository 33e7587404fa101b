import { popcount3 } from '../../src/codec/cell/exotic.ts'
import { crc32c } from '../../src/primitives/crc.ts'
import { depthOf, fromBits, hashOf, listCells, maskOf, type ReferenceCell } from './referenceCell.ts'

/** The record of a cell, field by field, so that a test can lie in any of them. */
export type RawCell = {
  readonly d1: number
  readonly d2: number
  /** Hashes and depths between the descriptors and the data, where `d1` says that there are any. */
  readonly stored: Uint8Array
  /** With the completion bit. */
  readonly data: Uint8Array
  readonly refs: readonly number[]
}

export type BagMagic = 'b5ee9c72' | '68ff65f3' | 'acc3a728'

/** A bag of cells, field by field. What is not given is worked out from the rest, truly. */
export type RawBag = {
  readonly magic?: BagMagic
  readonly index?: boolean
  readonly crc?: boolean
  readonly cacheBits?: boolean
  /** The fifth byte as a whole, over what the fields above would give. */
  readonly flags?: number
  readonly refSize?: number
  readonly offsetSize?: number
  readonly cells: readonly RawCell[]
  readonly roots: readonly number[]
  readonly cellCount?: number
  readonly rootCount?: number
  readonly absentCount?: number
  readonly cellsSize?: number
  /** Changes the entries of the index, cache bits included. */
  readonly editIndex?: (entries: number[]) => number[]
  /** Where it is given, the checksum of other bytes than these. */
  readonly wrongCrc?: boolean
  /** Bytes after the end. */
  readonly trailing?: Uint8Array
}

const bigEndian = (value: number, size: number): number[] => {
  const bytes: number[] = []
  for (let k = 0, rest = value; k < size; k++, rest = Math.floor(rest / 256)) bytes.unshift(rest % 256)
  return bytes
}

const bytesFor = (value: number): number => (value < 256 ? 1 : 1 + bytesFor(Math.floor(value / 256)))

/** Writes numbers and bytes one after another. */
class Output {
  private readonly bytes: Uint8Array
  private at = 0

  constructor(length: number) {
    this.bytes = new Uint8Array(length)
  }

  number(value: number, size: number): this {
    let rest = value
    for (let k = size - 1; k >= 0; k--) {
      this.bytes[this.at + k] = rest % 256
      rest = Math.floor(rest / 256)
    }
    this.at += size
    return this
  }

  put(bytes: Uint8Array): this {
    this.bytes.set(bytes, this.at)
    this.at += bytes.length
    return this
  }

  /** The checksum of all that was written so far, least significant byte first. */
  crc(isWrong: boolean): this {
    const crc = crc32c(this.bytes, 0, this.at) ^ (isWrong ? 1 : 0)
    for (let k = 0; k < 4; k++) this.number((crc >>> (8 * k)) & 0xff, 1)
    return this
  }

  done(): Uint8Array {
    return this.bytes.subarray(0, this.at)
  }
}

/** Writes the bag as it is described, lies and all; the checksum is right unless `wrongCrc`. */
export const assembleBag = (bag: RawBag): Uint8Array => {
  const { magic = 'b5ee9c72', cells, roots, trailing = new Uint8Array(0) } = bag
  const isGeneric = magic === 'b5ee9c72'
  const hasIndex = bag.index ?? !isGeneric
  const hasCrc = bag.crc ?? magic === 'acc3a728'
  const refSize = bag.refSize ?? bytesFor(cells.length)
  const ends: number[] = []
  let size = 0
  for (const { stored, data, refs } of cells) {
    size += 2 + stored.length + data.length + refs.length * refSize
    ends.push(size)
  }
  const offsetSize = bag.offsetSize ?? bytesFor(bag.cacheBits === true ? 2 * size : size)
  const flags =
    (isGeneric ? (hasIndex ? 0x80 : 0) | (hasCrc ? 0x40 : 0) | (bag.cacheBits === true ? 0x20 : 0) : 0) | refSize
  const entries = hasIndex ? indexEntries(bag, ends) : []
  const fixed = 6 + 3 * refSize + offsetSize + roots.length * refSize + entries.length * offsetSize
  const out = new Output(fixed + size + 4 + trailing.length)
  out
    .number(Number.parseInt(magic, 16), 4)
    .number(bag.flags ?? flags, 1)
    .number(offsetSize, 1)
  out.number(bag.cellCount ?? cells.length, refSize)
  out.number(bag.rootCount ?? roots.length, refSize)
  out.number(bag.absentCount ?? 0, refSize)
  out.number(bag.cellsSize ?? size, offsetSize)
  if (isGeneric) for (const root of roots) out.number(root, refSize)
  for (const entry of bag.editIndex?.(entries) ?? entries) out.number(entry, offsetSize)
  for (const { d1, d2, stored, data, refs } of cells) {
    out.number(d1, 1).number(d2, 1).put(stored).put(data)
    for (const ref of refs) out.number(ref, refSize)
  }
  if (hasCrc) out.crc(bag.wrongCrc === true)
  return out.put(trailing).done()
}

const indexEntries = ({ cells, roots, cacheBits }: RawBag, ends: readonly number[]): number[] => {
  if (cacheBits !== true) return [...ends]
  const uses = new Map<number, number>()
  const use = (cell: number): void => void uses.set(cell, (uses.get(cell) ?? 0) + 1)
  for (const root of roots) use(root)
  for (const { refs } of cells) for (const ref of refs) use(ref)
  return ends.map((end, i) => 2 * end + ((uses.get(i) ?? 0) > 1 ? 1 : 0))
}

/** Stored hashes and depths as a node writes them. */
const storedHashes = (cell: ReferenceCell): Uint8Array => {
  const levels = [0, 1, 2, 3].filter((level) => level === 3 || (maskOf(cell) & (1 << level)) !== 0)
  return Buffer.concat([
    ...levels.map((level) => Buffer.from(hashOf(cell, level), 'hex')),
    ...levels.map((level) => Uint8Array.from(bigEndian(depthOf(cell, level), 2))),
  ])
}

export const rawCell = (cell: ReferenceCell, refs: readonly number[], withHashes = false): RawCell => {
  const { bits } = cell
  return {
    d1: refs.length | (cell.exotic ? 8 : 0) | (withHashes ? 16 : 0) | (maskOf(cell) << 5),
    d2: (bits.length >> 3) + Math.ceil(bits.length / 8),
    stored: withHashes ? storedHashes(cell) : new Uint8Array(0),
    data: fromBits(bits.length % 8 === 0 ? bits : `${bits}1`),
    refs,
  }
}

/** Cells and roots of a bag that holds these trees, each cell object once. */
export const rawCells = (
  roots: readonly ReferenceCell[],
  withHashes: (cell: ReferenceCell) => boolean = () => false,
): { readonly cells: RawCell[]; readonly roots: number[] } => {
  // Listing from a cell above all roots keeps every cell behind those that refer to it.
  const order = listCells({ bits: '', refs: roots, exotic: false }).slice(1)
  const places = new Map(order.map((cell, place) => [cell, place]))
  const cells = order.map((cell) =>
    rawCell(
      cell,
      cell.refs.map((ref) => places.get(ref)!),
      withHashes(cell),
    ),
  )
  return { cells, roots: roots.map((root) => places.get(root)!) }
}

/** Takes a well-formed bag apart, so that it can be put together again with a change. */
export const parseBag = (bytes: Uint8Array): RawBag => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const magic = buffer.toString('hex', 0, 4) as BagMagic
  const isGeneric = magic === 'b5ee9c72'
  const flags = bytes[4]!
  const refSize = flags & 7
  const offsetSize = bytes[5]!
  let at = 6
  const take = (size: number): number => {
    const value = buffer.readUIntBE(at, Math.min(size, 6))
    at += size
    return value
  }
  const cellCount = take(refSize)
  const rootCount = take(refSize)
  if (Math.max(cellCount, rootCount) > bytes.length) throw new RangeError('There are fewer bytes than cells or roots.')
  take(refSize)
  take(offsetSize)
  const roots = isGeneric ? Array.from({ length: rootCount }, () => take(refSize)) : [0]
  const index = isGeneric ? (flags & 0x80) !== 0 : true
  if (index) at += cellCount * offsetSize
  const cells = Array.from({ length: cellCount }, (): RawCell => {
    const d1 = bytes[at]!
    const d2 = bytes[at + 1]!
    const storedEnd = at + 2 + ((d1 & 16) === 0 ? 0 : 34 * (popcount3(d1 >> 5) + 1))
    const stored = bytes.subarray(at + 2, storedEnd)
    at = storedEnd + (d2 >> 1) + (d2 & 1)
    const data = bytes.subarray(storedEnd, at)
    return { d1, d2, stored, data, refs: Array.from({ length: d1 & 7 }, () => take(refSize)) }
  })
  const crc = isGeneric ? (flags & 0x40) !== 0 : magic === 'acc3a728'
  return { magic, index, crc, cacheBits: isGeneric && (flags & 0x20) !== 0, refSize, offsetSize, cells, roots }
}
