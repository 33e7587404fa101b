import { Type } from 'typebox'
import type { ExtraAmounts } from '../../../store/schema/codes.ts'
import { DecimalText } from './scalars.ts'

/** Amounts by the numbers of their currencies. */
export const ExtraCurrenciesView = Type.Record(Type.String(), DecimalText, {
  description: 'Amounts of other currencies than that of the network, by their numbers.',
  $id: 'ExtraCurrencies',
})

/** `undefined` where there are some, and it is not known how many. */
export const toKnownExtra = (amounts: ExtraAmounts | undefined): Record<string, string> | undefined =>
  amounts === undefined ? {} : amounts === 'unknown' ? undefined : { ...amounts }
