import { foldMatch, type Match, type MatchContext, type Matcher } from '../../match/Matcher.ts'
import { expectPresent } from '../../match/MatchRefusedError.ts'
import { call, kindOf, when } from '../../match/Pattern.ts'
import type { Block } from '../../tree/Block.ts'
import { messageOf } from '../bodies/body.ts'
import { jettonOps } from '../bodies/jetton.ts'
import { readInitPosition, readToncoAddLiquidity, readToncoDepositRequest, toncoOps } from '../bodies/tonco.ts'
import { findCall, findKind } from '../core/findCall.ts'
import { isCall } from '../core/isCall.ts'
import { type AssetAmount, type DepositData, depositKind } from '../dex/depositLiquidity.ts'
import { listTransfers, paidIn, readPaidIn, readPaidOut } from '../dex/routed.ts'
import { findAsset } from '../dex/toAsset.ts'
import { jettonTransfer } from '../jetton/jettonTransfer.ts'
import { nftMint } from '../nft/nftMint.ts'

const toncoDeposit = depositKind('tonco_deposit_liquidity')

const refund = kindOf(jettonTransfer, { optional: true, next: call(jettonOps.ptonTransfer, { optional: true }) })
const minted = call(toncoOps.mintAndRefund, {
  optional: true,
  all: [
    call(toncoOps.payTo, { optional: true, all: [refund, refund] }),
    when((block) => block.is(nftMint) && block.data.opcode === toncoOps.initPosition),
  ],
})

/** An asset comes to the account that a pool keeps for its provider; the second one makes a position. */
export const matchToncoDeposit: Matcher = {
  name: 'tonco deposit',
  isAnchor: (block) => isCall(block, toncoOps.addLiquidity),
  around: { previous: call(toncoOps.fundAccount, { previous: paidIn }), next: minted },
  build: (match, context) => {
    foldMatch(match, toncoDeposit, readDeposit(match, context))
  },
}

const readDeposit = ({ anchor, others }: Match, { facts }: MatchContext): DepositData => {
  const { source: pool, destination: keeper } = messageOf(anchor)
  const { transfer, request } = readPaidIn(expectPresent(anchor.previous, 'call of the pool'))
  const otherWallet = readToncoDepositRequest(expectPresent(request, 'request').cell)
  const { added, enough, tickLower, tickUpper } = readToncoAddLiquidity(anchor)
  const isFirst = added[0] > 0n
  const other = findAsset(facts, otherWallet)?.asset
  const assets = isFirst ? [transfer.asset, other] : [other, transfer.asset]
  const item = findKind(others, nftMint)
  const position = item && readInitPosition(item as Block)
  return {
    dex: 'tonco',
    provider: transfer.source,
    providerWallet: transfer.sourceWallet,
    pool,
    keeper,
    liquidityTo: pool,
    legs: [{ asset: transfer.asset, amount: transfer.amount }, undefined],
    wallets: isFirst ? [transfer.sourceWallet, undefined] : [undefined, transfer.sourceWallet],
    minted: position?.liquidity,
    targets: [
      { asset: assets[0], amount: enough[0] },
      { asset: assets[1], amount: enough[1] },
    ],
    excesses: listRefunds(others),
    position: { tickLower, tickUpper, index: position?.index, item: item?.data.item },
  }
}

const listRefunds = (others: readonly Block[]): AssetAmount[] =>
  listTransfers(findCall(others, toncoOps.payTo)?.next ?? []).map((block) => {
    const { asset, amount } = readPaidOut(block).transfer
    return { asset, amount }
  })
