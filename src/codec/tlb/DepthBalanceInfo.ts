import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'
import { CellError } from '../cell/errors.ts'
import {
  addCurrency,
  type CurrencyCollection,
  readCurrencyCollection,
  writeCurrencyCollection,
  ZERO_CURRENCY,
} from './CurrencyCollection.ts'

export type DepthBalanceInfo = { readonly splitDepth: number; readonly balance: CurrencyCollection }

const MAX_SPLIT_DEPTH = 30

export const NO_DEPTH_BALANCE: DepthBalanceInfo = { splitDepth: 0, balance: ZERO_CURRENCY }

/** depth_balance$_ split_depth:(#<= 30) balance:CurrencyCollection = DepthBalanceInfo; */
export const readDepthBalanceInfo = (r: CellReader): DepthBalanceInfo => ({
  splitDepth: checkDepth(r.readUint(5)),
  balance: readCurrencyCollection(r),
})

export const writeDepthBalanceInfo = (w: CellWriter, { splitDepth, balance }: DepthBalanceInfo): void => {
  w.writeUint(checkDepth(splitDepth), 5)
  writeCurrencyCollection(w, balance)
}

/** What a fork of ShardAccounts says of its two sides. */
export const combineDepthBalance = (left: DepthBalanceInfo, right: DepthBalanceInfo): DepthBalanceInfo => ({
  splitDepth: Math.max(left.splitDepth, right.splitDepth),
  balance: addCurrency(left.balance, right.balance),
})

const checkDepth = (depth: number): number => {
  if (depth > MAX_SPLIT_DEPTH) throw new CellError(`A split depth is at most ${MAX_SPLIT_DEPTH}, ${depth} came.`)
  return depth
}
