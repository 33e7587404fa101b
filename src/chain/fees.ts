import type { Cell } from '../codec/cell/Cell.ts'
import { orderCells } from '../codec/cell/encodeBoc.ts'
import type { StorageInfo, StorageUsed } from '../codec/tlb/Account.ts'
import type { ForwardPrices, GasPrices, StoragePrices } from '../codec/tlb/config/prices.ts'
import { masterchain } from '../primitives/BlockId.ts'

/** An amount in 1/65,536 as whole nanograms, begun ones in full. */
export const fromFraction = (amount: bigint): bigint => (amount + 0xffffn) >> 16n

/** What it costs to bring a message of this size in or on its way. */
export const forwardFee = (
  { lumpPrice, bitPrice, cellPrice }: Pick<ForwardPrices, 'lumpPrice' | 'bitPrice' | 'cellPrice'>,
  { cells, bits }: StorageUsed,
): bigint => lumpPrice + fromFraction(bitPrice * bits + cellPrice * cells)

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

/** What of a message is paid for by its size: all of its cells, each content once, but the root. */
export const measureMessage = (root: Cell): StorageUsed => {
  const { cells } = orderCells([root])
  const bits = cells.reduce((sum, cell) => sum + cell.bits, 0) - root.bits
  return { cells: BigInt(cells.length - 1), bits: BigInt(bits) }
}

/** What an account that pays for its storage owes at a time. `prices` are those of all periods, in the order of time. */
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
