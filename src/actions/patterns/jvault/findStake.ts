import type { AccountFacts } from '../../trace/AccountFacts.ts'
import { readLockWallet, readStakeWallet } from '../bodies/jvault.ts'
import { tryRead } from '../bodies/tryRead.ts'

export type Stake = {
  readonly pool: string | undefined
  /** The jetton that is staked. */
  readonly asset: string | undefined
  /** The jetton that stands for the stake. */
  readonly stakingAsset: string | undefined
}

const unknown: Stake = { pool: undefined, asset: undefined, stakingAsset: undefined }

/** What a wallet keeps, by its own data and by those of its pool, which may be of another version by now. */
export const findStake = (wallet: string | undefined, facts: AccountFacts): Stake =>
  tryRead(() => readStake(wallet, facts)) ?? unknown

const readStake = (wallet: string | undefined, facts: AccountFacts): Stake => {
  const { data } = facts.of(wallet)
  if (data === undefined) return unknown
  const { pool, minter } = readStakeWallet(data)
  const poolData = facts.of(pool).data
  if (poolData === undefined) return { pool, asset: undefined, stakingAsset: minter }
  const locked = facts.of(readLockWallet(poolData)).jettonWallet
  return locked === undefined ? unknown : { pool, asset: locked.jetton, stakingAsset: minter }
}
