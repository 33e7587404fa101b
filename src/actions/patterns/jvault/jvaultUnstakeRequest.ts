import { foldMatch, type Matcher } from '../../match/Matcher.ts'
import { expectPresent } from '../../match/MatchRefusedError.ts'
import { call } from '../../match/Pattern.ts'
import { blockKind } from '../../tree/Block.ts'
import { messageOf } from '../bodies/body.ts'
import { jvaultOps, readUnstaked } from '../bodies/jvault.ts'
import { findCall } from '../core/findCall.ts'
import { isCall } from '../core/isCall.ts'
import { describeUnstake, type JvaultUnstakeData } from './describeUnstake.ts'
import { findStake } from './findStake.ts'
import { referrals, updated } from './jvaultPatterns.ts'

/** A pool was asked to let jettons go. */
const jvaultUnstakeRequest = blockKind<JvaultUnstakeData>({
  name: 'jvault_unstake_request',
  describe: describeUnstake,
})

export const matchJvaultUnstakeRequest: Matcher = {
  name: 'jvault unstake request',
  isAnchor: (block) => isCall(block, jvaultOps.unstakeRequest),
  around: { next: call(jvaultOps.requestUpdate, { optional: true, all: [referrals, updated] }) },
  build: (match, { facts }) => {
    const { anchor, others } = match
    const { source: holder, destination: stakeWallet } = messageOf(anchor)
    const stake = findStake(stakeWallet, facts)
    const data = { holder, stakeWallet, amount: readUnstaked(anchor), ...stake }
    const update = findCall(others, jvaultOps.requestUpdate)
    if (update === undefined) {
      expectPresent(stake.asset, 'staked jetton')
      const { exitCode } = anchor.node.transaction
      foldMatch(match, jvaultUnstakeRequest, { ...data, exitCode }, { failed: true })
    } else {
      const pool = messageOf(update).destination
      const failed = anchor.failed || update.failed
      foldMatch(match, jvaultUnstakeRequest, { ...data, pool, exitCode: undefined }, { failed })
    }
  },
}
