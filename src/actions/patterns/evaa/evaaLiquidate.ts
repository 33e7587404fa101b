import { foldMatch, type Match, type Matcher } from '../../match/Matcher.ts'
import { expectPresent } from '../../match/MatchRefusedError.ts'
import { call, kindOf, oneOf } from '../../match/Pattern.ts'
import { type Block, blockKind } from '../../tree/Block.ts'
import { messageOf } from '../bodies/body.ts'
import {
  evaaOps,
  type LiquidateBody,
  readLiquidate,
  readLiquidateSatisfied,
  readUnsatisfiedCode,
} from '../bodies/evaa.ts'
import { findCall, getCall } from '../core/findCall.ts'
import { jettonTransfer } from '../jetton/jettonTransfer.ts'
import { findEvaaAsset, formatAssetId } from './evaaAssets.ts'
import { commentedChange, isRequest, isUserCall, userCall } from './evaaPatterns.ts'

export type EvaaLiquidateData = {
  readonly liquidator: string | undefined
  readonly borrower: string | undefined
  readonly borrowerContract: string | undefined
  readonly collateralId: bigint
  readonly collateralAmount: bigint
  readonly debtAmount: bigint
  readonly failReason: string | undefined
}

/** A debt was paid by somebody else, who got what secured it. */
const evaaLiquidate = blockKind<EvaaLiquidateData>({
  name: 'evaa_liquidate',
  describe: ({ data }) => {
    const { isKnown, jetton } = findEvaaAsset(data.collateralId)
    return {
      source: data.liquidator,
      destination: data.borrower,
      destinationSecondary: data.borrowerContract,
      details: {
        fail_reason: data.failReason ?? null,
        debt_amount: String(data.debtAmount),
        source: data.liquidator ?? null,
        borrower: data.borrower ?? null,
        borrower_contract: data.borrowerContract ?? null,
        collateral: String(data.collateralId),
        asset_id: formatAssetId(data.collateralId),
        asset: jetton ?? null,
        is_known_asset: isKnown,
        amount: String(data.collateralAmount),
      },
    }
  },
})

const BOUNCE = 0xffffffff
const NO_LIQUIDITY = 'master_not_enough_liquidity'
const REJECTED = 'immediate_rejection'

const reasons: ReadonlyMap<number, string> = new Map([
  [0xe001, 'master_liquidating_too_much'],
  [0xe002, 'user_withdraw_in_progress'],
  [0xe003, 'not_liquidatable'],
  [0xe004, 'execution_crashed'],
  [0xe005, 'min_collateral_not_satisfied'],
  [0xe006, 'user_not_enough_collateral'],
  [0xe007, 'user_liquidating_too_much'],
  [0xe008, NO_LIQUIDITY],
  [0xe009, 'liquidation_prices_missing'],
])

/** What the liquidator is sent in the end, whichever way it went. */
const report = oneOf([call([evaaOps.liquidateReport, evaaOps.liquidateFailed]), kindOf(jettonTransfer)])

const liquidated = call(evaaOps.liquidateSatisfied, {
  all: [userCall(evaaOps.liquidated, { next: commentedChange }), report],
})
const notPaid = call(evaaOps.liquidateSatisfied, { all: [call(evaaOps.liquidateFailed), report] })
const unsatisfied = call(evaaOps.liquidateUnsatisfied, { next: report })

export const matchEvaaLiquidate: Matcher = {
  name: 'evaa liquidate',
  isAnchor: (block) => isRequest(block, evaaOps.liquidate),
  around: {
    next: oneOf([
      userCall(evaaOps.liquidateUser, { next: oneOf([liquidated, notPaid, unsatisfied]) }),
      call(BOUNCE),
      kindOf(jettonTransfer),
    ]),
  },
  build: (match) => {
    const { anchor, others } = match
    const { liquidator, ...asked } = readRequest(anchor)
    const told = others.find((block) => isUserCall(block, evaaOps.liquidateUser))
    const failReason = told === undefined ? REJECTED : findFailReason(match)
    const { borrower, collateralId, amount, reward } =
      failReason === undefined
        ? readLiquidateSatisfied(getCall(others, evaaOps.liquidateSatisfied))
        : { ...asked, reward: 0n }
    const data = {
      liquidator,
      borrower,
      borrowerContract: told && messageOf(told).destination,
      collateralId,
      collateralAmount: reward,
      debtAmount: amount,
      failReason,
    }
    foldMatch(match, evaaLiquidate, data, { failed: failReason !== undefined })
  },
}

const readRequest = (anchor: Block): LiquidateBody & { readonly liquidator: string | undefined } => {
  if (!anchor.is(jettonTransfer)) {
    const { source: liquidator, body } = messageOf(anchor)
    return { liquidator, ...readLiquidate(body) }
  }
  const { sender: liquidator, forward } = anchor.data
  return { liquidator, ...readLiquidate(expectPresent(forward, 'payload').cell) }
}

const findFailReason = ({ others }: Match): string | undefined => {
  if (others.some((block) => isUserCall(block, evaaOps.liquidated))) return undefined
  const refused = findCall(others, evaaOps.liquidateUnsatisfied)
  if (refused === undefined) return NO_LIQUIDITY
  const code = readUnsatisfiedCode(refused)
  return code === undefined ? 'parse_error' : (reasons.get(code) ?? 'unknown')
}
