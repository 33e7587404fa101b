import { call, type Pattern } from '../../match/Pattern.ts'
import type { Block } from '../../tree/Block.ts'
import { jvaultOps } from '../bodies/jvault.ts'
import { isCall } from '../core/isCall.ts'

const step = call([jvaultOps.requestReferrer, jvaultOps.updateReferrer])

/** What those who brought the holder get: from one wallet to the next, as far as it went. No recursion: a chain may be long. */
export const referrals: Pattern = {
  optional: true,
  take: (block) => {
    if (!isCall(block, jvaultOps.requestReferrer)) return undefined
    const taken: Block[] = []
    for (let at: Block | undefined = block; at !== undefined; at = at.next.find((next) => step.take(next))) {
      taken.push(...(step.take(at) ?? []))
    }
    return taken.length > 0 ? taken : undefined
  },
}

/** The pool tells a wallet where its stake stands now, which ends every command. */
export const updated = call(jvaultOps.update)
