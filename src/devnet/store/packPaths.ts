import { join } from 'node:path'
import { masterchain } from '../../primitives/BlockId.ts'
import { getI32LE, getU16LE, getU32LE, putU16LE, putU32LE } from '../../primitives/bytes.ts'
import { formatShard, wholeShard } from '../../primitives/shard.ts'

/** Masterchain blocks in a slice, and in a group where no key block begins a new one. */
const SLICE = 100
const GROUP = 20_000

/** The slice of a masterchain block, by the key block that came last (or is the block itself). */
export const sliceOf = (masterSeqno: number, keyBlockSeqno: number): number => {
  const group = Math.max(keyBlockSeqno, Math.floor(masterSeqno / GROUP) * GROUP)
  return group + Math.floor((masterSeqno - group) / SLICE) * SLICE
}

/** Where the packages of a chain lie in its folder. */
export const packagesFolder = (root: string): string => join(root, 'archive', 'packages')

/** The package of a slice, as nodes name it: one for the masterchain, and a twin for each other workchain. */
export const packPath = (root: string, slice: number, workchain: number): string => {
  const folder = `arch${String(Math.floor(slice / 100_000)).padStart(4, '0')}`
  const twin = workchain === masterchain ? '' : `.${workchain}_${formatShard(wholeShard)}`
  return join(packagesFolder(root), folder, `archive.${String(slice).padStart(5, '0')}${twin}.pack`)
}

/** Whether a file, by its name alone, may be one of these packages. */
export const isPackName = (name: string): boolean => /^archive\.[0-9]{5,10}(\.-?[0-9]+_[0-9a-f]{16})?\.pack$/.test(name)

// In memory and in the commit log: fields of fixed positions, little endian, offsets of 48 bits.
export const POSITION_ROW_BYTES = 32

const LOW = 2 ** 32

export const encodePosition = (position: PackPosition): Uint8Array => {
  const row = new Uint8Array(POSITION_ROW_BYTES)
  putU32LE(row, 0, position.slice)
  putU32LE(row, 4, position.workchain)
  putOffset(row, 8, position.offset)
  putU16LE(row, 14, position.headLength)
  putU32LE(row, 16, position.length)
  putOffset(row, 20, position.proofOffset)
  putU32LE(row, 28, position.proofLength)
  return row
}

export const readPosition = (row: Uint8Array, at: number) => ({
  slice: getU32LE(row, at),
  workchain: getI32LE(row, at + 4),
  /** Where the bytes of the block start, behind the head of their entry. */
  offset: getOffset(row, at + 8),
  headLength: getU16LE(row, at + 14),
  length: getU32LE(row, at + 16),
  proofOffset: getOffset(row, at + 20),
  /** 0 where there is no proof. */
  proofLength: getU32LE(row, at + 28),
})

/** Where a block lies: in the package of a slice, its own workchain's; and where the proof of a masterchain block does. */
export type PackPosition = Readonly<ReturnType<typeof readPosition>>

/** Where the entries of a block and its proof end in their package. */
export const endOfPosition = ({ offset, length, proofOffset, proofLength }: PackPosition): number =>
  proofLength === 0 ? offset + length : proofOffset + proofLength

const putOffset = (row: Uint8Array, at: number, offset: number): void => {
  putU32LE(row, at, offset % LOW)
  putU16LE(row, at + 4, Math.floor(offset / LOW))
}

const getOffset = (row: Uint8Array, at: number): number => getU32LE(row, at) + getU16LE(row, at + 4) * LOW
