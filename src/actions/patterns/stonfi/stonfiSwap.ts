import type { Match, MatchContext, Matcher } from '../../match/Matcher.ts'
import { expectPresent } from '../../match/MatchRefusedError.ts'
import { call, kindOf } from '../../match/Pattern.ts'
import { type Block, walkBlocks } from '../../tree/Block.ts'
import { foldBlocks } from '../../tree/foldBlocks.ts'
import { readStonfiPay, readStonfiRequest, readStonfiSwap, stonfiExits, stonfiOps } from '../bodies/stonfi.ts'
import { tryRead } from '../bodies/tryRead.ts'
import { getCall, getKind } from '../core/findCall.ts'
import { isCall } from '../core/isCall.ts'
import { type JettonSwapData, jettonSwap } from '../dex/jettonSwap.ts'
import { type JettonTransferData, jettonTransfer } from '../jetton/jettonTransfer.ts'

type Payment = {
  readonly block: Block
  readonly exitCode: number
  readonly amount: bigint
  readonly wallet: string | undefined
}

/** What the first version of the router pays to those who exchange, for better or worse. */
const ownExits: readonly number[] = [stonfiExits.swapped, stonfiExits.noLiquidity, stonfiExits.reserveError]

export const matchStonfiSwap: Matcher = {
  name: 'stonfi swap',
  isAnchor: (block) => block.is(jettonTransfer),
  around: { next: call(stonfiOps.swap, { next: call(stonfiOps.pay, { next: kindOf(jettonTransfer) }) }) },
  build: (match, context) => {
    const payments = match.others.filter((block) => isCall(block, stonfiOps.pay)).map(readPayment)
    const own = findOwnPayment(payments)
    const data = readSwap(match, own, context)
    // What referrers are paid is no part of the swap.
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

/** Coins that are shown as the jetton that stands for them, as this version of the exchange has it. */
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
