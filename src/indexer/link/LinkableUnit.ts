import { type DecodedUnit, MESSAGE_KIND } from '../DecodedUnit.ts'

/** What the assembly needs of a unit. */
export type LinkableUnit = Pick<DecodedUnit, 'seqno' | 'transactions' | 'messages'>

/** Whether a message may have been sent by a transaction. The account that system messages name can send some of its own. */
export const isFromAccount = (kind: number | undefined): boolean =>
  kind === MESSAGE_KIND.internal || kind === MESSAGE_KIND.system
