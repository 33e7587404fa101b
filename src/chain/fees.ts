import type { Cell } from '../codec/cell/Cell.ts'
import { orderCells } from '../codec/cell/encodeBoc.ts'
import type { StorageInfo, StorageUsed } from '../codec/tlb/Account.ts'
import type { ForwardPrices, GasPrices, StoragePrices } from '../codec/tlb/config/prices.ts'
import { masterchain } from '../primitives/BlockId.ts'

/** An amount in 1/65,536 as whole nanograms, begun ones in full. */
export const fromFraction = (amount: bigint): bigint => (amount + 0xffffn) >> 16n

/** The fee for importing or forwarding a message of this size. */
export const forwardFee = (
  { lumpPrice, bitPrice, cellPrice }: Pick<ForwardPrices, 'lumpPrice' | 'bitPrice' | 'cellPrice'>,
  { cells, bits }: StorageUsed,
): bigint => lumpPrice + fromFraction(bitPrice * bits + cellPrice * cells)

const noFlat = { limit: 0n, price: 0n }

/** The price of gas: a flat price for the first part, due even where none is used. */
export const gasFee = ({ flat = noFlat, gasPrice }: GasPrices, used: bigint): bigint =>
  used <= flat.limit ? flat.price : fromFraction(gasPrice * (used - flat.limit)) + flat.price

/** The gas that a balance buys, up to the limit of a transaction; none below the flat price. */
export const gasBought = (prices: GasPrices, grams: bigint): bigint => {
  const { flat = noFlat, gasPrice, gasLimit } = prices
  if (grams >= gasFee(prices, gasLimit)) return gasLimit
  return grams < flat.price ? 0n : ((grams - flat.price) << 16n) / gasPrice + flat.limit
}

/** The size of a message for its fee: all distinct cells except the root. */
export const measureMessage = (root: Cell): StorageUsed => {
  const { cells } = orderCells([root])
  const bits = cells.reduce((sum, cell) => sum + cell.bits, 0) - root.bits
  return { cells: BigInt(cells.length - 1), bits: BigInt(bits) }
}

/** The storage fee that an account owes at a time. `prices` lists all periods in the order of time. */
export const storageFee = (
  prices: readonly StoragePrices[],
  { used, lastPaid, duePayment = 0n }: StorageInfo,
  workchain: number,
  now: number,
): bigint => {
  if (lastPaid === 0) return duePayment
  const cost = prices.reduce((sum, price, period) => {
    const from = Math.max(lastPaid, price.utimeSince)
    const until = Math.min(now, prices[period + 1]?.utimeSince ?? now)
    return from < until ? sum + BigInt(until - from) * costPerSecond(price, used, workchain) : sum
  }, 0n)
  return duePayment + fromFraction(cost)
}

const costPerSecond = (price: StoragePrices, { cells, bits }: StorageInfo['used'], workchain: number): bigint =>
  workchain === masterchain
    ? price.masterchainCellPrice * cells + price.masterchainBitPrice * bits
    : price.cellPrice * cells + price.bitPrice * bits
