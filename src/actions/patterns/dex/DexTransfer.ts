import type { JettonTransferData } from '../jetton/jettonTransfer.ts'
import { toAsset } from './toAsset.ts'

/** What an exchange was given, or gave. Of an asset `undefined` is the native coin. */
export type DexTransfer = {
  readonly asset: string | undefined
  readonly amount: bigint
  readonly source: string | undefined
  readonly sourceWallet: string | undefined
  readonly destination: string | undefined
  readonly destinationWallet: string | undefined
}

export const toDexTransfer = (transfer: JettonTransferData): DexTransfer => ({
  asset: toAsset(transfer.asset),
  amount: transfer.amount,
  source: transfer.sender,
  sourceWallet: transfer.senderWallet,
  destination: transfer.receiver,
  destinationWallet: transfer.receiverWallet,
})
