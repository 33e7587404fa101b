import { foldMatch, type Matcher } from '../../match/Matcher.ts'
import { call, kindOf } from '../../match/Pattern.ts'
import { blockKind } from '../../tree/Block.ts'
import { messageOf } from '../bodies/body.ts'
import { jvaultOps, readClaimed } from '../bodies/jvault.ts'
import { getCall, getKind } from '../core/findCall.ts'
import { isCall } from '../core/isCall.ts'
import { jettonTransfer } from '../jetton/jettonTransfer.ts'
import { updated } from './jvaultPatterns.ts'

export type JvaultClaimData = {
  readonly holder: string | undefined
  readonly stakeWallet: string | undefined
  readonly pool: string | undefined
  /** Wallets of the pool. */
  readonly claimed: readonly string[]
  readonly amount: bigint
}

/** Rewards for a stake. */
const jvaultClaim = blockKind<JvaultClaimData>({
  name: 'jvault_claim',
  describe: ({ data: { holder, stakeWallet, pool, claimed, amount } }) => ({
    source: holder,
    sourceSecondary: stakeWallet,
    destination: pool,
    details: {
      // One amount is known; whose it is, is known of a single one only.
      claimed_rewards: claimed.length === 1 ? claimed.map((jetton) => ({ jetton, amount: String(amount) })) : [],
      source: holder ?? null,
      stake_wallet: stakeWallet ?? null,
      pool: pool ?? null,
    },
  }),
})

export const matchJvaultClaim: Matcher = {
  name: 'jvault claim',
  isAnchor: (block) => isCall(block, jvaultOps.claim),
  around: { next: call(jvaultOps.sendClaimed, { all: [kindOf(jettonTransfer), updated] }) },
  build: (match) => {
    const { anchor, others } = match
    const { source: holder, destination: stakeWallet } = messageOf(anchor)
    const data = {
      holder,
      stakeWallet,
      pool: messageOf(getCall(others, jvaultOps.sendClaimed)).destination,
      claimed: readClaimed(anchor),
      amount: getKind(others, jettonTransfer).data.amount,
    }
    foldMatch(match, jvaultClaim, data)
  },
}
