import type { CellReader } from '../../cell/CellReader.ts'
import type { CellWriter } from '../../cell/CellWriter.ts'

export type BurningConfig = {
  /** What comes to this masterchain account is burned. */
  readonly blackholeAddress: Uint8Array | undefined
  /** The share of all fees that is burned, as a fraction. */
  readonly feeBurnNumerator: number
  readonly feeBurnDenominator: number
}

/** burning_config#01 blackhole_addr:(Maybe bits256) fee_burn_num:# fee_burn_denom:# = BurningConfig; (ConfigParam 5) */
export const readBurningConfig = (r: CellReader): BurningConfig => {
  r.expectTag(0x01, 8)
  return {
    blackholeAddress: r.readBit() ? r.readBytes(32) : undefined,
    feeBurnNumerator: r.readUint(32),
    feeBurnDenominator: r.readUint(32),
  }
}

export const writeBurningConfig = (w: CellWriter, config: BurningConfig): void => {
  w.writeUint(0x01, 8).writeBit(config.blackholeAddress !== undefined)
  if (config.blackholeAddress !== undefined) w.writeBytes(config.blackholeAddress)
  w.writeUint(config.feeBurnNumerator, 32).writeUint(config.feeBurnDenominator, 32)
}
