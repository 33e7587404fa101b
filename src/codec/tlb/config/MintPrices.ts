import type { CellReader } from '../../cell/CellReader.ts'
import type { CellWriter } from '../../cell/CellWriter.ts'

/** What it costs to have an extra currency minted, for the first time and again. */
export type MintPrices = { readonly newPrice: bigint; readonly addPrice: bigint }

/** _ mint_new_price:Grams mint_add_price:Grams = ConfigParam 6; */
export const readMintPrices = (r: CellReader): MintPrices => ({ newPrice: r.readCoins(), addPrice: r.readCoins() })

export const writeMintPrices = (w: CellWriter, { newPrice, addPrice }: MintPrices): void => {
  w.writeCoins(newPrice).writeCoins(addPrice)
}
