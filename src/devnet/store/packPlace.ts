import { getI32LE, getU16LE, getU32LE, putU16LE, putU32LE } from '../../primitives/bytes.ts'

/** Where a block lies: in the package of a slice, its own workchain's; and where the proof of a masterchain block does. */
export type PackPlace = {
  readonly slice: number
  readonly workchain: number
  /** Where the bytes of the block start, behind the head of their entry. */
  readonly offset: number
  readonly headLength: number
  readonly length: number
  readonly proofOffset: number
  /** 0 where there is no proof. */
  readonly proofLength: number
}

// In memory and in the commit log: fields of fixed places, little endian, offsets of 48 bits.
export const PLACE_ROW_BYTES = 32

const LOW = 2 ** 32

export const encodePlace = (place: PackPlace): Uint8Array => {
  const row = new Uint8Array(PLACE_ROW_BYTES)
  putU32LE(row, 0, place.slice)
  putU32LE(row, 4, place.workchain)
  putOffset(row, 8, place.offset)
  putU16LE(row, 14, place.headLength)
  putU32LE(row, 16, place.length)
  putOffset(row, 20, place.proofOffset)
  putU32LE(row, 28, place.proofLength)
  return row
}

export const readPlace = (row: Uint8Array, at: number): PackPlace => ({
  slice: getU32LE(row, at),
  workchain: getI32LE(row, at + 4),
  offset: getOffset(row, at + 8),
  headLength: getU16LE(row, at + 14),
  length: getU32LE(row, at + 16),
  proofOffset: getOffset(row, at + 20),
  proofLength: getU32LE(row, at + 28),
})

/** Where the entries of a block and its proof end in their package. */
export const endOfPlace = ({ offset, length, proofOffset, proofLength }: PackPlace): number =>
  proofLength === 0 ? offset + length : proofOffset + proofLength

const putOffset = (row: Uint8Array, at: number, offset: number): void => {
  putU32LE(row, at, offset % LOW)
  putU16LE(row, at + 4, Math.floor(offset / LOW))
}

const getOffset = (row: Uint8Array, at: number): number => getU32LE(row, at) + getU16LE(row, at + 4) * LOW
