import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'

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
