import { foldMatch, type Matcher } from '../../match/Matcher.ts'
import { expectPresent } from '../../match/MatchRefusedError.ts'
import { call, kindOf, oneOf } from '../../match/Pattern.ts'
import type { Block } from '../../tree/Block.ts'
import { messageOf } from '../bodies/body.ts'
import { type CoffeeSwapEvent, coffeeOps, readNativeAmount, readSwapEvent } from '../bodies/coffee.ts'
import { getCall } from '../core/findCall.ts'
import { isCall } from '../core/isCall.ts'
import { byTime } from '../dex/byTime.ts'
import { type DexTransfer, toDexTransfer } from '../dex/DexTransfer.ts'
import { jettonSwap, type PeerSwap } from '../dex/jettonSwap.ts'
import { nested } from '../dex/nested.ts'
import { jettonTransfer } from '../jetton/jettonTransfer.ts'
import { paidByVault, readPayout } from './coffeePayout.ts'

/** A pool that refuses logs something else: then there was no swap. */
const event = call(coffeeOps.swapEvent)
const route = nested((deeper) => oneOf([paidByVault(), call(coffeeOps.swap, { all: [event, deeper] })]))

/** From a vault through pools, each of which logs what it exchanged, to another vault. */
export const matchCoffeeSwap: Matcher = {
  name: 'coffee swap',
  isAnchor: (block) => isCall(block, coffeeOps.swap),
  around: { previous: oneOf([kindOf(jettonTransfer), call(coffeeOps.swapNative)]), all: [event, route] },
  build: (match) => {
    const swaps = [match.anchor, ...match.others].filter((block) => isCall(block, coffeeOps.swap)).sort(byTime)
    const logs = swaps.map(({ next }) => getCall(next, coffeeOps.swapEvent))
    const outgoing = readPayout(getCall(match.others, coffeeOps.pay))
    const data = {
      dex: 'coffee' as const,
      incoming: readPayment(match.anchor),
      outgoing,
      assetOut: outgoing.asset,
      peers: swaps.length < 2 ? [] : listPeers(logs.map(readSwapEvent), outgoing),
    }
    foldMatch(match, jettonSwap, data)
  },
}

const readPayment = ({ previous }: Block): DexTransfer => {
  const paid = expectPresent(previous, 'payment')
  if (paid.is(jettonTransfer)) return toDexTransfer(paid.data)
  const { source, destination } = messageOf(paid)
  const amount = readNativeAmount(paid)
  return { asset: undefined, amount, source, sourceWallet: undefined, destination, destinationWallet: undefined }
}

/** Pools log what they took: what they gave is what the next one took, or what was paid. */
const listPeers = (events: readonly CoffeeSwapEvent[], { asset: last }: DexTransfer): PeerSwap[] =>
  events.map(({ asset, amountIn, amountOut }, at) => {
    const next = events[at + 1]
    return { assetIn: asset, amountIn, assetOut: next === undefined ? last : next.asset, amountOut }
  })
