import type { CurrencyCollection } from '../../../src/codec/tlb/CurrencyCollection.ts'

/** Amounts by currency, zeros left out; grams stand under {@link GRAMS}. May be negative: it is for sums and differences. */
export type Amount = ReadonlyMap<number, bigint>

const GRAMS = -1

export const NOTHING: Amount = new Map()

export const gramsAmount = (amount: bigint): Amount => (amount === 0n ? NOTHING : new Map([[GRAMS, amount]]))

export const gramsOf = (amount: Amount): bigint => amount.get(GRAMS) ?? 0n

export const amountOf = ({ grams, extra }: CurrencyCollection): Amount => {
  if (extra.isEmpty) return gramsAmount(grams)
  return sumAmounts([gramsAmount(grams), new Map(extra.entries())])
}

export const amountOfMaybe = (collection: CurrencyCollection | undefined): Amount =>
  collection === undefined ? NOTHING : amountOf(collection)

const sumInto = (sums: Map<number, bigint>, amount: Amount, sign: bigint): void => {
  for (const [currency, value] of amount) {
    const sum = (sums.get(currency) ?? 0n) + sign * value
    if (sum === 0n) sums.delete(currency)
    else sums.set(currency, sum)
  }
}

export const sumAmounts = (amounts: Iterable<Amount>): Amount => {
  const sums = new Map<number, bigint>()
  for (const amount of amounts) sumInto(sums, amount, 1n)
  return sums
}

export const subtractAmount = (from: Amount, amount: Amount): Amount => {
  const sums = new Map(from)
  sumInto(sums, amount, -1n)
  return sums
}

export const formatAmount = (amount: Amount): string =>
  amount.size === 0
    ? '0'
    : [...amount]
        .sort(([a], [b]) => a - b)
        .map(([currency, value]) => (currency === GRAMS ? `${value}` : `${value} of currency ${currency}`))
        .join(' and ')

export const sameAmount = (a: Amount, b: Amount): boolean => {
  if (a.size !== b.size) return false
  for (const [currency, value] of a) if (b.get(currency) !== value) return false
  return true
}
