import type { Cell } from '../../codec/cell/Cell.ts'
import { openCell } from '../../codec/cell/CellReader.ts'
import { CellWriter } from '../../codec/cell/CellWriter.ts'
import { Dict } from '../../codec/cell/Dict.ts'
import { configDictType } from '../../codec/tlb/config/configParams.ts'

const SIZE_LIMITS = 43
const KNOWN_FORM = 0x02
/** Its tag and the fields that the emulator knows: ten of 32 bits, two of 16, one of 8. */
const TAG_BITS = 8
const KNOWN_BITS = TAG_BITS + 9 * 32 + 2 * 16 + 8 + 32

/**
 * The configuration as the emulator can read it. It takes size limits of exactly the form that its version knows, and refuses
 * everything where a network has gone on to a later one. What later forms add are limits that it does not have.
 */
export const fitConfig = (config: Cell): Cell => {
  const params = new Dict(configDictType, config)
  const limits = params.find(SIZE_LIMITS)
  if (limits === undefined || limits.bits <= KNOWN_BITS) return config
  const r = openCell(limits)
  if (r.readUint(TAG_BITS) < KNOWN_FORM) return config
  const fitted = new CellWriter()
    .writeUint(KNOWN_FORM, TAG_BITS)
    .writeBits(r.readBits(KNOWN_BITS - TAG_BITS), KNOWN_BITS - TAG_BITS)
  return params.set(SIZE_LIMITS, fitted.toCell()).root as Cell
}
