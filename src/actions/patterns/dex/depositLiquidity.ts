import type { Shown } from '../../rows/ActionFacts.ts'
import { orNull } from '../../rows/format.ts'
import { type BlockKind, blockKind } from '../../tree/Block.ts'

/** Of an asset `undefined` is the native coin. */
export type AssetAmount = { readonly asset: string | undefined; readonly amount: bigint }

export type DepositData = {
  readonly dex: 'stonfi_v2' | 'dedust' | 'tonco' | 'coffee'
  readonly provider: string | undefined
  readonly providerWallet?: string | undefined
  readonly pool: string | undefined
  /** Where the liquidity is said to go. */
  readonly liquidityTo: string | undefined
  /** The contract that keeps what came until all is there. */
  readonly keeper?: string | undefined
  /** What was sent. */
  readonly legs: readonly [AssetAmount | undefined, AssetAmount | undefined]
  /** From which wallets it was sent. */
  readonly wallets: readonly [string | undefined, string | undefined]
  /** `undefined` where this step did not complete it. */
  readonly minted: bigint | undefined
  readonly targets?: readonly [Target, Target]
  /** What was too much and came back. */
  readonly excesses: readonly AssetAmount[]
  /** The position that stands for the liquidity, where there are positions. */
  readonly position?: {
    readonly tickLower: number
    readonly tickUpper: number
    readonly index: bigint | undefined
    readonly item: string | undefined
  }
}

/** What is to be in the end; exchanges may leave open how much. */
export type Target = { readonly asset: string | undefined; readonly amount: bigint | undefined }

/** Assets for a share in a pool. Exchanges differ in the name of the block only. */
export const depositKind = (name: string): BlockKind<DepositData> =>
  blockKind<DepositData>({
    name,
    type: 'dex_deposit_liquidity',
    isClosed: true,
    describe: ({ data }) => ({
      source: data.provider,
      sourceSecondary: data.providerWallet,
      destination: data.pool,
      destinationSecondary: data.keeper,
      details: {
        dex: data.dex,
        amount_1: orNull(data.legs[0]?.amount),
        amount_2: orNull(data.legs[1]?.amount),
        asset_1: data.legs[0]?.asset ?? null,
        asset_2: data.legs[1]?.asset ?? null,
        user_jetton_wallet_1: data.wallets[0] ?? null,
        user_jetton_wallet_2: data.wallets[1] ?? null,
        source: data.provider ?? null,
        pool: data.pool ?? null,
        destination_liquidity: data.liquidityTo ?? null,
        lp_tokens_minted: orNull(data.minted),
        target_asset_1: data.targets?.[0].asset ?? null,
        target_asset_2: data.targets?.[1].asset ?? null,
        target_amount_1: orNull(data.targets?.[0].amount),
        target_amount_2: orNull(data.targets?.[1].amount),
        vault_excesses: data.excesses.map(showExcess),
        tick_lower: orNull(data.position?.tickLower),
        tick_upper: orNull(data.position?.tickUpper),
        nft_index: orNull(data.position?.index),
        nft_address: data.position?.item ?? null,
      },
    }),
  })

const showExcess = ({ asset, amount }: AssetAmount): Shown => ({ asset: asset ?? null, amount: String(amount) })
