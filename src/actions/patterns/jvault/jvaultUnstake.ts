import { foldMatch, type Match, type MatchContext, type Matcher } from '../../match/Matcher.ts'
import { expectPresent, MatchRefusedError } from '../../match/MatchRefusedError.ts'
import { call, kindOf } from '../../match/Pattern.ts'
import { blockKind } from '../../tree/Block.ts'
import { messageOf } from '../bodies/body.ts'
import { jvaultOps, readUnstaked } from '../bodies/jvault.ts'
import { findCall, findKind } from '../core/findCall.ts'
import { isCall } from '../core/isCall.ts'
import { tonTransfer } from '../core/tonTransfer.ts'
import { jettonTransfer } from '../jetton/jettonTransfer.ts'
import { describeUnstake, type JvaultUnstakeData } from './describeUnstake.ts'
import { findStake } from './findStake.ts'
import { referrals, updated } from './jvaultPatterns.ts'

/** Jettons that came back from a pool, or did not: the exit code tells why. */
const jvaultUnstake = blockKind<JvaultUnstakeData>({ name: 'jvault_unstake', describe: describeUnstake })

export const matchJvaultUnstake: Matcher = {
  name: 'jvault unstake',
  isAnchor: (block) => isCall(block, jvaultOps.unstake),
  around: {
    next: call(jvaultOps.requestUpdate, {
      optional: true,
      all: [referrals, kindOf(tonTransfer, { optional: true }), kindOf(jettonTransfer), updated],
    }),
  },
  build: (match, context) => foldMatch(match, jvaultUnstake, readUnstake(match, context)),
}

const readUnstake = ({ anchor, others }: Match, { facts }: MatchContext): JvaultUnstakeData => {
  const { source: holder, destination: stakeWallet } = messageOf(anchor)
  const stake = findStake(stakeWallet, facts)
  const pool = expectPresent(stake.pool, 'pool of the stake')
  const asset = expectPresent(stake.asset, 'staked jetton')
  const data = { holder, stakeWallet, pool, amount: readUnstaked(anchor), asset, stakingAsset: stake.stakingAsset }
  const update = findCall(others, jvaultOps.requestUpdate)
  const returned = findKind(others, jettonTransfer)
  if (update === undefined || returned === undefined) return { ...data, exitCode: anchor.node.transaction.exitCode }
  if (returned.data.asset !== asset) throw new MatchRefusedError('What came back is not what was staked.')
  return { ...data, pool: messageOf(update).destination, exitCode: undefined }
}
