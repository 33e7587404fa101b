import type { DecodedUnit } from '../DecodedUnit.ts'

/** What the assembly needs of a unit. */
export type LinkableUnit = Pick<DecodedUnit, 'seqno' | 'transactions' | 'messages'>
