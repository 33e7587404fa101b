import { call, kindOf, type Match, type MatchContext, type Matcher, oneOf, type Pattern } from '../match/Matcher.ts'
import { type Block, expectPresent, foldBlocks } from '../tree/Block.ts'
import { messageOf } from './body.ts'
import { findCall, insertEmpty, isCall } from './core.ts'
import {
  byTime,
  type DepositData,
  type DexTransfer,
  depositKind,
  dexWithdrawal,
  findAsset,
  getPaidOut,
  jettonSwap,
  listTransfers,
  nested,
  type PeerSwap,
  paidIn,
  paidInSomehow,
  readPaidIn,
  readPaidOut,
  type WithdrawnLeg,
} from './dex.ts'
import { jettonBurn, jettonOps, jettonTransfer, readInternalTransfer } from './jettons.ts'
import {
  readLastWallet,
  readStonfiV2PayTo,
  readStonfiV2Provide,
  type StonfiLeg,
  stonfiExits,
  stonfiV2Ops,
} from './stonfi.ts'

const dexDeposit = depositKind('dex_deposit_liquidity')

/** Shares are minted, or the account of the provider gets a refund. */
const added = call(stonfiV2Ops.addLiquidityDone, {
  optional: true,
  next: oneOf([call(jettonOps.internalTransfer), call(stonfiV2Ops.addLiquidity)]),
})

/** One of the two assets of a pool; the second match absorbs the first. */
export const matchStonfiV2Deposit: Matcher = {
  name: 'stonfi_v2 deposit',
  isAnchor: (block) => isCall(block, stonfiV2Ops.provide),
  around: { previous: paidInSomehow, next: call(stonfiV2Ops.addLiquidity, { next: added }) },
  build: (match) => {
    const parts = [match.anchor, ...match.others]
    const { transfer, block: payment } = readPaidIn(match.anchor)
    const { data, failed } = readDeposit(match, transfer)
    const sibling = findSibling(payment, data)
    if (sibling === undefined) {
      foldBlocks(dexDeposit, data, parts, { failed })
      return
    }
    const joint = insertEmpty(expectPresent(payment.previous, 'common parent'), [sibling as Block, payment])
    foldBlocks(dexDeposit, withSibling(data, sibling.data), [...parts, sibling as Block, joint], {
      failed: failed || sibling.failed,
    })
  },
}

const readDeposit = (
  { anchor, others }: Match,
  transfer: DexTransfer,
): { readonly data: DepositData; readonly failed: boolean } => {
  const { from, amounts } = readStonfiV2Provide(anchor)
  const results = findCall(others, stonfiV2Ops.addLiquidityDone)?.next ?? []
  const shares = findCall(results, jettonOps.internalTransfer)
  const pool = messageOf(anchor).destination
  const data: DepositData = {
    dex: 'stonfi_v2',
    provider: from,
    pool,
    liquidityTo: pool,
    legs: [{ asset: transfer.asset, amount: amounts[0] > 0n ? amounts[0] : amounts[1] }, undefined],
    wallets: [transfer.sourceWallet, undefined],
    minted: shares && readInternalTransfer(shares).amount,
    excesses: [],
  }
  return { data, failed: findCall(results, stonfiV2Ops.addLiquidity) !== undefined }
}

/** The other deposit of the same provider into the same pool. One of the two completes it. */
const findSibling = ({ previous }: Block, { provider, pool, minted }: DepositData): Block<DepositData> | undefined =>
  previous?.next.find(
    (next): next is Block<DepositData> =>
      next.is(dexDeposit) &&
      next.container === undefined &&
      next.data.provider === provider &&
      next.data.pool === pool &&
      next.data.minted !== minted,
  )

const withSibling = (own: DepositData, other: DepositData): DepositData => ({
  ...own,
  legs: [own.legs[0], other.legs[0]],
  wallets: [own.wallets[0], other.wallets[0]],
  minted: own.minted ?? other.minted,
})

/** Another router is paid by transfer; a pool of the same router is called directly. */
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

/** A pool pays one of its two assets: the larger amount, since the other is zero. */
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

/** Shares are burnt, or incomplete liquidity is refunded. */
const asked = oneOf([
  call(stonfiV2Ops.burn, { previous: kindOf(jettonBurn) }),
  call(stonfiV2Ops.refund, { previous: call(stonfiV2Ops.refundMe) }),
])

/** One of the two payments out of a pool; the other is beside it. */
export const matchStonfiV2Withdraw: Matcher = {
  name: 'stonfi_v2 withdrawal',
  isAnchor: (block) => isCall(block, stonfiV2Ops.payTo),
  around: { previous: asked, next: kindOf(jettonTransfer) },
  build: (match) => {
    const { anchor, others } = match
    const payments = [anchor, ...findSiblings(match)]
    const paid = payments.map((payment) => readLeg(payment))
    const { provider, providerWallet, burnt } = readProvider(anchor)
    const data = {
      dex: 'stonfi_v2' as const,
      provider,
      providerWallet,
      pool: messageOf(anchor).source,
      burnt,
      legs: [paid[0]?.leg, paid[1]?.leg] as const,
    }
    foldBlocks(dexWithdrawal, data, [...payments, ...others, ...paid.flatMap(({ blocks }) => blocks)])
  },
}

const findSiblings = ({ anchor, others }: Match): Block[] =>
  (anchor.previous?.next ?? []).filter(
    (next) =>
      next !== anchor &&
      !others.includes(next) &&
      next.container === undefined &&
      isCall(next, stonfiV2Ops.payTo) &&
      listTransfers(next.next).length > 0,
  )

const readLeg = (payment: Block): { readonly leg: WithdrawnLeg; readonly blocks: readonly Block[] } => {
  const transfer = expectPresent(listTransfers(payment.next)[0], 'payout')
  const { transfer: paid, pton } = readPaidOut(transfer)
  const blocks = [transfer as Block, ...(pton === undefined ? [] : [pton])]
  return { leg: { asset: paid.asset, amount: paid.amount, wallet: paid.destinationWallet }, blocks }
}

type Provider = {
  readonly provider: string | undefined
  readonly providerWallet?: string | undefined
  readonly burnt: bigint | undefined
}

const readProvider = ({ previous }: Block): Provider => {
  const request = expectPresent(previous?.previous, 'request of the provider')
  if (request.is(jettonBurn)) {
    const { owner, ownerWallet, amount } = request.data
    return { provider: owner, providerWallet: ownerWallet, burnt: amount }
  }
  return { provider: messageOf(request).source, burnt: undefined }
}
