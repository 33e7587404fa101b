import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'
import { CellError } from '../cell/errors.ts'

/** nothing$0 just$1 value:X = Maybe X; */
export const readMaybe = <T>(r: CellReader, read: (r: CellReader) => T): T | undefined =>
  r.readBit() ? read(r) : undefined

export const writeMaybe = <T>(w: CellWriter, write: (w: CellWriter, value: T) => void, value: T | undefined): void => {
  w.writeBit(value !== undefined)
  if (value !== undefined) write(w, value)
}

export const readMaybeCoins = (r: CellReader): bigint | undefined => (r.readBit() ? r.readCoins() : undefined)

export const writeMaybeCoins = (w: CellWriter, value: bigint | undefined): void => {
  w.writeBit(value !== undefined)
  if (value !== undefined) w.writeCoins(value)
}

/** The error for a constructor tag of `bits` bits that is none of the expected ones, which are named as in the schema. */
export const unknownTag = (what: string, expected: string, tag: number, bits: number): CellError => {
  const found =
    bits % 4 === 0 ? `#${tag.toString(16).padStart(bits / 4, '0')}` : `$${tag.toString(2).padStart(bits, '0')}`
  return new CellError(`${what} starts with ${expected}, but got ${found}.`)
}

const expectBytes = (value: bigint, most: number): bigint => {
  if (value >> BigInt(8 * most) !== 0n)
    throw new CellError(`Expected an amount of at most ${most} bytes, but got ${value}.`)
  return value
}

/** `VarUInteger 7`: at most six bytes, although its three bits could say seven. */
export const readVarUint7 = (r: CellReader): bigint => expectBytes(r.readVarUint(3), 6)

export const writeVarUint7 = (w: CellWriter, value: bigint): void => {
  w.writeVarUint(expectBytes(value, 6), 3)
}

/** `VarUInteger 3`: at most two bytes, although its two bits could say three. */
export const readVarUint3 = (r: CellReader): bigint => expectBytes(r.readVarUint(2), 2)

export const writeVarUint3 = (w: CellWriter, value: bigint): void => {
  w.writeVarUint(expectBytes(value, 2), 2)
}
