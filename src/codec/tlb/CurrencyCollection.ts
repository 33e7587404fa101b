import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'
import { Dict, type DictType, readDict, writeDict } from '../cell/Dict.ts'
import { uintKey, type ValueCodec } from '../cell/dictTypes.ts'

/** Amounts by currency id. */
export type ExtraCurrencies = Dict<number, bigint>

export type CurrencyCollection = { readonly grams: bigint; readonly extra: ExtraCurrencies }

/** extra_currencies$_ dict:(HashmapE 32 (VarUInteger 32)) = ExtraCurrencyCollection; */
export const extraCurrenciesType: DictType<number, bigint> = {
  key: uintKey(32),
  value: { read: (r) => r.readVarUint(5), write: (w, amount) => void w.writeVarUint(amount, 5) },
}

/** Nearly every amount has no extra currencies: they all share this one. */
export const NO_EXTRA_CURRENCIES: ExtraCurrencies = new Dict(extraCurrenciesType)

export const ZERO_CURRENCY: CurrencyCollection = { grams: 0n, extra: NO_EXTRA_CURRENCIES }

export const readExtraCurrencies = (r: CellReader): ExtraCurrencies => {
  const dict = readDict(r, extraCurrenciesType)
  return dict.isEmpty ? NO_EXTRA_CURRENCIES : dict
}

/** currencies$_ grams:Grams other:ExtraCurrencyCollection = CurrencyCollection; */
export const readCurrencyCollection = (r: CellReader): CurrencyCollection => ({
  grams: r.readCoins(),
  extra: readExtraCurrencies(r),
})

export const writeCurrencyCollection = (w: CellWriter, { grams, extra }: CurrencyCollection): void => {
  w.writeCoins(grams)
  writeDict(w, extra)
}

export const currencyCollectionCodec: ValueCodec<CurrencyCollection> = {
  read: readCurrencyCollection,
  write: writeCurrencyCollection,
}

/** The sum of two amounts, currency by currency. */
export const addCurrency = (a: CurrencyCollection, b: CurrencyCollection): CurrencyCollection => ({
  grams: a.grams + b.grams,
  extra: addExtra(a.extra, b.extra),
})

const addExtra = (a: ExtraCurrencies, b: ExtraCurrencies): ExtraCurrencies => {
  if (b.isEmpty) return a
  if (a.isEmpty) return b
  let sum = a
  b.forEach((id, amount) => {
    sum = sum.set(id, (sum.find(id) ?? 0n) + amount)
  })
  return sum
}
