import type { GasPrices } from '../../codec/tlb/config/GasPrices.ts'
import { fromFraction } from './fromFraction.ts'

const noFlat = { limit: 0n, price: 0n }

/** What gas costs: the first of it at a flat price, which is due even where none is used. */
export const gasFee = ({ flat = noFlat, gasPrice }: GasPrices, used: bigint): bigint =>
  used <= flat.limit ? flat.price : fromFraction(gasPrice * (used - flat.limit)) + flat.price

/** How much gas a balance buys, at most the limit of a transaction; below the flat price none. */
export const gasBought = (prices: GasPrices, grams: bigint): bigint => {
  const { flat = noFlat, gasPrice, gasLimit } = prices
  if (grams >= gasFee(prices, gasLimit)) return gasLimit
  return grams < flat.price ? 0n : ((grams - flat.price) << 16n) / gasPrice + flat.limit
}
