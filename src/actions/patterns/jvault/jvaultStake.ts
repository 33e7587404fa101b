import { foldMatch, type Matcher } from '../../match/Matcher.ts'
import { expectPresent } from '../../match/MatchRefusedError.ts'
import { call, kindOf, oneOf } from '../../match/Pattern.ts'
import { blockKind } from '../../tree/Block.ts'
import { messageOf } from '../bodies/body.ts'
import { jvaultOps, readPeriod } from '../bodies/jvault.ts'
import { findCall, getCall, getKind } from '../core/findCall.ts'
import { jettonTransfer } from '../jetton/jettonTransfer.ts'
import { referrals, updated } from './jvaultPatterns.ts'

export type JvaultStakeData = {
  readonly holder: string | undefined
  readonly holderWallet: string | undefined
  readonly stakeWallet: string | undefined
  readonly pool: string | undefined
  readonly asset: string | undefined
  readonly amount: bigint
  readonly period: number
}

/** Jettons that were locked in a pool. */
const jvaultStake = blockKind<JvaultStakeData>({
  name: 'jvault_stake',
  describe: ({ data: { holder, holderWallet, stakeWallet, pool, asset, amount, period } }) => ({
    source: holder,
    sourceSecondary: holderWallet,
    destination: pool,
    details: {
      period,
      minted_stake_jettons: null,
      stake_wallet: stakeWallet ?? null,
      source: holder ?? null,
      source_jetton_wallet: holderWallet ?? null,
      asset: asset ?? null,
      pool: pool ?? null,
      amount: String(amount),
    },
  }),
})

const accepted = call(jvaultOps.requestUpdate, { all: [referrals, updated] })
const cancelled = call(jvaultOps.cancel, { next: kindOf(jettonTransfer, { optional: true }) })

export const matchJvaultStake: Matcher = {
  name: 'jvault stake',
  isAnchor: (block) => block.is(jettonTransfer),
  around: {
    all: [call(jvaultOps.receive, { next: oneOf([accepted, cancelled]) }), call(jvaultOps.setData, { optional: true })],
  },
  build: (match) => {
    const { anchor, others } = match
    const { sender, senderWallet, asset, amount, forward } = getKind([anchor], jettonTransfer).data
    const received = getCall(others, jvaultOps.receive)
    const { source: pool, destination: stakeWallet } = messageOf(received)
    const data = {
      holder: sender,
      holderWallet: senderWallet,
      stakeWallet,
      pool,
      asset,
      amount,
      period: readPeriod(expectPresent(forward, 'payload with a period').cell),
    }
    const isCancelled = findCall(others, jvaultOps.cancel) !== undefined
    const update = findCall(others, jvaultOps.requestUpdate)
    foldMatch(match, jvaultStake, data, { failed: received.failed || isCancelled || update?.failed === true })
  },
}
