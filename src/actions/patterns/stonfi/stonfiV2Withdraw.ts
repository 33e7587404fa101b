import type { Match, Matcher } from '../../match/Matcher.ts'
import { expectPresent } from '../../match/MatchRefusedError.ts'
import { call, kindOf, oneOf } from '../../match/Pattern.ts'
import type { Block } from '../../tree/Block.ts'
import { foldBlocks } from '../../tree/foldBlocks.ts'
import { messageOf } from '../bodies/body.ts'
import { stonfiV2Ops } from '../bodies/stonfi.ts'
import { isCall } from '../core/isCall.ts'
import { listTransfers, readPaidOut } from '../dex/routed.ts'
import { dexWithdrawal, type WithdrawnLeg } from '../dex/withdrawLiquidity.ts'
import { jettonBurn } from '../jetton/jettonBurn.ts'
import { jettonTransfer } from '../jetton/jettonTransfer.ts'

/** Shares are burnt, or liquidity that was never complete is given back. */
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
