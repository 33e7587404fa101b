import { orNull } from '../../rows/format.ts'
import { type BlockKind, blockKind } from '../../tree/Block.ts'

/** What came out of a pool. Of an asset `undefined` is the native coin. */
export type WithdrawnLeg = {
  readonly asset: string | undefined
  readonly amount: bigint
  readonly wallet: string | undefined
}

export type WithdrawalData = {
  readonly dex: 'stonfi_v2' | 'dedust' | 'tonco' | 'coffee'
  readonly provider: string | undefined
  readonly providerWallet?: string | undefined
  readonly pool: string | undefined
  readonly burnt: bigint | undefined
  readonly legs: readonly [WithdrawnLeg | undefined, WithdrawnLeg | undefined]
  /** The position that was given back, where there are positions. */
  readonly position?: {
    readonly tickLower: number
    readonly tickUpper: number
    readonly index: bigint
    readonly item: string | undefined
  }
}

const withdrawalKind = (name: string): BlockKind<WithdrawalData> =>
  blockKind<WithdrawalData>({
    name,
    type: 'dex_withdraw_liquidity',
    isClosed: true,
    describe: ({ data }) => ({
      source: data.provider,
      sourceSecondary: data.providerWallet,
      destination: data.pool,
      details: {
        dex: data.dex,
        amount_1: orNull(data.legs[0]?.amount),
        amount_2: orNull(data.legs[1]?.amount),
        asset_1: data.legs[0]?.asset ?? null,
        asset_2: data.legs[1]?.asset ?? null,
        user_jetton_wallet_1: data.legs[0]?.wallet ?? null,
        user_jetton_wallet_2: data.legs[1]?.wallet ?? null,
        lp_tokens_burnt: orNull(data.burnt),
        is_refund: null,
        source: data.provider ?? null,
        pool: data.pool ?? null,
        destination_liquidity: data.pool ?? null,
        burnt_nft_index: orNull(data.position?.index),
        burnt_nft_address: data.position?.item ?? null,
        tick_lower: orNull(data.position?.tickLower),
        tick_upper: orNull(data.position?.tickUpper),
      },
    }),
  })

/** A share in a pool for assets. */
export const dexWithdrawal = withdrawalKind('dex_withdraw_liquidity')

/** The same for a position of an exchange that keeps them as items. */
export const toncoWithdrawal = withdrawalKind('tonco_withdraw_liquidity')
