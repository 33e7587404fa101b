import type { ExtraCurrencies } from '../codec/tlb/CurrencyCollection.ts'
import type { ExtraAmounts } from '../store/schema/codes.ts'

/** `undefined` where there are none. */
export const toExtraAmounts = (extra: ExtraCurrencies): ExtraAmounts | undefined => {
  if (extra.isEmpty) return undefined
  const amounts: Record<string, string> = {}
  extra.forEach((id, amount) => {
    amounts[id] = amount.toString()
  })
  return amounts
}
