import { blockKind } from '../../tree/Block.ts'

export type LiquidWithdrawalData = {
  readonly holder: string | undefined
  readonly pool: string | undefined
  readonly amount: bigint
  readonly tokensBurnt: bigint
  /** The bill that was given back for it; `undefined` where the pool paid at once. */
  readonly bill: string | undefined
  readonly asset: string | undefined
}

/** A stake that came back. */
export const liquidWithdrawal = blockKind<LiquidWithdrawalData>({
  name: 'tonstakers_withdraw',
  type: 'stake_withdrawal',
  isClosed: true,
  describe: ({ data: { holder, pool, amount, tokensBurnt, bill, asset } }) => ({
    source: holder,
    destination: pool,
    details: {
      provider: 'liquid_staking',
      stake_holder: holder ?? null,
      pool: pool ?? null,
      amount: String(amount),
      payout_nft: bill ?? null,
      tokens_burnt: String(tokensBurnt),
      asset: asset ?? null,
    },
  }),
})
