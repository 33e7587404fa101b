import { bytesEqual } from '../../primitives/bytes.ts'
import { toHex } from '../../primitives/hex.ts'
import type { DecodedUnit, TouchedAccount } from '../DecodedUnit.ts'
import type { ResolvedAccount } from '../IndexBatch.ts'

/** The newest state of an account in a batch. */
export type NewestState = {
  readonly key: string
  readonly touched: TouchedAccount
  /** Of the earliest state in the batch since which the code has been the same. */
  readonly sinceLt: bigint
  readonly resolved: ResolvedAccount | undefined
}

/** The newest state of every account that was touched. Each is looked at once, however often it changed. */
export const listStates = (
  units: readonly DecodedUnit[],
  resolved: readonly ResolvedAccount[],
): ReadonlyMap<string, NewestState> => {
  const resolvedByKey = new Map(resolved.map((account) => [toHex(account.account), account]))
  const states = new Map<string, NewestState>()
  for (const { accounts } of units) {
    for (const touched of accounts) {
      const key = toHex(touched.account)
      const before = states.get(key)
      const found = resolvedByKey.get(key)
      states.set(key, {
        key,
        touched,
        sinceLt: before !== undefined && hasSameCode(before.touched, touched) ? before.sinceLt : touched.lastLt,
        resolved: found?.lastLt === touched.lastLt ? found : undefined,
      })
    }
  }
  return states
}

const hasSameCode = (a: TouchedAccount, b: TouchedAccount): boolean =>
  a.codeHash !== undefined && b.codeHash !== undefined && bytesEqual(a.codeHash, b.codeHash)
