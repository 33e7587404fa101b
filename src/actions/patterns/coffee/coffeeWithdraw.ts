import { foldMatch, type Matcher } from '../../match/Matcher.ts'
import { MatchRefusedError } from '../../match/MatchRefusedError.ts'
import { call } from '../../match/Pattern.ts'
import type { Block } from '../../tree/Block.ts'
import { messageOf } from '../bodies/body.ts'
import { coffeeOps, readLiquidityEvent } from '../bodies/coffee.ts'
import { findCall, getCall } from '../core/findCall.ts'
import { isCall } from '../core/isCall.ts'
import { byTime } from '../dex/byTime.ts'
import { listTransfers } from '../dex/routed.ts'
import { dexWithdrawal, type WithdrawnLeg } from '../dex/withdrawLiquidity.ts'
import { jettonBurn } from '../jetton/jettonBurn.ts'
import { paidByVault } from './coffeePayout.ts'

/** Shares of a pool are burnt, and two vaults pay. */
export const matchCoffeeWithdraw: Matcher = {
  name: 'coffee withdrawal',
  isAnchor: (block) => block.is(jettonBurn),
  around: { all: [paidByVault(), paidByVault(), call(coffeeOps.withdrawalEvent)] },
  build: (match) => {
    const { anchor, others } = match
    if (!anchor.is(jettonBurn)) throw new MatchRefusedError('Nothing was burnt.')
    const { owner, ownerWallet, amount } = anchor.data
    const event = getCall(others, coffeeOps.withdrawalEvent)
    const { amounts } = readLiquidityEvent(event)
    const [first, second] = others.filter((block) => isCall(block, coffeeOps.pay)).sort(byTime)
    foldMatch(match, dexWithdrawal, {
      dex: 'coffee',
      provider: owner,
      providerWallet: ownerWallet,
      pool: messageOf(event).source,
      burnt: amount,
      legs: [readLeg(first!, amounts[0]), readLeg(second!, amounts[1])],
    })
  },
}

/** Of coins the wallet is the one who gets them. */
const readLeg = (pay: Block, amount: bigint): WithdrawnLeg => {
  const [transfer] = listTransfers(pay.next)
  if (transfer !== undefined) return { asset: transfer.data.asset, amount, wallet: transfer.data.receiverWallet }
  const payout = findCall(pay.next, coffeeOps.payout)
  return { asset: undefined, amount, wallet: payout && messageOf(payout).destination }
}
