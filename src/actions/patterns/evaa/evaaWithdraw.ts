import { foldMatch, type Match, type Matcher } from '../../match/Matcher.ts'
import { expectPresent } from '../../match/MatchRefusedError.ts'
import { call, kindOf, oneOf } from '../../match/Pattern.ts'
import { blockKind } from '../../tree/Block.ts'
import { messageOf } from '../bodies/body.ts'
import { evaaOps, readMovedAmount, readWithdraw } from '../bodies/evaa.ts'
import { findCall, getCall, getKind } from '../core/findCall.ts'
import { isCall } from '../core/isCall.ts'
import { tonTransfer } from '../core/tonTransfer.ts'
import { jettonTransfer } from '../jetton/jettonTransfer.ts'
import { formatAssetId, TON_ASSET_ID } from './evaaAssets.ts'
import { commentedChange, isUserCall, userCall } from './evaaPatterns.ts'

export type EvaaWithdrawData = {
  readonly owner: string | undefined
  readonly ownerContract: string | undefined
  readonly recipient: string | undefined
  readonly master: string | undefined
  readonly assetId: bigint
  readonly failReason: string | undefined
} & Outcome

/** What was paid; wallets are those of jettons. */
type Outcome = {
  readonly amount: bigint
  readonly asset: string | undefined
  readonly recipientWallet: string | undefined
  readonly masterWallet: string | undefined
}

/** Coins or jettons that were taken back or borrowed. */
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

/** By the opcodes with which the contract of a user sends the money back. */
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
const notPaid = call(evaaOps.withdrawCollateralized, {
  next: userCall(evaaOps.withdrawFailed, { next: call(evaaOps.withdrawNoFunds) }),
})

export const matchEvaaWithdraw: Matcher = {
  name: 'evaa withdraw',
  isAnchor: (block) => isCall(block, evaaOps.withdraw),
  around: { next: userCall(evaaOps.withdrawUser, { next: oneOf([paid, notPaid, call(refusalOps)]) }) },
  build: (match) => {
    const { anchor, others } = match
    const { assetId, amount, recipient } = readWithdraw(anchor)
    const { source: owner, destination: master } = messageOf(anchor)
    const told = expectPresent(
      others.find((block) => isUserCall(block, evaaOps.withdrawUser)),
      'call to the contract of the user',
    )
    const failReason = findFailReason(match)
    const outcome = failReason === undefined ? readPaid(match, assetId) : { ...nothingPaid, amount }
    const ownerContract = messageOf(told).destination
    const data = { owner, ownerContract, recipient, master, assetId, failReason, ...outcome }
    foldMatch(match, evaaWithdraw, data, { failed: failReason !== undefined })
  },
}

const findFailReason = ({ others }: Match): string | undefined => {
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
