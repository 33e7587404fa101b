import { foldMatch, type Matcher } from '../../match/Matcher.ts'
import { expectPresent } from '../../match/MatchRefusedError.ts'
import { call, kindOf, oneOf } from '../../match/Pattern.ts'
import type { Block } from '../../tree/Block.ts'
import { messageOf } from '../bodies/body.ts'
import { dedustOps, readPayFromPool } from '../bodies/dedust.ts'
import { jettonOps, readJettonBurn } from '../bodies/jetton.ts'
import { getCall } from '../core/findCall.ts'
import { isCall } from '../core/isCall.ts'
import { listTransfers } from '../dex/routed.ts'
import { dexWithdrawal, type WithdrawnLeg } from '../dex/withdrawLiquidity.ts'
import { jettonTransfer } from '../jetton/jettonTransfer.ts'

const payout = call(dedustOps.payFromPool, { next: oneOf([call(dedustOps.payout), kindOf(jettonTransfer)]) })

/** Shares of a pool are burnt, and two vaults pay. */
export const matchDedustWithdraw: Matcher = {
  name: 'dedust withdrawal',
  isAnchor: (block) => isCall(block, jettonOps.burn),
  around: { next: call(jettonOps.burnNotification, { all: [payout, payout] }) },
  build: (match, { facts }) => {
    const { source: provider, destination: providerWallet } = messageOf(match.anchor)
    expectPresent(facts.of(providerWallet).jettonWallet, 'wallet of the provider')
    const payments = match.others.filter((block) => isCall(block, dedustOps.payFromPool))
    foldMatch(match, dexWithdrawal, {
      dex: 'dedust',
      provider,
      providerWallet,
      pool: messageOf(getCall(match.others, jettonOps.burnNotification)).destination,
      burnt: readJettonBurn(match.anchor).amount,
      legs: [readLeg(payments[0]), readLeg(payments[1])],
    })
  },
}

const readLeg = (payment: Block | undefined): WithdrawnLeg | undefined => {
  if (payment === undefined) return undefined
  const [transfer] = listTransfers(payment.next)
  return { asset: transfer?.data.asset, amount: readPayFromPool(payment), wallet: transfer?.data.receiverWallet }
}
