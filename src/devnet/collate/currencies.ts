import {
  type CurrencyCollection,
  type ExtraCurrencies,
  NO_EXTRA_CURRENCIES,
} from '../../codec/tlb/CurrencyCollection.ts'
import { ChainDataError } from '../store/errors.ts'

/** The difference of two amounts, currency by currency; none of them may go below zero. */
export const subtractCurrency = (a: CurrencyCollection, b: CurrencyCollection): CurrencyCollection => {
  if (a.grams < b.grams)
    throw new ChainDataError(`An amount of ${a.grams} is less than the ${b.grams} to be taken of it.`)
  return { grams: a.grams - b.grams, extra: subtractExtra(a.extra, b.extra) }
}

const subtractExtra = (a: ExtraCurrencies, b: ExtraCurrencies): ExtraCurrencies => {
  let left = a
  b.forEach((id, amount) => {
    const rest = (left.find(id) ?? 0n) - amount
    if (rest < 0n) throw new ChainDataError(`There is not as much of currency ${id} as is to be taken.`)
    left = rest === 0n ? left.delete(id) : left.set(id, rest)
  })
  return left
}

export const isZero = ({ grams, extra }: CurrencyCollection): boolean => grams === 0n && extra.isEmpty

/** What of each currency one amount has more than another. */
export const excessOf = (a: CurrencyCollection, b: CurrencyCollection): CurrencyCollection => ({
  grams: a.grams > b.grams ? a.grams - b.grams : 0n,
  extra: excessOfExtra(a.extra, b.extra),
})

export const excessOfExtra = (a: ExtraCurrencies, b: ExtraCurrencies): ExtraCurrencies => {
  let excess = NO_EXTRA_CURRENCIES
  a.forEach((id, amount) => {
    const more = amount - (b.find(id) ?? 0n)
    if (more > 0n) excess = excess.set(id, more)
  })
  return excess
}
