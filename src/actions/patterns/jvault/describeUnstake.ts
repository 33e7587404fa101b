import type { ActionFacts } from '../../rows/ActionFacts.ts'
import type { Block } from '../../tree/Block.ts'

export type JvaultUnstakeData = {
  readonly holder: string | undefined
  readonly stakeWallet: string | undefined
  readonly pool: string | undefined
  readonly amount: bigint
  /** Of a command that went no further. */
  readonly exitCode: number | undefined
  readonly asset: string | undefined
  readonly stakingAsset: string | undefined
}

/** Taking a stake back, and asking for it, tell the same. */
export const describeUnstake = ({ data }: Block<JvaultUnstakeData>): ActionFacts => ({
  source: data.holder,
  sourceSecondary: data.stakeWallet,
  destination: data.pool,
  details: {
    source: data.holder ?? null,
    stake_wallet: data.stakeWallet ?? null,
    pool: data.pool ?? null,
    amount: String(data.amount),
    exit_code: data.exitCode ?? null,
    asset: data.asset ?? null,
    staking_asset: data.stakingAsset ?? null,
  },
})
