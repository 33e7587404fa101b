import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'
import {
  addCurrency,
  type CurrencyCollection,
  readCurrencyCollection,
  writeCurrencyCollection,
  ZERO_CURRENCY,
} from './CurrencyCollection.ts'

export type ImportFees = { readonly feesCollected: bigint; readonly valueImported: CurrencyCollection }

export const NO_IMPORT_FEES: ImportFees = { feesCollected: 0n, valueImported: ZERO_CURRENCY }

/** import_fees$_ fees_collected:Grams value_imported:CurrencyCollection = ImportFees; */
export const readImportFees = (r: CellReader): ImportFees => ({
  feesCollected: r.readCoins(),
  valueImported: readCurrencyCollection(r),
})

export const writeImportFees = (w: CellWriter, { feesCollected, valueImported }: ImportFees): void => {
  w.writeCoins(feesCollected)
  writeCurrencyCollection(w, valueImported)
}

export const addImportFees = (a: ImportFees, b: ImportFees): ImportFees => ({
  feesCollected: a.feesCollected + b.feesCollected,
  valueImported: addCurrency(a.valueImported, b.valueImported),
})
