import { type Static, Type } from 'typebox'
import type { AccountState } from '../../../store/reader/accounts.ts'
import type { JsonObject } from '../../core/json/JsonValue.ts'
import type { ShownWallet } from '../ShownWallet.ts'
import { type LegacyStatus, LegacyStatusView } from './AddressInformationView.ts'
import { DecimalText, HashText, hashText } from './scalars.ts'

export const WalletInformationView = Type.Object(
  {
    balance: DecimalText,
    wallet_type: Type.Optional(Type.String({ examples: ['wallet v5 r1'] })),
    seqno: Type.Optional(Type.Integer({ description: 'What the next message of the owner has to say.' })),
    wallet_id: Type.Optional(Type.Integer()),
    last_transaction_lt: DecimalText,
    last_transaction_hash: HashText,
    status: LegacyStatusView,
  },
  { $id: 'WalletInformation' },
)

type WalletInformation = Static<typeof WalletInformationView>

export const toWalletInformationView = (state: AccountState, wallet: ShownWallet | undefined): WalletInformation => ({
  balance: String(state.balance),
  ...toWalletMembers(wallet ?? {}),
  last_transaction_lt: String(state.lastLt),
  last_transaction_hash: hashText(state.lastHash),
  status: state.status,
})

/** From what the live interface says. It shows the number of a wallet as a signed one. */
export const fromLiveWallet = (live: JsonObject): WalletInformation => {
  const { balance, account_state, last_transaction_id, wallet_type, seqno, wallet_id } = live
  const { lt, hash } = last_transaction_id as { readonly lt: string; readonly hash: string }
  return {
    balance: balance as string,
    ...toWalletMembers({
      wallet_type: wallet_type as string | undefined,
      seqno: seqno as number | undefined,
      wallet_id: wallet_id as number | undefined,
    }),
    last_transaction_lt: lt,
    last_transaction_hash: hash,
    status: account_state as LegacyStatus,
  }
}

type WalletMembers = {
  readonly wallet_type?: string | undefined
  readonly seqno?: number | undefined
  readonly wallet_id?: number | undefined
}

const toWalletMembers = ({ wallet_type, seqno, wallet_id }: WalletMembers) => ({
  ...(wallet_type !== undefined && { wallet_type }),
  ...(seqno !== undefined && { seqno }),
  ...(wallet_id !== undefined && { wallet_id: wallet_id >>> 0 }),
})
