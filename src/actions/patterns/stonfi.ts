import type { Cell } from '../../codec/cell/Cell.ts'
import { type CellReader, openCell } from '../../codec/cell/CellReader.ts'
import { call, kindOf, type Match, type MatchContext, type Matcher } from '../match/Matcher.ts'
import { opcodeOf } from '../trace/TraceInput.ts'
import { type Block, expectPresent, foldBlocks, walkBlocks } from '../tree/Block.ts'
import { openBody, readAddress, readGivenAddress, tryRead } from './body.ts'
import { getCall, getKind, isCall } from './core.ts'
import { type JettonSwapData, jettonSwap } from './dex.ts'
import { type JettonTransferData, jettonTransfer } from './jettons.ts'

const stonfiOps = { swap: 0x25938561, pay: 0xf93bb43f } as const

export const stonfiV2Ops = {
  swap: 0x6664de2a,
  crossSwap: 0x69cf1a5b,
  payTo: 0x657b54f5,
  provide: 0x37c096df,
  addLiquidity: 0x50c6a654,
  addLiquidityDone: 0x06ecd527,
  burn: 0x297437cf,
  refundMe: 0x132b9a2c,
  refund: 0x0f98e2b8,
} as const

/** Why a router pays. */
export const stonfiExits = {
  swapped: 0xc64370e5,
  referral: 0x45078540,
  noLiquidity: 0x5ffe1295,
  reserveError: 0x38976e9b,
} as const

/** An amount that a router pays from a wallet of its own. */
export type StonfiLeg = { readonly amount: bigint; readonly wallet: string | undefined }

const readLegs = (r: CellReader): readonly [StonfiLeg, StonfiLeg] => [
  { amount: r.readCoins(), wallet: readAddress(r) },
  { amount: r.readCoins(), wallet: readAddress(r) },
]

export type StonfiSwapBody = {
  /** The receiver of the payout. */
  readonly payee: string | undefined
  readonly tokenWallet: string
  readonly amount: bigint
  /** The sender of the request. */
  readonly user: string | undefined
}

const readStonfiSwap = (block: Block): StonfiSwapBody => {
  const r = openBody(block)
  r.skipBits(64)
  const payee = readAddress(r)
  const tokenWallet = readGivenAddress(r)
  const amount = r.readCoins()
  return { payee, tokenWallet, amount, user: readAddress(r.readRef()) }
}

/** The payload of a jetton transfer that requests a swap. */
const readStonfiRequest = (
  payload: Cell,
): { readonly wallet: string | undefined; readonly user: string | undefined } => {
  const r = openCell(payload)
  r.skipBits(32)
  const wallet = readAddress(r)
  r.readCoins()
  return { wallet, user: readAddress(r) }
}

const readStonfiPay = (block: Block): { readonly exitCode: number; readonly legs: readonly [StonfiLeg, StonfiLeg] } => {
  const r = openBody(block)
  r.skipBits(64)
  readAddress(r)
  return { exitCode: r.readUint(32), legs: readLegs(r.readRef()) }
}

export const readStonfiV2PayTo = (
  block: Block,
): { readonly exitCode: number; readonly legs: readonly [StonfiLeg, StonfiLeg] } => {
  const r = openBody(block)
  r.skipBits(64)
  for (let address = 0; address < 3; address++) readAddress(r)
  const exitCode = r.readUint(32)
  r.readMaybeRefCell()
  const inner = r.readRef()
  inner.readCoins()
  return { exitCode, legs: readLegs(inner) }
}

export const readStonfiV2Provide = (
  block: Block,
): { readonly from: string | undefined; readonly amounts: readonly [bigint, bigint] } => {
  const r = openBody(block)
  r.skipBits(64)
  return { from: readAddress(r), amounts: [r.readCoins(), r.readCoins()] }
}

/** More than any route has. */
const MAX_HOPS = 32

/** The router wallet that pays at the end of the whole route. */
export const readLastWallet = (swap: Block): string | undefined => {
  const r = openBody(swap)
  r.skipBits(64)
  readAddress(r)
  r.readCoins()
  r.readCoins()
  let step = readStep(r.readRefCell())
  for (let hop = 0; hop < MAX_HOPS && step.next !== undefined; hop++) {
    const tag = opcodeOf(step.next)
    if (tag !== stonfiV2Ops.swap && tag !== stonfiV2Ops.crossSwap) break
    step = readNestedStep(step.next)
  }
  return step.wallet
}

type Hop = { readonly wallet: string | undefined; readonly next: Cell | undefined }

/** op:uint32 wallet:A refund:A excesses:A deadline:uint64 ^[min:Coins receiver:A gas:Coins custom:(Maybe ^Cell) …] */
const readStep = (cell: Cell): Hop => {
  const r = openCell(cell)
  r.skipBits(32)
  const wallet = readAddress(r)
  if (r.remainingRefs === 0) return { wallet, next: undefined }
  const inner = r.readRef()
  inner.readCoins()
  readAddress(inner)
  inner.readCoins()
  return { wallet, next: inner.readMaybeRefCell() }
}

/**
 * A nested step: wallet:A … ^[Coins Coins next:(Maybe ^Cell)]. The real layout equals the first step; the reference service reads it
 * this way, and clients rely on its result.
 */
const readNestedStep = (cell: Cell): Hop => {
  const r = openCell(cell)
  r.skipBits(32)
  const wallet = readAddress(r)
  if (r.remainingRefs === 0) return { wallet, next: undefined }
  const inner = r.readRef()
  inner.readCoins()
  inner.readCoins()
  return { wallet, next: inner.remainingRefs === 0 ? undefined : inner.readMaybeRefCell() }
}

type Payment = {
  readonly block: Block
  readonly exitCode: number
  readonly amount: bigint
  readonly wallet: string | undefined
}

/** The payouts of router v1 for a swap, successful or not. */
const ownExits: readonly number[] = [stonfiExits.swapped, stonfiExits.noLiquidity, stonfiExits.reserveError]

export const matchStonfiSwap: Matcher = {
  name: 'stonfi swap',
  isAnchor: (block) => block.is(jettonTransfer),
  around: { next: call(stonfiOps.swap, { next: call(stonfiOps.pay, { next: kindOf(jettonTransfer) }) }) },
  build: (match, context) => {
    const payments = match.others.filter((block) => isCall(block, stonfiOps.pay)).map(readPayment)
    const own = findOwnPayment(payments)
    const data = readSwap(match, own, context)
    // Payments to referrers are not part of the swap.
    const left = new Set(
      payments
        .filter(({ exitCode }) => exitCode === stonfiExits.referral)
        .flatMap(({ block }) => [...walkBlocks(block)]),
    )
    const parts = [match.anchor, ...match.others].filter((block) => !left.has(block))
    foldBlocks(jettonSwap, data, parts, { failed: own.exitCode !== stonfiExits.swapped })
  },
}

const readPayment = (block: Block): Payment => {
  const { exitCode, legs } = readStonfiPay(block)
  const leg = legs[0].amount > 0n ? legs[0] : legs[1]
  return { block, exitCode, ...leg }
}

/** The largest. */
const findOwnPayment = (payments: readonly Payment[]): Payment => {
  let largest: Payment | undefined
  for (const payment of payments) {
    if (!ownExits.includes(payment.exitCode)) continue
    if (largest === undefined || payment.amount > largest.amount) largest = payment
  }
  return expectPresent(largest, 'payment to those who exchange')
}

/** Native coins shown as pTON, as in this version of the exchange. */
const readSwap = ({ anchor, others }: Match, own: Payment, { facts }: MatchContext): JettonSwapData => {
  const paid = anchor as Block<JettonTransferData>
  const { payee, tokenWallet, amount, user } = readStonfiSwap(getCall(others, stonfiOps.swap))
  const dexWallet = expectPresent(facts.of(tokenWallet).jettonWallet, 'wallet of the router')
  const { forward } = paid.data
  const request = forward?.tag === stonfiOps.swap ? tryRead(() => readStonfiRequest(forward.cell)) : undefined
  const payout = getKind(own.block.next, jettonTransfer).data
  const isJetton = payout.receiverWallet !== undefined
  const payingWallet = request?.wallet ?? own.wallet
  return {
    dex: 'stonfi',
    incoming: {
      asset: dexWallet.jetton,
      amount,
      source: user,
      sourceWallet: paid.data.senderWallet,
      destination: dexWallet.owner,
      destinationWallet: tokenWallet,
    },
    outgoing: {
      asset: facts.of(own.wallet).jettonWallet?.jetton,
      amount: own.amount,
      source: payout.sender,
      sourceWallet: payout.senderWallet,
      destination: isJetton ? payout.receiver : request === undefined ? payee : request.user,
      destinationWallet: payout.receiverWallet,
    },
    assetOut: facts.of(payingWallet).jettonWallet?.jetton,
    peers: [],
    payingWallet,
  }
}
