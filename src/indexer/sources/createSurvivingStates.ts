import type { AccountResolver, ChainStates } from '../ports.ts'
import { hasContent, listTouched, readContent, unknownContent, withoutContent } from './touchedContent.ts'

/**
 * States after the newest block that is covered, in place of older ones that nobody keeps any more: whoever has not changed since
 * is the same in them.
 */
export const createSurvivingStates = (states: ChainStates, findNewest: () => number): ChainStates => ({
  openAt: (_seqno, signal) => states.openAt(findNewest(), signal),
  forget: () => states.forget(),
})

/** Finds accounts that are still as they were. Of those that have changed, the newer states are known already, or will be. */
export const createSurvivorResolver = (states: ChainStates): AccountResolver => ({
  resolve: async (units, signal) => {
    const last = units.at(-1)
    if (last === undefined) return []
    const view = await states.openAt(last.seqno, signal)
    return Promise.all(
      listTouched(units).map(async (touched) => {
        if (!hasContent(touched)) return withoutContent(touched)
        const found = await view.findAccount({ workchain: touched.workchain, hash: touched.account.subarray(1) })
        return found?.hasHash(touched.stateHash) === true ? readContent(touched, found) : unknownContent(touched)
      }),
    )
  },
})
