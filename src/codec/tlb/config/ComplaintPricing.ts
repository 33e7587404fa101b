import type { CellReader } from '../../cell/CellReader.ts'
import type { CellWriter } from '../../cell/CellWriter.ts'

export type ComplaintPricing = { readonly deposit: bigint; readonly bitPrice: bigint; readonly cellPrice: bigint }

/** complaint_prices#1a deposit:Grams bit_price:Grams cell_price:Grams = ComplaintPricing; (ConfigParam 13) */
export const readComplaintPricing = (r: CellReader): ComplaintPricing => {
  r.expectTag(0x1a, 8)
  return { deposit: r.readCoins(), bitPrice: r.readCoins(), cellPrice: r.readCoins() }
}

export const writeComplaintPricing = (w: CellWriter, { deposit, bitPrice, cellPrice }: ComplaintPricing): void => {
  w.writeUint(0x1a, 8).writeCoins(deposit).writeCoins(bitPrice).writeCoins(cellPrice)
}
