import type { CellReader } from '../../cell/CellReader.ts'
import type { CellWriter } from '../../cell/CellWriter.ts'

export type StakeLimits = {
  readonly minStake: bigint
  readonly maxStake: bigint
  readonly minTotalStake: bigint
  /** The largest stake that counts, as a multiple of the smallest one elected: 65,536 is one. */
  readonly maxStakeFactor: number
}

/** _ min_stake:Grams max_stake:Grams min_total_stake:Grams max_stake_factor:uint32 = ConfigParam 17; */
export const readStakeLimits = (r: CellReader): StakeLimits => ({
  minStake: r.readCoins(),
  maxStake: r.readCoins(),
  minTotalStake: r.readCoins(),
  maxStakeFactor: r.readUint(32),
})

export const writeStakeLimits = (w: CellWriter, limits: StakeLimits): void => {
  w.writeCoins(limits.minStake).writeCoins(limits.maxStake).writeCoins(limits.minTotalStake)
  w.writeUint(limits.maxStakeFactor, 32)
}
