import { type Static, Type } from 'typebox'
import type { Multisig, MultisigOrder } from '../../../store/reader/multisigs.ts'
import type { AnswerBudget } from '../AnswerBudget.ts'
import { MultisigOrderView, toMultisigOrderView } from './MultisigOrderView.ts'
import { AddressText, addressText, DecimalText, HashText, hashText } from './scalars.ts'

export const MultisigView = Type.Object(
  {
    address: AddressText,
    next_order_seqno: DecimalText,
    threshold: Type.Integer(),
    signers: Type.Array(AddressText),
    proposers: Type.Array(AddressText),
    last_transaction_lt: DecimalText,
    code_hash: HashText,
    data_hash: HashText,
    orders: Type.Array(MultisigOrderView),
  },
  { $id: 'Multisig' },
)

export const toMultisigView = (
  multisig: Multisig,
  orders: readonly MultisigOrder[],
  budget: AnswerBudget,
): Static<typeof MultisigView> => ({
  address: addressText(multisig.address),
  next_order_seqno: String(multisig.nextOrderSeqno),
  threshold: multisig.threshold,
  signers: multisig.signers.map(addressText),
  proposers: multisig.proposers.map(addressText),
  last_transaction_lt: String(multisig.lastLt),
  code_hash: hashText(multisig.codeHash),
  data_hash: hashText(multisig.dataHash),
  orders: orders.map((order) => toMultisigOrderView(order, false, budget)),
})
