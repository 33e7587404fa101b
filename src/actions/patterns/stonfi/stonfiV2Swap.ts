import type { MatchContext, Matcher } from '../../match/Matcher.ts'
import { expectPresent } from '../../match/MatchRefusedError.ts'
import { call, kindOf, oneOf, type Pattern } from '../../match/Pattern.ts'
import { foldBlocks } from '../../tree/foldBlocks.ts'
import { jettonOps } from '../bodies/jetton.ts'
import { readLastWallet, readStonfiV2PayTo, type StonfiLeg, stonfiExits, stonfiV2Ops } from '../bodies/stonfi.ts'
import { isCall } from '../core/isCall.ts'
import { byTime } from '../dex/byTime.ts'
import type { DexTransfer } from '../dex/DexTransfer.ts'
import { jettonSwap, type PeerSwap } from '../dex/jettonSwap.ts'
import { nested } from '../dex/nested.ts'
import { getPaidOut, listTransfers, paidIn, readPaidIn } from '../dex/routed.ts'
import { findAsset } from '../dex/toAsset.ts'
import { jettonTransfer } from '../jetton/jettonTransfer.ts'

/** Another router is paid by a transfer, and a pool of the same router is called at once. */
const payTo = (nextSwap: Pattern): Pattern => {
  const throughCoins = call(jettonOps.ptonTransfer, { next: call(jettonOps.notify, { next: nextSwap }) })
  const transfer = kindOf(jettonTransfer, { next: oneOf([nextSwap, throughCoins], { optional: true }) })
  return call(stonfiV2Ops.payTo, { next: oneOf([transfer, nextSwap]) })
}

const nextSwap = nested((deeper) => call(stonfiV2Ops.swap, { next: payTo(deeper) }))

export const matchStonfiV2Swap: Matcher = {
  name: 'stonfi_v2 swap',
  isAnchor: (block) => isCall(block, stonfiV2Ops.swap),
  around: { previous: paidIn, next: payTo(nextSwap) },
  build: ({ anchor, others }, { facts }) => {
    const parts = [anchor, ...others]
    const payments = parts
      .filter((block) => isCall(block, stonfiV2Ops.payTo))
      .sort(byTime)
      .map(readStonfiV2PayTo)
    const failed = payments.some(({ exitCode }) => exitCode !== stonfiExits.swapped)
    const { transfer: incoming, block: payment } = readPaidIn(anchor)
    const payout = listTransfers(others)
      .filter((block) => block !== payment)
      .at(-1)
    const { transfer: outgoing, pton } = getPaidOut(payout)
    const asked = failed ? findAsset(facts, readLastWallet(anchor)) : undefined
    const swapped = payments.filter(({ exitCode }) => exitCode === stonfiExits.swapped)
    const data = {
      dex: 'stonfi_v2' as const,
      incoming,
      outgoing,
      assetOut: (asked ?? outgoing).asset,
      peers: listPeers(incoming, swapped, facts),
    }
    foldBlocks(jettonSwap, data, pton === undefined ? parts : [...parts, pton], { failed })
  },
}

/** A pool pays one of its two assets: the larger amount, since the other is nothing. */
const largerLeg = ([left, right]: readonly [StonfiLeg, StonfiLeg]): StonfiLeg =>
  right.amount > left.amount ? right : left

const listPeers = (
  incoming: DexTransfer,
  payments: readonly { readonly legs: readonly [StonfiLeg, StonfiLeg] }[],
  facts: MatchContext['facts'],
): PeerSwap[] => {
  if (payments.length < 2) return []
  let { asset: assetIn, amount: amountIn } = incoming
  return payments.map(({ legs }) => {
    const { amount: amountOut, wallet } = largerLeg(legs)
    const assetOut = expectPresent(findAsset(facts, wallet), 'wallet of the router').asset
    const peer = { assetIn, amountIn, assetOut, amountOut }
    assetIn = assetOut
    amountIn = amountOut
    return peer
  })
}
