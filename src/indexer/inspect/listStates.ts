import { toHex } from '../../primitives/hex.ts'
import type { DecodedUnit } from '../DecodedUnit.ts'
import type { ResolvedAccount } from '../IndexBatch.ts'
import { type NewestAccount, newestAccountsOf } from '../newestAccounts.ts'

/** The newest state of an account in a batch. */
export type NewestState = Omit<NewestAccount, 'seqno'> & {
  readonly key: string
  readonly resolved: ResolvedAccount | undefined
}

/** The newest state of every account that was touched. Each is looked at once, however often it changed. */
export const listStates = (
  units: readonly DecodedUnit[],
  resolved: readonly ResolvedAccount[],
): ReadonlyMap<string, NewestState> => {
  const newest = newestAccountsOf(units)
  const matched = newest.match(resolved)
  const states = new Map<string, NewestState>()
  for (const [k, { touched, sinceLt }] of newest.list.entries()) {
    const key = toHex(touched.account)
    states.set(key, { key, touched, sinceLt, resolved: matched[k] })
  }
  return states
}
