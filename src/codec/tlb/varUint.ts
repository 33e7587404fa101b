import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'
import { CellError } from '../cell/errors.ts'

const expectBytes = (value: bigint, most: number): bigint => {
  if (value >> BigInt(8 * most) !== 0n)
    throw new CellError(`An amount of at most ${most} bytes was expected, ${value} came.`)
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
