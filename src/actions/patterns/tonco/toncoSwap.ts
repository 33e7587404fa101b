import type { MatchContext, Matcher } from '../../match/Matcher.ts'
import { MatchRefusedError } from '../../match/MatchRefusedError.ts'
import { call, kindOf, oneOf, type Pattern } from '../../match/Pattern.ts'
import { foldBlocks } from '../../tree/foldBlocks.ts'
import { jettonOps } from '../bodies/jetton.ts'
import { readToncoPayTo, readToncoTarget, type ToncoPayToBody, toncoOps } from '../bodies/tonco.ts'
import { tryRead } from '../bodies/tryRead.ts'
import { isCall } from '../core/isCall.ts'
import { byTime } from '../dex/byTime.ts'
import type { DexTransfer } from '../dex/DexTransfer.ts'
import { jettonSwap, type PeerSwap } from '../dex/jettonSwap.ts'
import { nested } from '../dex/nested.ts'
import { getPaidOut, listTransfers, paidIn, readPaidIn } from '../dex/routed.ts'
import { findAsset } from '../dex/toAsset.ts'
import { jettonTransfer } from '../jetton/jettonTransfer.ts'

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
    const { transfer: outgoing } = getPaidOut(listTransfers(payments.at(-1)!.next).at(-1))
    const target = failed && request !== undefined ? tryRead(() => readToncoTarget(request.cell)) : undefined
    const asked = target && findAsset(facts, target.wallet)
    const data = {
      dex: 'tonco' as const,
      incoming,
      outgoing,
      assetOut: (asked ?? outgoing).asset,
      peers: paid.length < 2 ? [] : listPeers(incoming, outgoing, swapped, facts),
      minOut: asked === undefined ? outgoing.amount : target!.minOut,
    }
    foldBlocks(jettonSwap, data, parts, { failed })
  },
}

/** A pool pays one of its two assets: the larger amount. Where the first is not known none is told of. */
const listPeers = (
  incoming: DexTransfer,
  outgoing: DexTransfer,
  payments: readonly ToncoPayToBody[],
  facts: MatchContext['facts'],
): PeerSwap[] => {
  const peers: PeerSwap[] = []
  let { asset: assetIn, amount: amountIn } = incoming
  for (const { legs } of payments) {
    if (legs === undefined) continue
    const leg = legs[1].amount > legs[0].amount ? legs[1] : legs[0]
    const known = leg.wallet === outgoing.sourceWallet ? outgoing : findAsset(facts, leg.wallet)
    if (known === undefined && peers.length === 0) return []
    peers.push({ assetIn, amountIn, assetOut: known?.asset, amountOut: leg.amount })
    assetIn = known?.asset
    amountIn = leg.amount
  }
  return peers
}
