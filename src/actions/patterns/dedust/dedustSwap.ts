import type { Match, MatchContext, Matcher } from '../../match/Matcher.ts'
import { expectPresent, MatchRefusedError } from '../../match/MatchRefusedError.ts'
import { call, kindOf, oneOf } from '../../match/Pattern.ts'
import type { Block } from '../../tree/Block.ts'
import { foldBlocks } from '../../tree/foldBlocks.ts'
import { messageOf } from '../bodies/body.ts'
import { dedustOps, readNativeSwap, readPayFromPool, readSwapEvent, readSwapRequest } from '../bodies/dedust.ts'
import { findCall, getCall } from '../core/findCall.ts'
import { isCall } from '../core/isCall.ts'
import { byTime } from '../dex/byTime.ts'
import { type DexTransfer, toDexTransfer } from '../dex/DexTransfer.ts'
import { jettonSwap, type PeerSwap } from '../dex/jettonSwap.ts'
import { nested } from '../dex/nested.ts'
import { listTransfers } from '../dex/routed.ts'
import { jettonTransfer } from '../jetton/jettonTransfer.ts'

const hops = [dedustOps.swapExternal, dedustOps.swapPeer] as const

const event = call(dedustOps.swapEvent, { optional: true })
const payout = call(dedustOps.payFromPool, { next: oneOf([kindOf(jettonTransfer), call(dedustOps.payout)]) })
const route = nested((deeper) => oneOf([payout, call(hops, { next: deeper, all: [event] })]))

/** From a vault through pools, each of which logs what it exchanged, to another vault. */
export const matchDedustSwap: Matcher = {
  name: 'dedust swap',
  isAnchor: (block) => isCall(block, dedustOps.swapExternal),
  around: { previous: oneOf([kindOf(jettonTransfer), call(dedustOps.swap)]), all: [route, event] },
  build: (match, context) => {
    const parts = [match.anchor, ...match.others]
    const { transfer: paid, pools } = readRequest(match.anchor)
    const received = readPayout(match)
    const peers = parts
      .filter((block) => isCall(block, dedustOps.swapEvent))
      .sort(byTime)
      .map(readPeer)
    if (peers.length === 0) peers.push(joinPeer(paid, received))
    const [first, last] = [peers[0]!, peers.at(-1)!]
    const data = {
      dex: 'dedust' as const,
      incoming: { ...paid, asset: first.assetIn, amount: first.amountIn },
      outgoing: { ...received, asset: last.assetOut, amount: last.amountOut },
      assetOut: followPools(pools, paid.asset, context),
      peers: peers.length < 2 ? [] : peers,
    }
    const failed = parts.some((block) => isCall(block, ...hops) && !hasEvent(block))
    foldBlocks(jettonSwap, data, parts, { failed })
  },
}

const hasEvent = ({ next }: Block): boolean => findCall(next, dedustOps.swapEvent) !== undefined

const readRequest = ({ previous }: Block): { readonly transfer: DexTransfer; readonly pools: readonly string[] } => {
  const request = expectPresent(previous, 'request')
  if (request.is(jettonTransfer)) {
    const { forward, asset } = request.data
    if (forward?.tag !== dedustOps.swapRequest) throw new MatchRefusedError('The jettons were not sent for a swap.')
    return { transfer: { ...toDexTransfer(request.data), asset }, pools: readSwapRequest(forward.cell) }
  }
  const { source, destination } = messageOf(request)
  const { amount, pools } = readNativeSwap(request)
  const coins = { asset: undefined, amount, sourceWallet: undefined, destinationWallet: undefined }
  return { transfer: { ...coins, source, destination }, pools }
}

const readPayout = ({ others }: Match): DexTransfer => {
  const payments = others.filter((block) => isCall(block, dedustOps.payFromPool))
  if (payments.length !== 1) throw new MatchRefusedError('A swap has one payment out of a pool.')
  const [payment] = payments
  const [transfer] = listTransfers(payment!.next)
  if (transfer !== undefined) return { ...toDexTransfer(transfer.data), asset: transfer.data.asset }
  const { source, destination } = messageOf(getCall(payment!.next, dedustOps.payout))
  const amount = readPayFromPool(payment!)
  return { asset: undefined, amount, source, sourceWallet: undefined, destination, destinationWallet: undefined }
}

const readPeer = (log: Block): PeerSwap => {
  const { from, to } = readSwapEvent(log)
  return { assetIn: from.asset, amountIn: from.amount, assetOut: to.asset, amountOut: to.amount }
}

const joinPeer = (paid: DexTransfer, received: DexTransfer): PeerSwap => ({
  assetIn: paid.asset,
  amountIn: paid.amount,
  assetOut: received.asset,
  amountOut: received.amount,
})

/** What comes out of pools in the end: of each its other asset. */
const followPools = (
  pools: readonly string[],
  first: string | undefined,
  { facts }: MatchContext,
): string | undefined => {
  let asset = first
  for (const pool of pools) {
    const { assets } = expectPresent(facts.of(pool).dedustPool, 'pool')
    asset = assets[0] === asset ? assets[1] : assets[0]
  }
  return asset
}
