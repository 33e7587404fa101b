import { type Static, Type } from 'typebox'
import type { JettonWallet } from '../../../store/reader/jettons.ts'
import { AddressText, addressText, DecimalText, HashText, hashText } from './scalars.ts'

/** Without what somebody could still claim: that is on no chain, and nobody told us. */
export const JettonWalletView = Type.Object(
  {
    address: AddressText,
    balance: DecimalText,
    owner: AddressText,
    jetton: AddressText,
    last_transaction_lt: DecimalText,
    code_hash: HashText,
    data_hash: HashText,
  },
  { $id: 'JettonWallet' },
)

export const toJettonWalletView = (wallet: JettonWallet): Static<typeof JettonWalletView> => ({
  address: addressText(wallet.address),
  balance: String(wallet.balance),
  owner: addressText(wallet.owner),
  jetton: addressText(wallet.jetton),
  last_transaction_lt: String(wallet.lastLt),
  code_hash: hashText(wallet.codeHash),
  data_hash: hashText(wallet.dataHash),
})
