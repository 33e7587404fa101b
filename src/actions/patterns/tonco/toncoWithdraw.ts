import { foldMatch, type MatchContext, type Matcher } from '../../match/Matcher.ts'
import { expectPresent } from '../../match/MatchRefusedError.ts'
import { call, kindOf } from '../../match/Pattern.ts'
import type { Block } from '../../tree/Block.ts'
import { messageOf } from '../bodies/body.ts'
import { jettonOps } from '../bodies/jetton.ts'
import { readBurnPosition, readStartBurn, readToncoPayTo, type ToncoLeg, toncoOps } from '../bodies/tonco.ts'
import { getCall } from '../core/findCall.ts'
import { isCall } from '../core/isCall.ts'
import { listTransfers, readPaidOut } from '../dex/routed.ts'
import { findAsset } from '../dex/toAsset.ts'
import { toncoWithdrawal, type WithdrawnLeg } from '../dex/withdrawLiquidity.ts'
import { jettonTransfer } from '../jetton/jettonTransfer.ts'

const okExits: readonly number[] = [0, 201]

/** The wallet of the router that stands for native coins, known even where its master is not. */
const NATIVE_WALLET = '0:871DA9215B14902166F0EA2A16DB56278D528108377F8158C5F4CCFDFDD22E17'

const payout = kindOf(jettonTransfer, { optional: true, next: call(jettonOps.ptonTransfer, { optional: true }) })
const paid = call(toncoOps.payTo, { all: [payout, payout] })

/** A position is burnt, and the router pays what it held. */
export const matchToncoWithdraw: Matcher = {
  name: 'tonco withdrawal',
  isAnchor: (block) => isCall(block, toncoOps.startBurn),
  around: { next: call(toncoOps.burnPosition, { next: call(toncoOps.burn, { next: paid }) }) },
  build: (match, { facts }) => {
    const { index, liquidity, tickLower, tickUpper } = readStartBurn(match.anchor)
    const burnt = getCall(match.others, toncoOps.burnPosition)
    const payment = getCall(match.others, toncoOps.payTo)
    const { exitCode, legs } = readToncoPayTo(payment)
    const [first, second] = expectPresent(legs, 'amounts')
    const data = {
      dex: 'tonco' as const,
      provider: readBurnPosition(burnt),
      pool: messageOf(match.anchor).destination,
      burnt: liquidity,
      legs: [readLeg(first, payment, facts), readLeg(second, payment, facts)] as const,
      position: { tickLower, tickUpper, index, item: messageOf(burnt).destination },
    }
    foldMatch(match, toncoWithdrawal, data, { failed: !okExits.includes(exitCode) })
  },
}

/** By the transfer from the same wallet of the router; a leg that was never sent is told as the pool told it, with its receiver. */
const readLeg = (leg: ToncoLeg, payment: Block, facts: MatchContext['facts']): WithdrawnLeg => {
  const sent = listTransfers(payment.next).find((transfer) => messageOf(transfer as Block).destination === leg.wallet)
  if (sent !== undefined) {
    const { asset, amount, destinationWallet } = readPaidOut(sent).transfer
    return { asset, amount, wallet: destinationWallet }
  }
  const asset = leg.wallet === NATIVE_WALLET ? undefined : findAsset(facts, leg.wallet)?.asset
  return { asset, amount: leg.amount, wallet: leg.receiver }
}
