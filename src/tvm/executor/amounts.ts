import { fromFraction } from '../../chain/fees.ts'
import {
  type CurrencyCollection,
  type ExtraCurrencies,
  NO_EXTRA_CURRENCIES,
} from '../../codec/tlb/CurrencyCollection.ts'
import type { ForwardPrices, GasPrices } from '../../codec/tlb/config/prices.ts'
import { mergeCurrencies } from './dictionaries.ts'

/** Amounts of several currencies, and the fees that are computed from them. */

export const isZero = ({ grams, extra }: CurrencyCollection): boolean => grams === 0n && extra.isEmpty

/** `undefined` where there is not enough of some currency. Those of which nothing is left are gone. */
export const subtractExtra = (from: ExtraCurrencies, amount: ExtraCurrencies): ExtraCurrencies | undefined => {
  if (amount.isEmpty) return from
  let rest = from
  for (const [id, value] of amount.entries()) {
    const left = (rest.find(id) ?? 0n) - value
    if (left < 0n) return undefined
    if (left > 0n) rest = rest.set(id, left)
    else if (value > 0n) rest = rest.delete(id)
  }
  return rest.isEmpty ? NO_EXTRA_CURRENCIES : rest
}

/** The lesser of two amounts, currency by currency. */
export const clampExtra = (amount: ExtraCurrencies, most: ExtraCurrencies): ExtraCurrencies => {
  let clamped = amount
  amount.forEach((id, value) => {
    const limit = most.find(id) ?? 0n
    if (value > limit) clamped = limit === 0n ? clamped.delete(id) : clamped.set(id, limit)
  })
  return clamped.isEmpty ? NO_EXTRA_CURRENCIES : clamped
}

/** The sum of two amounts, currency by currency. */
export const addCurrency = (a: CurrencyCollection, b: CurrencyCollection): CurrencyCollection => ({
  grams: a.grams + b.grams,
  extra: addExtra(a.extra, b.extra),
})

export const addExtra = (a: ExtraCurrencies, b: ExtraCurrencies): ExtraCurrencies => {
  if (b.isEmpty) return a
  return a.isEmpty ? b : mergeCurrencies(a, b)
}

export const withoutZeros = (extra: ExtraCurrencies): ExtraCurrencies => {
  let kept = extra
  extra.forEach((id, value) => {
    if (value === 0n) kept = kept.delete(id)
  })
  return kept.isEmpty ? NO_EXTRA_CURRENCIES : kept
}

export const gasFee = (prices: GasPrices, used: bigint): bigint => {
  const { limit, price } = prices.flat ?? { limit: 0n, price: 0n }
  return used <= limit ? price : price + fromFraction(prices.gasPrice * (used - limit))
}

/** How much gas an amount buys. */
export const gasBoughtFor = (prices: GasPrices, gasLimit: bigint, amount: bigint): bigint => {
  const flat = prices.flat ?? { limit: 0n, price: 0n }
  if (amount < flat.price) return 0n
  const threshold =
    gasLimit > flat.limit ? flat.price + fromFraction(prices.gasPrice * (gasLimit - flat.limit)) : flat.price
  if (amount >= threshold) return gasLimit
  return ((amount - flat.price) << 16n) / prices.gasPrice + flat.limit
}

/** The part of a forwarding fee that the sender's block gets. */
export const firstPart = ({ firstFraction }: ForwardPrices, fee: bigint): bigint => (fee * BigInt(firstFraction)) >> 16n
