import { foldMatch, type Matcher } from '../../match/Matcher.ts'
import { call, kindOf } from '../../match/Pattern.ts'
import { blockKind } from '../../tree/Block.ts'
import { layerzeroOps } from '../bodies/layerzero.ts'
import { getKind } from '../core/findCall.ts'
import { type JettonTransferData, jettonTransfer } from '../jetton/jettonTransfer.ts'
import { describeSend, type LayerzeroSendData, layerzeroSend } from './layerzeroSend.ts'

export type LayerzeroSendTokensData = {
  readonly transfer: JettonTransferData
  readonly send: LayerzeroSendData
}

/** Jettons to another chain: they went to the application that sends the packet. */
const layerzeroSendTokens = blockKind<LayerzeroSendTokensData>({
  name: 'layerzero_send_tokens',
  describe: ({ data: { transfer, send } }) => {
    const { sender, senderWallet, receiver, receiverWallet, asset, amount } = transfer
    return {
      source: sender,
      sourceSecondary: senderWallet,
      destination: receiver,
      destinationSecondary: receiverWallet,
      details: {
        sender: sender ?? null,
        sender_wallet: senderWallet ?? null,
        oapp: receiver ?? null,
        oapp_wallet: receiverWallet ?? null,
        asset: asset ?? null,
        amount: String(amount),
        ...describeSend(send),
      },
    }
  },
})

export const matchLayerzeroSendTokens: Matcher = {
  name: 'layerzero send tokens',
  isAnchor: (block) => block.is(layerzeroSend),
  around: { previous: kindOf(jettonTransfer, { next: call(layerzeroOps.event) }) },
  build: (match) => {
    const send = getKind([match.anchor], layerzeroSend).data
    const transfer = getKind(match.others, jettonTransfer).data
    foldMatch(match, layerzeroSendTokens, { transfer, send })
  },
}
