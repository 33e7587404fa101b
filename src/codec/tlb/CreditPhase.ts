import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'
import { type CurrencyCollection, readCurrencyCollection, writeCurrencyCollection } from './CurrencyCollection.ts'
import { readMaybeCoins, writeMaybeCoins } from './maybe.ts'

export type CreditPhase = { readonly dueFeesCollected: bigint | undefined; readonly credit: CurrencyCollection }

/** tr_phase_credit$_ due_fees_collected:(Maybe Grams) credit:CurrencyCollection = TrCreditPhase; */
export const readCreditPhase = (r: CellReader): CreditPhase => ({
  dueFeesCollected: readMaybeCoins(r),
  credit: readCurrencyCollection(r),
})

export const writeCreditPhase = (w: CellWriter, { dueFeesCollected, credit }: CreditPhase): void => {
  writeMaybeCoins(w, dueFeesCollected)
  writeCurrencyCollection(w, credit)
}
