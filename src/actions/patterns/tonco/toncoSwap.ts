import type { MatchContext, Matcher } from '../../match/Matcher.ts'
import { expectPresent, MatchRefusedError } from '../../match/MatchRefusedError.ts'
import { call, kindOf, oneOf, type Pattern } from '../../match/Pattern.ts'
import type { Block } from '../../tree/Block.ts'
import { foldBlocks } from '../../tree/foldBlocks.ts'
import { jettonOps } from '../bodies/jetton.ts'
import { readToncoPayTo, readToncoTarget, type ToncoPayToBody, toncoOps } from '../bodies/tonco.ts'
import { isCall } from '../core/isCall.ts'
import { byTime } from '../dex/byTime.ts'
import type { DexTransfer } from '../dex/DexTransfer.ts'
import { jettonSwap, type PeerSwap } from '../dex/jettonSwap.ts'
import { nested } from '../dex/nested.ts'
import { getPaidOut, listTransfers, paidIn, readPaidIn } from '../dex/routed.ts'
import { findAsset, toAsset } from '../dex/toAsset.ts'
import { type JettonTransferData, jettonTransfer } from '../jetton/jettonTransfer.ts'

const okExits: readonly number[] = [0, 200]

/** The router pays by a transfer: to itself where another pool follows. */
const payTo = (nextSwap: Pattern): Pattern => {
  const throughCoins = call(jettonOps.ptonTransfer, { next: call(jettonOps.notify, { next: nextSwap }) })
  const after = oneOf([nextSwap, throughCoins, call(jettonOps.ptonTransfer)], { optional: true })
  return call(toncoOps.payTo, { next: kindOf(jettonTransfer, { next: after }) })
}

const nextSwap = nested((deeper) => call(toncoOps.swap, { next: payTo(deeper) }))

export const matchToncoSwap: Matcher = {
  name: 'tonco swap',
  isAnchor: (block) => isCall(block, toncoOps.swap),
  around: { previous: paidIn, next: payTo(nextSwap) },
  build: ({ anchor, others }, { facts }) => {
    const parts = [anchor, ...others]
    const swaps = parts.filter((block) => isCall(block, toncoOps.swap))
    const payments = parts.filter((block) => isCall(block, toncoOps.payTo)).sort(byTime)
    if (swaps.length !== payments.length) throw new MatchRefusedError('Every exchange is paid once.')
    const paid = payments.map(readToncoPayTo)
    const swapped = paid.filter(({ exitCode }) => okExits.includes(exitCode))
    const failed = swapped.length < paid.length
    const { transfer: incoming, request } = readPaidIn(anchor)
    const { transfer: outgoing } = getPaidOut(findPayout(payments.at(-1)!, incoming))
    const target = failed ? readToncoTarget(expectPresent(request, 'request').cell) : undefined
    const asked = target && findAsset(facts, target.wallet)
    const data = {
      dex: 'tonco' as const,
      incoming,
      outgoing,
      assetOut: (asked ?? outgoing).asset,
      peers: listPeers(incoming, swapped, facts),
      minOut: target?.minOut ?? outgoing.amount,
    }
    foldBlocks(jettonSwap, data, parts, { failed })
  },
}

/** A swap that stopped at its limit gives back what it did not take, beside what it gives. */
const findPayout = ({ next }: Block, { asset }: DexTransfer): Block<JettonTransferData> | undefined => {
  const transfers = listTransfers(next)
  return transfers.find(({ data }) => toAsset(data.asset) !== asset) ?? transfers.at(-1)
}

/** A pool pays one of its two assets: the larger amount. */
const listPeers = (
  incoming: DexTransfer,
  payments: readonly ToncoPayToBody[],
  facts: MatchContext['facts'],
): PeerSwap[] => {
  if (payments.length < 2) return []
  let { asset: assetIn, amount: amountIn } = incoming
  return payments.map(({ legs }) => {
    const [first, second] = expectPresent(legs, 'amounts')
    const leg = second.amount > first.amount ? second : first
    const assetOut = expectPresent(findAsset(facts, leg.wallet), 'wallet of the router').asset
    const peer = { assetIn, amountIn, assetOut, amountOut: leg.amount }
    assetIn = assetOut
    amountIn = leg.amount
    return peer
  })
}
