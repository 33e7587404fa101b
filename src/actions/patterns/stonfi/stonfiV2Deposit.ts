import type { Match, Matcher } from '../../match/Matcher.ts'
import { expectPresent } from '../../match/MatchRefusedError.ts'
import { call, oneOf } from '../../match/Pattern.ts'
import type { Block } from '../../tree/Block.ts'
import { foldBlocks } from '../../tree/foldBlocks.ts'
import { insertEmpty } from '../../tree/insertEmpty.ts'
import { messageOf } from '../bodies/body.ts'
import { jettonOps, readInternalTransfer } from '../bodies/jetton.ts'
import { readStonfiV2Provide, stonfiV2Ops } from '../bodies/stonfi.ts'
import { findCall } from '../core/findCall.ts'
import { isCall } from '../core/isCall.ts'
import type { DexTransfer } from '../dex/DexTransfer.ts'
import { type DepositData, depositKind } from '../dex/depositLiquidity.ts'
import { paidInSomehow, readPaidIn } from '../dex/routed.ts'

const dexDeposit = depositKind('dex_deposit_liquidity')

/** Shares are minted, or the account of the provider is given back what it had. */
const added = call(stonfiV2Ops.addLiquidityDone, {
  optional: true,
  next: oneOf([call(jettonOps.internalTransfer), call(stonfiV2Ops.addLiquidity)]),
})

/** One of the two assets of a pool; the second that is found takes in the first. */
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

/** What the same provider put into the same pool, beside this. One of the two completes it. */
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
