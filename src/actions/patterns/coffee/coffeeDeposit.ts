import { foldMatch, type Match, type Matcher } from '../../match/Matcher.ts'
import { expectPresent, MatchRefusedError } from '../../match/MatchRefusedError.ts'
import { call, kindOf, oneOf } from '../../match/Pattern.ts'
import type { Block } from '../../tree/Block.ts'
import { messageOf } from '../bodies/body.ts'
import { coffeeOps, readCreateDepository, readLiquidityEvent } from '../bodies/coffee.ts'
import { jettonOps } from '../bodies/jetton.ts'
import { findCall, getCall } from '../core/findCall.ts'
import { isCall } from '../core/isCall.ts'
import { type AssetAmount, type DepositData, depositKind } from '../dex/depositLiquidity.ts'
import { listTransfers } from '../dex/routed.ts'
import { jettonTransfer } from '../jetton/jettonTransfer.ts'
import { paidByVault } from './coffeePayout.ts'

const coffeeDeposit = depositKind('coffee_deposit_liquidity')

const completed = call(coffeeOps.deposit, {
  optional: true,
  all: [call(jettonOps.internalTransfer), call(coffeeOps.depositEvent), paidByVault({ optional: true })],
})

/** An asset comes to a depository; with the other one it goes on to the pool. */
export const matchCoffeeDeposit: Matcher = {
  name: 'coffee deposit',
  isAnchor: (block) => isCall(block, coffeeOps.createDepository),
  around: {
    previous: oneOf([call(coffeeOps.depositNative), kindOf(jettonTransfer)]),
    next: call(coffeeOps.deploy, { next: completed }),
  },
  build: (match) => {
    foldMatch(match, coffeeDeposit, readDeposit(match))
  },
}

const readDeposit = ({ anchor, others }: Match): DepositData => {
  const { amount, assets, sender } = readCreateDepository(anchor)
  const paid = expectPresent(anchor.previous, 'payment')
  const { asset, senderWallet } = paid.is(jettonTransfer) ? paid.data : { asset: undefined, senderWallet: undefined }
  if (!assets.includes(asset)) throw new MatchRefusedError('The pool does not have the asset that was sent.')
  const isFirst = asset === assets[0]
  const leg = { asset, amount }
  const event = findCall(others, coffeeOps.depositEvent)
  const pool = event && messageOf(event).source
  return {
    dex: 'coffee',
    provider: sender,
    pool,
    keeper: messageOf(getCall(others, coffeeOps.deploy)).destination,
    liquidityTo: pool,
    legs: isFirst ? [leg, undefined] : [undefined, leg],
    wallets: isFirst ? [senderWallet, undefined] : [undefined, senderWallet],
    minted: event && readLiquidityEvent(event).shares,
    // What was sent comes first, whichever leg it is.
    targets: [
      { asset, amount: undefined },
      { asset: isFirst ? assets[1] : assets[0], amount: undefined },
    ],
    excesses: listExcesses(findCall(others, coffeeOps.pay)),
  }
}

const listExcesses = (pay: Block | undefined): AssetAmount[] => {
  if (pay === undefined) return []
  const [transfer] = listTransfers(pay.next)
  if (transfer !== undefined) return [{ asset: transfer.data.asset, amount: transfer.data.amount }]
  const payout = findCall(pay.next, coffeeOps.payout, coffeeOps.notification)
  return payout === undefined ? [] : [{ asset: undefined, amount: messageOf(payout).value ?? 0n }]
}
