import { type Static, Type } from 'typebox'
import type { AccountState } from '../../../store/reader/accounts.ts'
import { findShownWallet } from '../ShownWallet.ts'
import { AccountStatusView } from './AccountStatusView.ts'
import { ExtraCurrenciesView, toKnownExtra } from './ExtraCurrenciesView.ts'
import { AddressText, addressText, DecimalText, HashText, hashText } from './scalars.ts'

export const WalletStateView = Type.Object(
  {
    address: AddressText,
    is_wallet: Type.Boolean({ description: 'Whether it is a wallet of a well-known kind.' }),
    wallet_type: Type.Optional(Type.String({ examples: ['wallet v5 r1'] })),
    seqno: Type.Optional(Type.Integer({ description: 'What the next message of the owner has to say.' })),
    wallet_id: Type.Optional(Type.Integer()),
    balance: DecimalText,
    extra_currencies: Type.Optional(ExtraCurrenciesView),
    is_signature_allowed: Type.Optional(Type.Boolean({ description: 'Whether the key of the owner counts.' })),
    status: AccountStatusView,
    code_hash: Type.Optional(HashText),
    last_transaction_hash: HashText,
    last_transaction_lt: DecimalText,
  },
  { $id: 'WalletState' },
)

export const toWalletStateView = (state: AccountState): Static<typeof WalletStateView> => {
  const wallet = findShownWallet(state)
  const extra = toKnownExtra(state.extra) ?? {}
  return {
    address: addressText(state.account),
    is_wallet: wallet !== undefined,
    ...wallet,
    balance: String(state.balance),
    ...(Object.keys(extra).length > 0 && { extra_currencies: extra }),
    status: state.status,
    ...(state.codeHash !== undefined && { code_hash: hashText(state.codeHash) }),
    last_transaction_hash: hashText(state.lastHash),
    last_transaction_lt: String(state.lastLt),
  }
}
