import { blockKind } from '../../tree/Block.ts'

/** Paid or not, ids are made with the same name. */
const NAME = 'nominator_pool_withdraw_request'

export type NominatorWithdrawalData = { readonly holder: string; readonly pool: string; readonly amount: bigint }

/** A stake that a nominator pool paid back. */
export const nominatorWithdrawal = blockKind<NominatorWithdrawalData>({
  name: NAME,
  type: 'stake_withdrawal',
  isClosed: true,
  describe: ({ data: { holder, pool, amount } }) => ({
    source: holder,
    destination: pool,
    details: {
      provider: 'nominator',
      stake_holder: holder,
      pool,
      amount: String(amount),
      payout_nft: null,
      tokens_burnt: null,
      asset: null,
    },
  }),
})

export type NominatorWithdrawRequestData = { readonly holder: string; readonly pool: string }

/** A nominator pool was asked to pay back a stake, and will. */
export const nominatorWithdrawRequest = blockKind<NominatorWithdrawRequestData>({
  name: NAME,
  type: 'stake_withdrawal_request',
  isClosed: true,
  describe: ({ data: { holder, pool } }) => ({
    source: holder,
    destination: pool,
    details: {
      provider: 'nominator',
      stake_holder: holder,
      pool,
      payout_nft: null,
      asset: null,
      tokens_burnt: null,
    },
  }),
})
