import { call, foldMatch, kindOf, type Match, type Matcher, oneOf } from '../match/Matcher.ts'
import { type Addresses, type Block, blockKind, expectPresent } from '../tree/Block.ts'
import { messageOf } from './body.ts'
import { findCall, getCall, getKind, isCall, tonTransfer } from './core.ts'
import {
  commentedChange,
  evaaOps,
  findEvaaAsset,
  formatAssetId,
  isRequest,
  isUserCall,
  type LiquidateBody,
  readLiquidate,
  readLiquidateSatisfied,
  readMovedAmount,
  readSuppliedAsset,
  readSupply,
  readSupplyRecipient,
  readUnsatisfiedCode,
  readWithdraw,
  TON_ASSET_ID,
  userCall,
} from './evaaBodies.ts'
import { type JettonTransferData, jettonTransfer } from './jettons.ts'

/** The request. Wallets are jetton wallets. */
type Request = Addresses<
  'sender' | 'senderWallet' | 'recipient' | 'recipientWallet' | 'master' | 'masterWallet' | 'asset'
> & {
  readonly isTon: boolean
  readonly amount: bigint
}

export type EvaaSupplyData = Request & { readonly recipientContract: string | undefined; readonly assetId: bigint }

/** Supply of coins or jettons. */
const evaaSupply = blockKind<EvaaSupplyData>({
  name: 'evaa_supply',
  describe: ({ data }) => ({
    source: data.sender,
    sourceSecondary: data.senderWallet,
    destination: data.recipient,
    destinationSecondary: data.recipientContract,
    details: {
      sender_jetton_wallet: null,
      recipient_jetton_wallet: data.recipientWallet ?? null,
      master_jetton_wallet: data.masterWallet ?? null,
      master: data.master ?? null,
      asset_id: formatAssetId(data.assetId),
      is_ton: data.isTon,
      source: data.sender ?? null,
      source_wallet: data.senderWallet ?? null,
      recipient: data.recipient ?? null,
      recipient_contract: data.recipientContract ?? null,
      asset: data.asset ?? null,
      amount: String(data.amount),
    },
  }),
})

export const matchEvaaSupply: Matcher = {
  name: 'evaa supply',
  isAnchor: (block) => isRequest(block, evaaOps.supply),
  around: {
    next: userCall(evaaOps.supplyUser, {
      next: oneOf([
        call(evaaOps.supplied, { next: commentedChange }),
        call(evaaOps.supplyFailed),
        kindOf(jettonTransfer),
      ]),
    }),
  },
  build: (match) => {
    const { anchor, others } = match
    const request = anchor.is(jettonTransfer) ? readJettonRequest(anchor, match) : readTonRequest(anchor)
    const told = expectPresent(
      others.find((block) => isUserCall(block, evaaOps.supplyUser)),
      'call to the contract of the user',
    )
    const supplied = findCall(others, evaaOps.supplied)
    const data = {
      ...request,
      amount: supplied === undefined ? request.amount : readMovedAmount(supplied),
      recipientContract: messageOf(told).destination,
      assetId: readSuppliedAsset(told),
    }
    foldMatch(match, evaaSupply, data, { failed: supplied === undefined })
  },
}

const readTonRequest = (anchor: Block): Request => {
  const { source, destination } = messageOf(anchor)
  return {
    isTon: true,
    sender: source,
    senderWallet: undefined,
    ...readSupply(anchor),
    recipientWallet: undefined,
    master: destination,
    masterWallet: undefined,
    asset: undefined,
  }
}

const readJettonRequest = ({ data }: Block<JettonTransferData>, { others }: Match): Request => {
  const { sender, senderWallet, receiver, receiverWallet, asset, amount, forward } = data
  const recipient = readSupplyRecipient(expectPresent(forward, 'payload').cell)
  const returned = others.find((block) => block.is(jettonTransfer) && block.data.senderWallet === receiverWallet)
  const foundWallet = returned?.is(jettonTransfer) ? returned.data.receiverWallet : undefined
  return {
    isTon: false,
    sender,
    senderWallet,
    recipient,
    recipientWallet: recipient === sender ? senderWallet : foundWallet,
    master: receiver,
    masterWallet: receiverWallet,
    asset,
    amount,
  }
}

export type EvaaWithdrawData = {
  readonly owner: string | undefined
  readonly ownerContract: string | undefined
  readonly recipient: string | undefined
  readonly master: string | undefined
  readonly assetId: bigint
  readonly failReason: string | undefined
} & Outcome

/** The payment. Wallets are jetton wallets. */
type Outcome = Addresses<'asset' | 'recipientWallet' | 'masterWallet'> & { readonly amount: bigint }

/** Withdrawal or loan of coins or jettons. */
const evaaWithdraw = blockKind<EvaaWithdrawData>({
  name: 'evaa_withdraw',
  describe: ({ data }) => ({
    source: data.owner,
    destination: data.recipient,
    destinationSecondary: data.ownerContract,
    details: {
      recipient_jetton_wallet: data.recipientWallet ?? null,
      master_jetton_wallet: data.masterWallet ?? null,
      master: data.master ?? null,
      fail_reason: data.failReason ?? null,
      asset_id: formatAssetId(data.assetId),
      source: data.owner ?? null,
      recipient: data.recipient ?? null,
      owner_contract: data.ownerContract ?? null,
      asset: data.asset ?? null,
      amount: String(data.amount),
    },
  }),
})

const NO_FUNDS = 'withdraw_no_funds_excess'

/** By the opcodes with which a user contract returns the money. */
const refusals: ReadonlyMap<number, string> = new Map([
  [0x21e6, 'withdraw_locked_excess'],
  [0x21e7, 'withdraw_not_collateralized_excess'],
  [0x21e8, 'withdraw_missing_prices_excess'],
  [0x21ec, 'withdraw_execution_crashed'],
])
const refusalOps = [...refusals.keys()]

const paid = call(evaaOps.withdrawCollateralized, {
  all: [
    oneOf([kindOf(jettonTransfer), call(evaaOps.withdrawn, { next: commentedChange })]),
    userCall(evaaOps.withdrawn, { next: kindOf(tonTransfer) }),
  ],
})
const withdrawalNotPaid = call(evaaOps.withdrawCollateralized, {
  next: userCall(evaaOps.withdrawFailed, { next: call(evaaOps.withdrawNoFunds) }),
})

export const matchEvaaWithdraw: Matcher = {
  name: 'evaa withdraw',
  isAnchor: (block) => isCall(block, evaaOps.withdraw),
  around: { next: userCall(evaaOps.withdrawUser, { next: oneOf([paid, withdrawalNotPaid, call(refusalOps)]) }) },
  build: (match) => {
    const { anchor, others } = match
    const { assetId, amount, recipient } = readWithdraw(anchor)
    const { source: owner, destination: master } = messageOf(anchor)
    const told = expectPresent(
      others.find((block) => isUserCall(block, evaaOps.withdrawUser)),
      'call to the contract of the user',
    )
    const failReason = findWithdrawalFailure(match)
    const outcome = failReason === undefined ? readPaid(match, assetId) : { ...nothingPaid, amount }
    const ownerContract = messageOf(told).destination
    const data = { owner, ownerContract, recipient, master, assetId, failReason, ...outcome }
    foldMatch(match, evaaWithdraw, data, { failed: failReason !== undefined })
  },
}

const findWithdrawalFailure = ({ others }: Match): string | undefined => {
  if (findCall(others, evaaOps.withdrawNoFunds) !== undefined) return NO_FUNDS
  const refusal = findCall(others, ...refusalOps)
  return refusal && refusals.get(messageOf(refusal).opcode ?? 0)
}

const nothingPaid = { asset: undefined, recipientWallet: undefined, masterWallet: undefined }

const readPaid = ({ others }: Match, assetId: bigint): Outcome => {
  const amount = readMovedAmount(getCall(others, evaaOps.withdrawCollateralized))
  if (assetId === TON_ASSET_ID) {
    getCall(others, evaaOps.withdrawn)
    return { ...nothingPaid, amount }
  }
  const { asset, receiverWallet, senderWallet } = getKind(others, jettonTransfer).data
  return { amount, asset, recipientWallet: receiverWallet, masterWallet: senderWallet }
}

export type EvaaLiquidateData = Addresses<'liquidator' | 'borrower' | 'borrowerContract' | 'failReason'> & {
  readonly collateralId: bigint
  readonly collateralAmount: bigint
  readonly debtAmount: bigint
}

/** A liquidator paid a debt and received its collateral. */
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

/** The final transfer to the liquidator, on success or failure. */
const report = oneOf([call([evaaOps.liquidateReport, evaaOps.liquidateFailed]), kindOf(jettonTransfer)])

const liquidated = call(evaaOps.liquidateSatisfied, {
  all: [userCall(evaaOps.liquidated, { next: commentedChange }), report],
})
const liquidationNotPaid = call(evaaOps.liquidateSatisfied, { all: [call(evaaOps.liquidateFailed), report] })
const unsatisfied = call(evaaOps.liquidateUnsatisfied, { next: report })

export const matchEvaaLiquidate: Matcher = {
  name: 'evaa liquidate',
  isAnchor: (block) => isRequest(block, evaaOps.liquidate),
  around: {
    next: oneOf([
      userCall(evaaOps.liquidateUser, { next: oneOf([liquidated, liquidationNotPaid, unsatisfied]) }),
      call(BOUNCE),
      kindOf(jettonTransfer),
    ]),
  },
  build: (match) => {
    const { anchor, others } = match
    const { liquidator, ...asked } = readRequest(anchor)
    const told = others.find((block) => isUserCall(block, evaaOps.liquidateUser))
    const failReason = told === undefined ? REJECTED : findLiquidationFailure(match)
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

const findLiquidationFailure = ({ others }: Match): string | undefined => {
  if (others.some((block) => isUserCall(block, evaaOps.liquidated))) return undefined
  const refused = findCall(others, evaaOps.liquidateUnsatisfied)
  if (refused === undefined) return NO_LIQUIDITY
  const code = readUnsatisfiedCode(refused)
  return code === undefined ? 'parse_error' : (reasons.get(code) ?? 'unknown')
}
