import type { ForwardPrices } from '../../codec/tlb/config/ForwardPrices.ts'
import type { StorageUsed } from '../../codec/tlb/StorageUsed.ts'
import { fromFraction } from './fromFraction.ts'

/** What it costs to bring a message of this size in or on its way. */
export const forwardFee = (
  { lumpPrice, bitPrice, cellPrice }: Pick<ForwardPrices, 'lumpPrice' | 'bitPrice' | 'cellPrice'>,
  { cells, bits }: StorageUsed,
): bigint => lumpPrice + fromFraction(bitPrice * bits + cellPrice * cells)
