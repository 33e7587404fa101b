import { type Static, Type } from 'typebox'
import { findWalletFacts, findWalletKind } from '../../../contracts/wallets.ts'
import type { AccountReading } from '../readAccount.ts'
import { proofMembers } from './AccountProofView.ts'
import { AccountStateNameView, toAccountStateName } from './AccountStateNameView.ts'
import { AmountView, typeName } from './scalars.ts'
import { TransactionIdView, toTransactionIdView } from './TransactionIdView.ts'

const knownMembers = Type.Object({
  wallet_type: Type.Optional(Type.String({ examples: ['wallet v4 r2'] })),
  seqno: Type.Optional(Type.Integer({ description: 'What the next message of the owner has to say.', examples: [12] })),
  wallet_id: Type.Optional(Type.Integer({ examples: [698_983_191] })),
  is_signature_allowed: Type.Optional(Type.Boolean({ description: 'Whether the key of the owner counts.' })),
})

export const WalletView = Type.Object(
  {
    '@type': typeName('ext.accounts.walletInformation'),
    wallet: Type.Boolean({ description: 'Whether it is a wallet of a well-known kind.' }),
    balance: AmountView,
    account_state: AccountStateNameView,
    last_transaction_id: TransactionIdView,
    ...knownMembers.properties,
    ...proofMembers,
  },
  { $id: 'WalletInformation', description: 'An account as the owner of a wallet looks at it.' },
)

export const toWalletView = (account: AccountReading): Static<typeof WalletView> => {
  const known = findKnownMembers(account)
  return {
    '@type': 'ext.accounts.walletInformation',
    wallet: known !== undefined,
    balance: account.balance.grams.toString(),
    account_state: toAccountStateName(account),
    last_transaction_id: toTransactionIdView(account.found?.lastTransaction),
    ...known,
  }
}

const findKnownMembers = ({ code, data }: AccountReading): Static<typeof knownMembers> | undefined => {
  const kind = code && findWalletKind(code.hash())
  if (kind?.walletType === undefined) return undefined
  const { seqno, walletId, signatureAllowed } = (data && findWalletFacts(kind, data)) ?? {}
  return {
    wallet_type: kind.walletType,
    ...(seqno !== undefined && { seqno }),
    ...(walletId !== undefined && { wallet_id: walletId }),
    ...(signatureAllowed !== undefined && { is_signature_allowed: signatureAllowed }),
  }
}
