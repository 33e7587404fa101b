import { type Static, Type } from 'typebox'
import type { ExtraCurrencies } from '../../../codec/tlb/CurrencyCollection.ts'
import { typeName } from './scalars.ts'

export const ExtraCurrencyView = Type.Object(
  { '@type': typeName('extraCurrency'), id: Type.Integer(), amount: Type.String({ examples: ['1000'] }) },
  { $id: 'ExtraCurrency', description: 'An amount of another currency.' },
)

/** The amounts of other currencies, by their number. */
export const toExtraCurrencyViews = (currencies: ExtraCurrencies): Static<typeof ExtraCurrencyView>[] => {
  const views: Static<typeof ExtraCurrencyView>[] = []
  // Their numbers are signed in this interface.
  currencies.forEach((id, amount) => {
    views.push({ '@type': 'extraCurrency', id: id | 0, amount: amount.toString() })
  })
  return views
}
