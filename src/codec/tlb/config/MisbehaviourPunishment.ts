import type { CellReader } from '../../cell/CellReader.ts'
import type { CellWriter } from '../../cell/CellWriter.ts'

/** How much longer offences of some length are fined, both parts as multiples. */
export type OffenceInterval = {
  readonly interval: number
  readonly flatMultiplier: number
  readonly proportionalMultiplier: number
}

export type MisbehaviourPunishment = {
  readonly defaultFlatFine: bigint
  readonly defaultProportionalFine: number
  readonly severityFlatMultiplier: number
  readonly severityProportionalMultiplier: number
  readonly unpunishableInterval: number
  readonly long: OffenceInterval
  readonly medium: OffenceInterval
}

const readInterval = (r: CellReader): OffenceInterval => ({
  interval: r.readUint(16),
  flatMultiplier: r.readUint(16),
  proportionalMultiplier: r.readUint(16),
})

const writeInterval = (w: CellWriter, { interval, flatMultiplier, proportionalMultiplier }: OffenceInterval): void => {
  w.writeUint(interval, 16).writeUint(flatMultiplier, 16).writeUint(proportionalMultiplier, 16)
}

/**
 * misbehaviour_punishment_config_v1#01 default_flat_fine:Grams default_proportional_fine:uint32
 *   severity_flat_mult:uint16 severity_proportional_mult:uint16 unpunishable_interval:uint16
 *   long_interval:uint16 long_flat_mult:uint16 long_proportional_mult:uint16
 *   medium_interval:uint16 medium_flat_mult:uint16 medium_proportional_mult:uint16 = MisbehaviourPunishmentConfig;
 * (ConfigParam 40)
 */
export const readMisbehaviourPunishment = (r: CellReader): MisbehaviourPunishment => {
  r.expectTag(0x01, 8)
  return {
    defaultFlatFine: r.readCoins(),
    defaultProportionalFine: r.readUint(32),
    severityFlatMultiplier: r.readUint(16),
    severityProportionalMultiplier: r.readUint(16),
    unpunishableInterval: r.readUint(16),
    long: readInterval(r),
    medium: readInterval(r),
  }
}

export const writeMisbehaviourPunishment = (w: CellWriter, punishment: MisbehaviourPunishment): void => {
  w.writeUint(0x01, 8).writeCoins(punishment.defaultFlatFine).writeUint(punishment.defaultProportionalFine, 32)
  w.writeUint(punishment.severityFlatMultiplier, 16).writeUint(punishment.severityProportionalMultiplier, 16)
  w.writeUint(punishment.unpunishableInterval, 16)
  writeInterval(w, punishment.long)
  writeInterval(w, punishment.medium)
}
