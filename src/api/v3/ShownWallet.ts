import { unpackCell } from '../../codec/stored/packCell.ts'
import { findWalletFacts, findWalletKind, walletKinds } from '../../contracts/wallets.ts'
import { fromBase64 } from '../../primitives/base64.ts'
import type { AccountState } from '../../store/reader/accounts.ts'

/** The codes of ordinary wallets of one person. */
export const walletCodeHashes: readonly Uint8Array[] = walletKinds.flatMap(({ walletType, codeHash }) =>
  walletType === undefined ? [] : fromBase64(codeHash),
)

/** What the data of a wallet says, as it is shown. */
export type ShownWallet = {
  readonly wallet_type: string
  readonly seqno?: number
  readonly wallet_id?: number
  readonly is_signature_allowed?: boolean
}

/** The wallet that an account is; `undefined` where it is none, or one of another kind. */
export const findShownWallet = ({ codeHash, data }: AccountState): ShownWallet | undefined => {
  const kind = codeHash && findWalletKind(codeHash)
  if (kind?.walletType === undefined) return undefined
  const { seqno, walletId, signatureAllowed } = (data && findWalletFacts(kind, unpackCell(data))) ?? {}
  return {
    wallet_type: kind.walletType,
    ...(seqno !== undefined && { seqno }),
    ...(walletId !== undefined && { wallet_id: walletId >>> 0 }),
    ...(signatureAllowed !== undefined && { is_signature_allowed: signatureAllowed }),
  }
}
