import { type Static, Type } from 'typebox'
import type { JettonMaster } from '../../../store/reader/jettons.ts'
import { AddressText, addressText, DecimalText, HashText, hashText } from './scalars.ts'
import { TokenContentView, toTokenContentView } from './TokenContentView.ts'

export const JettonMasterView = Type.Object(
  {
    address: AddressText,
    total_supply: DecimalText,
    mintable: Type.Boolean(),
    admin_address: Type.Union([AddressText, Type.Null()]),
    jetton_content: TokenContentView,
    jetton_wallet_code_hash: HashText,
    code_hash: HashText,
    data_hash: HashText,
    last_transaction_lt: DecimalText,
  },
  { $id: 'JettonMaster' },
)

export const toJettonMasterView = (master: JettonMaster): Static<typeof JettonMasterView> => ({
  address: addressText(master.address),
  total_supply: String(master.totalSupply),
  mintable: master.mintable,
  admin_address: master.admin === undefined ? null : addressText(master.admin),
  jetton_content: toTokenContentView(master.content),
  jetton_wallet_code_hash: hashText(master.walletCodeHash),
  code_hash: hashText(master.codeHash),
  data_hash: hashText(master.dataHash),
  last_transaction_lt: String(master.lastLt),
})
