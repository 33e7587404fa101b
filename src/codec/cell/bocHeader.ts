import { BocError } from './errors.ts'

const MAGIC_GENERIC = 0xb5ee9c72
const MAGIC_INDEXED = 0x68ff65f3
const MAGIC_INDEXED_CRC = 0xacc3a728

/** What a caller is ready to take from strangers. */
export type BocLimits = { readonly maxBytes: number; readonly maxCells: number; readonly maxRoots: number }

export const DEFAULT_BOC_LIMITS: BocLimits = { maxBytes: 64 * 1024 * 1024, maxCells: 1 << 22, maxRoots: 4096 }

/** The fixed part of a bag, checked against the limits and the bytes at hand before anything is allocated. */
export type BocHeader = {
  readonly refSize: number
  readonly offsetSize: number
  readonly cells: number
  readonly roots: readonly number[]
  readonly hasCacheBits: boolean
  readonly hasCrc: boolean
  /** Where the index starts, if there is one. */
  readonly indexStart: number | undefined
  readonly cellsStart: number
  readonly cellsSize: number
  /** Length of the whole bag, checksum included. */
  readonly length: number
}

/** Big-endian number of `size` bytes (1 to 8). */
export const readBigEndian = (bytes: Uint8Array, at: number, size: number): number => {
  let value = 0
  for (let k = 0; k < size; k++) value = value * 256 + bytes[at + k]!
  return value
}

/** Reads and checks the header; `bytes` may go on after the bag. */
export const readBocHeader = (bytes: Uint8Array, limits: BocLimits): BocHeader => {
  if (bytes.length > limits.maxBytes) {
    throw new BocError(`A bag of cells may have ${limits.maxBytes} bytes here, this one has ${bytes.length}.`)
  }
  let at = 0
  const take = (size: number, what: string): number => {
    if (at + size > bytes.length) {
      throw new BocError(`The bag of cells ends at byte ${bytes.length}, inside its ${what}.`)
    }
    at += size
    return readBigEndian(bytes, at - size, size)
  }
  const magic = take(4, 'magic number')
  const isGeneric = magic === MAGIC_GENERIC
  if (!isGeneric && magic !== MAGIC_INDEXED && magic !== MAGIC_INDEXED_CRC) {
    throw new BocError(
      `A bag of cells starts with b5ee9c72, 68ff65f3 or acc3a728, ${magic.toString(16).padStart(8, '0')} came.`,
    )
  }
  const flags = take(1, 'flags')
  const refSize = flags & 7
  const hasIndex = isGeneric ? (flags & 0x80) !== 0 : true
  const hasCrc = isGeneric ? (flags & 0x40) !== 0 : magic === MAGIC_INDEXED_CRC
  const hasCacheBits = isGeneric && (flags & 0x20) !== 0
  if ((isGeneric ? flags & 0x18 : flags & 0xf8) !== 0) {
    throw new BocError(`The flag byte of a bag of cells has unknown bits set: ${flags.toString(16).padStart(2, '0')}.`)
  }
  if (hasCacheBits && !hasIndex) throw new BocError('A bag of cells has cache bits but no index to keep them in.')
  if (refSize < 1 || refSize > 4) throw new BocError(`Cell numbers take 1 to 4 bytes, the bag says ${refSize}.`)
  const offsetSize = take(1, 'offset size')
  if (offsetSize < 1 || offsetSize > 8) throw new BocError(`Offsets take 1 to 8 bytes, the bag says ${offsetSize}.`)
  const cells = take(refSize, 'cell count')
  const rootCount = take(refSize, 'root count')
  const absent = take(refSize, 'absent count')
  const cellsSize = take(offsetSize, 'size field')
  if (cells < 1) throw new BocError('A bag of cells holds at least one cell, this one none.')
  if (cells > limits.maxCells) throw new BocError(`A bag may hold ${limits.maxCells} cells here, it says ${cells}.`)
  // There may be more roots than cells: nodes write equal roots as one cell that is listed twice.
  if (rootCount < 1 || rootCount > limits.maxRoots) {
    throw new BocError(`A bag may have 1 to ${limits.maxRoots} roots here, it says ${rootCount}.`)
  }
  if (!isGeneric && rootCount !== 1) throw new BocError(`An indexed bag has one root, this one says ${rootCount}.`)
  if (absent !== 0) throw new BocError(`A bag with ${absent} absent cells is not accepted.`)
  if (cellsSize < cells * (2 + refSize) - refSize || cellsSize > cells * 1024) {
    throw new BocError(`${cells} cells cannot take the ${cellsSize} bytes that the bag says.`)
  }
  const fixed = (isGeneric ? rootCount * refSize : 0) + (hasIndex ? cells * offsetSize : 0)
  const length = at + fixed + cellsSize + (hasCrc ? 4 : 0)
  if (length > bytes.length) {
    throw new BocError(`The bag of cells should have ${length} bytes, but only ${bytes.length} came.`)
  }
  const roots: number[] = []
  if (isGeneric) {
    for (let k = 0; k < rootCount; k++) {
      const root = take(refSize, 'root list')
      if (root >= cells) throw new BocError(`Root ${k} is cell ${root}, but the bag has ${cells}.`)
      roots.push(root)
    }
  } else roots.push(0)
  const indexStart = hasIndex ? at : undefined
  const cellsStart = at + (hasIndex ? cells * offsetSize : 0)
  return { refSize, offsetSize, cells, roots, hasCacheBits, hasCrc, indexStart, cellsStart, cellsSize, length }
}
