import type { Cell } from '../../codec/cell/Cell.ts'
import { type CellReader, openCell } from '../../codec/cell/CellReader.ts'
import { formatUpperRawAddress } from '../../primitives/Address.ts'
import { call, foldMatch, kindOf, type Match, type MatchContext, type Matcher, oneOf } from '../match/Matcher.ts'
import { type Block, expectPresent, foldBlocks, MatchRefusedError } from '../tree/Block.ts'
import { messageOf, openBody, readAddress } from './body.ts'
import { findCall, getCall, isCall } from './core.ts'
import {
  byTime,
  type DexTransfer,
  dexWithdrawal,
  jettonSwap,
  listTransfers,
  nested,
  type PeerSwap,
  toDexTransfer,
  type WithdrawnLeg,
} from './dex.ts'
import { jettonOps, jettonTransfer, readJettonBurn } from './jettons.ts'

export const dedustOps = {
  swap: 0xea06185d,
  swapRequest: 0xe3a0d482,
  swapExternal: 0x61ee542d,
  swapPeer: 0x72aca8aa,
  swapEvent: 0x9c610de3,
  payFromPool: 0xad4eb6f5,
  payout: 0x474f86cf,
  deposit: 0xd55e4686,
  depositRequest: 0x40e108d6,
  askFactory: 0xf04ec526,
  deployDeposit: 0x9b3aa3fa,
  topUpDeposit: 0x54240fe5,
  depositToPool: 0xb56b9598,
  reject: 0xe1a36cd4,
  destroyDeposit: 0xaae79256,
  returnExcess: 0x6b0b787f,
} as const

/** The master of a jetton; `undefined` for the native coin. */
const readAsset = (r: CellReader): string | undefined => {
  if (r.readUint(4) === 0) return undefined
  return formatUpperRawAddress({ workchain: r.readInt(8), hash: r.readBytes(32) })
}

export type DedustAmount = { readonly asset: string | undefined; readonly amount: bigint }

const readSwapEvent = (log: Block) => {
  const r = openBody(log)
  const [assetIn, assetOut] = [readAsset(r), readAsset(r)]
  return { from: { asset: assetIn, amount: r.readCoins() }, to: { asset: assetOut, amount: r.readCoins() } }
}

/** The route of a swap of native coins, with the amount. */
const readNativeSwap = (block: Block): { readonly amount: bigint; readonly pools: readonly string[] } => {
  const r = openBody(block)
  r.skipBits(64)
  return { amount: r.readCoins(), pools: readPools(r) }
}

/** The route of a jetton swap, from its forward payload. */
const readSwapRequest = (payload: Cell): readonly string[] => {
  const r = openCell(payload)
  r.skipBits(32)
  return readPools(r)
}

/** More than any route has. */
const MAX_STEPS = 32

/** step#_ pool:A kind:(## 1) limit:Coins next:(Maybe ^Step) */
const readPools = (first: CellReader): string[] => {
  const pools: string[] = []
  for (let r: CellReader | undefined = first; r !== undefined && pools.length < MAX_STEPS; ) {
    const pool = readAddress(r)
    if (pool !== undefined) pools.push(pool)
    r.skipBits(1)
    r.readCoins()
    const next: Cell | undefined = r.readMaybeRefCell()
    r = next && openCell(next)
  }
  return pools
}

/** q, ^proof, amount:Coins */
const readPayFromPool = (block: Block): bigint => {
  const r = openBody(block)
  r.skipBits(64)
  return r.readCoins()
}

/** The target balances of a deposit, in the order of the pool. */
export type DedustTargets = readonly [DedustAmount, DedustAmount]

export const readNativeDeposit = (block: Block): { readonly amount: bigint; readonly targets: DedustTargets } => {
  const r = openBody(block)
  r.skipBits(64)
  const amount = r.readCoins()
  r.skipBits(1)
  const [first, second] = [readAsset(r), readAsset(r)]
  return { amount, targets: readTargets(r.readRef(), first, second) }
}

/** The payload of a jetton transfer for a deposit. */
export const readDepositRequest = (payload: Cell): DedustTargets => {
  const r = openCell(payload)
  r.expectTag(dedustOps.depositRequest, 32)
  r.skipBits(1)
  const [first, second] = [readAsset(r), readAsset(r)]
  return readTargets(r, first, second)
}

const readTargets = (r: CellReader, first: string | undefined, second: string | undefined): DedustTargets => {
  r.readCoins()
  return [
    { asset: first, amount: r.readCoins() },
    { asset: second, amount: r.readCoins() },
  ]
}

export const readDepositToPool = (
  block: Block,
): { readonly owner: string | undefined; readonly targets: DedustTargets } => {
  const r = openBody(block)
  r.skipBits(64)
  r.skipRef()
  const owner = readAddress(r)
  const amounts = r.readRef()
  const first = { asset: readAsset(amounts), amount: amounts.readCoins() }
  return { owner, targets: [first, { asset: readAsset(amounts), amount: amounts.readCoins() }] }
}

const hops = [dedustOps.swapExternal, dedustOps.swapPeer] as const

const event = call(dedustOps.swapEvent, { optional: true })
const swapPayout = call(dedustOps.payFromPool, { next: oneOf([kindOf(jettonTransfer), call(dedustOps.payout)]) })
const route = nested((deeper) => oneOf([swapPayout, call(hops, { next: deeper, all: [event] })]))

/** From a vault through pools, each of which logs its swap, to another vault. */
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

/** The final payouts of pools: of each its other asset. */
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

const withdrawPayout = call(dedustOps.payFromPool, { next: oneOf([call(dedustOps.payout), kindOf(jettonTransfer)]) })

/** Pool shares are burnt and two vaults pay. */
export const matchDedustWithdraw: Matcher = {
  name: 'dedust withdrawal',
  isAnchor: (block) => isCall(block, jettonOps.burn),
  around: { next: call(jettonOps.burnNotification, { all: [withdrawPayout, withdrawPayout] }) },
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
