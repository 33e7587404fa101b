import { foldMatch, type Match, type Matcher } from '../../match/Matcher.ts'
import { expectPresent } from '../../match/MatchRefusedError.ts'
import { call, kindOf, oneOf } from '../../match/Pattern.ts'
import { type Block, blockKind } from '../../tree/Block.ts'
import { messageOf } from '../bodies/body.ts'
import { evaaOps, readMovedAmount, readSuppliedAsset, readSupply, readSupplyRecipient } from '../bodies/evaa.ts'
import { findCall } from '../core/findCall.ts'
import { type JettonTransferData, jettonTransfer } from '../jetton/jettonTransfer.ts'
import { formatAssetId } from './evaaAssets.ts'
import { commentedChange, isRequest, isUserCall, userCall } from './evaaPatterns.ts'

/** What was asked for. Wallets are those of jettons. */
type Request = {
  readonly isTon: boolean
  readonly sender: string | undefined
  readonly senderWallet: string | undefined
  readonly recipient: string | undefined
  readonly recipientWallet: string | undefined
  readonly master: string | undefined
  readonly masterWallet: string | undefined
  readonly asset: string | undefined
  readonly amount: bigint
}

export type EvaaSupplyData = Request & { readonly recipientContract: string | undefined; readonly assetId: bigint }

/** Coins or jettons that were lent. */
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
