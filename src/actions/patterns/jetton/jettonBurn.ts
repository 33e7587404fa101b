import { foldMatch, type Matcher } from '../../match/Matcher.ts'
import { expectPresent } from '../../match/MatchRefusedError.ts'
import { call } from '../../match/Pattern.ts'
import { blockKind } from '../../tree/Block.ts'
import { messageOf } from '../bodies/body.ts'
import { jettonOps, readJettonBurn } from '../bodies/jetton.ts'
import { isCall } from '../core/isCall.ts'

export type JettonBurnData = {
  readonly owner: string
  readonly ownerWallet: string | undefined
  readonly asset: string
  readonly amount: bigint
  readonly queryId: bigint
}

/** Jettons that their owner gave up. */
export const jettonBurn = blockKind<JettonBurnData>({
  name: 'jetton_burn',
  isClosed: true,
  describe: ({ data: { owner, ownerWallet, asset, amount } }) => ({
    source: owner,
    sourceSecondary: ownerWallet,
    details: { owner, owner_jetton_wallet: ownerWallet ?? null, asset, amount: String(amount) },
  }),
})

export const matchJettonBurn: Matcher = {
  name: 'jetton_burn',
  isAnchor: (block) => isCall(block, jettonOps.burn),
  around: { next: call(jettonOps.burnNotification, { optional: true }) },
  build: (match, { facts }) => {
    const { anchor } = match
    const { amount, queryId } = readJettonBurn(anchor)
    const ownerWallet = messageOf(anchor).destination
    const wallet = expectPresent(facts.of(ownerWallet).jettonWallet, 'jetton wallet')
    const data = { owner: wallet.owner, ownerWallet, asset: wallet.jetton, amount, queryId }
    foldMatch(match, jettonBurn, data, { failed: anchor.failed })
  },
}
