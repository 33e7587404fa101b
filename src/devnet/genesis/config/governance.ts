import type { VotingSetup } from '../../../codec/tlb/config/governance.ts'
import type { ComplaintPricing } from '../../../codec/tlb/config/prices.ts'
import type { ElectionTimes, StakeLimits, ValidatorCounts } from '../../../codec/tlb/config/validators.ts'

// Elections and votes as on the main network as of August 2026. Here nobody is elected and nobody votes, but code may ask.

export const mandatoryParams = [0, 1, 9, 10, 12, 14, 15, 16, 17, 18, 20, 21, 22, 23, 24, 25, 28, 34]

export const criticalParams = [0, 1, 9, 10, 12, 14, 15, 16, 17, 32, 34, 36, -1001, -1000]

export const votingSetup: VotingSetup = {
  normal: {
    minTotalRounds: 2,
    maxTotalRounds: 6,
    minWins: 2,
    maxLosses: 5,
    minStoreSeconds: 1_000_000,
    maxStoreSeconds: 10_000_000,
    bitPrice: 1,
    cellPrice: 500,
  },
  critical: {
    minTotalRounds: 4,
    maxTotalRounds: 7,
    minWins: 3,
    maxLosses: 5,
    minStoreSeconds: 5_000_000,
    maxStoreSeconds: 20_000_000,
    bitPrice: 2,
    cellPrice: 1_000,
  },
}

export const complaintPricing: ComplaintPricing = { deposit: 1_000_000_000n, bitPrice: 1n, cellPrice: 500n }

export const electionTimes: ElectionTimes = {
  validatorsElectedFor: 65_536,
  electionsStartBefore: 32_768,
  electionsEndBefore: 8_192,
  stakeHeldFor: 32_768,
}

/** The least number is ours: there is one validator. */
export const validatorCounts: ValidatorCounts = { maxValidators: 400, maxMainValidators: 100, minValidators: 1 }

export const stakeLimits: StakeLimits = {
  minStake: 300_000_000_000_000n,
  maxStake: 10_000_000_000_000_000n,
  minTotalStake: 75_000_000_000_000_000n,
  maxStakeFactor: 294_912,
}
