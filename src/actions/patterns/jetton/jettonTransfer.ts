import { foldMatch, type Matcher } from '../../match/Matcher.ts'
import { expectPresent } from '../../match/MatchRefusedError.ts'
import { call } from '../../match/Pattern.ts'
import { formatBoc } from '../../rows/format.ts'
import { blockKind } from '../../tree/Block.ts'
import { foldBlocks } from '../../tree/foldBlocks.ts'
import { messageOf } from '../bodies/body.ts'
import { type JettonTransferBody, jettonOps, readInternalTransfer, readJettonTransfer } from '../bodies/jetton.ts'
import { tryRead } from '../bodies/tryRead.ts'
import { getCall } from '../core/findCall.ts'
import { isCall } from '../core/isCall.ts'
import { ptonMasters } from './ptonMasters.ts'

export type JettonTransferData = Omit<JettonTransferBody, 'destination'> & {
  /** The master; `undefined` where it was never sent, and the wallet is not known. */
  readonly asset: string | undefined
  readonly sender: string | undefined
  readonly receiver: string | undefined
  /** `undefined` for both, where the jetton only stands for the native coin. */
  readonly senderWallet: string | undefined
  readonly receiverWallet: string | undefined
}

/** Jettons from one owner to another. */
export const jettonTransfer = blockKind<JettonTransferData>({
  name: 'jetton_transfer',
  isClosed: true,
  describe: ({ data }) => ({
    source: data.sender,
    sourceSecondary: data.senderWallet,
    destination: data.receiver,
    destinationSecondary: data.receiverWallet,
    details: {
      asset: data.asset ?? null,
      sender: data.sender ?? null,
      receiver: data.receiver ?? null,
      sender_jetton_wallet: data.senderWallet ?? null,
      receiver_jetton_wallet: data.receiverWallet ?? null,
      amount: String(data.amount),
      comment: data.forward?.comment ?? null,
      is_encrypted_comment: data.forward?.isEncrypted ?? false,
      query_id: String(data.queryId),
      response_destination: data.response ?? null,
      custom_payload: formatBoc(data.customPayload),
      forward_payload: formatBoc(data.forward?.cell),
      forward_amount: String(data.forwardAmount),
    },
  }),
})

const notified = call(jettonOps.notify, { optional: true })

export const matchJettonTransfer: Matcher = {
  name: 'jetton_transfer',
  isAnchor: (block) => isCall(block, jettonOps.transfer),
  around: { next: call(jettonOps.internalTransfer, { next: notified }) },
  build: (match, { facts }) => {
    const { anchor, others } = match
    const received = getCall(others, jettonOps.internalTransfer)
    const { destination: _asked, ...asked } = readJettonTransfer(anchor)
    // Some wallets have messages of their own between them: then what was asked for counts.
    const { amount, forwardAmount } = tryRead(() => readInternalTransfer(received)) ?? asked
    const { source, destination: senderWallet } = messageOf(anchor)
    const receiverWallet = messageOf(received).destination
    const wallet = expectPresent(facts.of(receiverWallet).jettonWallet, 'jetton wallet of the receiver')
    const data = {
      ...asked,
      amount,
      forwardAmount,
      asset: wallet.jetton,
      sender: source,
      receiver: wallet.owner,
      senderWallet,
      receiverWallet,
    }
    foldMatch(match, jettonTransfer, data, { failed: anchor.failed || received.failed })
  },
}

/** A jetton that stands for the native coin: its wallets pass on coins, and no tokens. */
export const matchPtonTransfer: Matcher = {
  name: 'pton_transfer',
  isAnchor: (block, { facts }) => {
    if (!isCall(block, jettonOps.transfer)) return false
    const wallet = facts.of(messageOf(block).destination).jettonWallet
    return wallet !== undefined && ptonMasters.has(wallet.jetton)
  },
  around: { next: notified },
  build: (match, { facts }) => {
    const { anchor } = match
    const { source, destination } = messageOf(anchor)
    const wallet = expectPresent(facts.of(destination).jettonWallet, 'jetton wallet')
    const { destination: receiver, ...asked } = readJettonTransfer(anchor)
    const data = {
      ...asked,
      asset: wallet.jetton,
      sender: source,
      receiver,
      senderWallet: undefined,
      receiverWallet: undefined,
    }
    foldMatch(match, jettonTransfer, data, { failed: anchor.failed })
  },
}

/** One that a wallet was asked to send and never did. */
export const matchGhostTransfer: Matcher = {
  name: 'jetton_transfer of a request',
  isAnchor: (block) => isCall(block, jettonOps.transfer) && block.node.isGhost,
  around: {},
  build: ({ anchor }, { facts }) => {
    const { source, destination: senderWallet } = messageOf(anchor)
    const { destination: receiver, ...asked } = readJettonTransfer(anchor)
    const asset = facts.of(senderWallet).jettonWallet?.jetton
    const data = { ...asked, asset, sender: source, receiver, senderWallet, receiverWallet: undefined }
    foldBlocks(jettonTransfer, data, [anchor], { failed: true })
  },
}
