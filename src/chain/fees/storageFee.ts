import type { StoragePrices } from '../../codec/tlb/config/StoragePrices.ts'
import type { StorageInfo } from '../../codec/tlb/StorageInfo.ts'
import { masterchain } from '../../primitives/BlockId.ts'
import { fromFraction } from './fromFraction.ts'

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
