import { type Static, Type } from 'typebox'
import type { MultisigOrder } from '../../../store/reader/multisigs.ts'
import { type AnswerBudget, answerLimits } from '../AnswerBudget.ts'
import { AnswerTooLongError } from '../PageTooLargeError.ts'
import { OrderActionView, toOrderActionViews } from './OrderActionView.ts'
import { AddressText, addressText, BocText, DecimalText, HashText, hashText, packedBocText } from './scalars.ts'

export const MultisigOrderView = Type.Object(
  {
    address: AddressText,
    multisig_address: AddressText,
    order_seqno: DecimalText,
    threshold: Type.Union([Type.Integer(), Type.Null()]),
    sent_for_execution: Type.Boolean(),
    approvals_mask: DecimalText,
    approvals_num: Type.Integer(),
    expiration_date: Type.Integer(),
    order_boc: Type.Union([BocText, Type.Null()]),
    signers: Type.Array(AddressText),
    last_transaction_lt: DecimalText,
    code_hash: HashText,
    data_hash: HashText,
    actions: Type.Union([Type.Array(OrderActionView), Type.Null()], {
      description: 'What the order would do; null unless it is asked for, and where it cannot be read.',
    }),
  },
  { $id: 'MultisigOrder' },
)

export const toMultisigOrderView = (
  order: MultisigOrder,
  parseActions: boolean,
  budget: AnswerBudget,
): Static<typeof MultisigOrderView> => ({
  address: addressText(order.address),
  multisig_address: addressText(order.multisig),
  order_seqno: String(order.orderSeqno),
  threshold: order.threshold ?? null,
  sent_for_execution: order.sentForExecution,
  approvals_mask: String(order.approvalsMask),
  approvals_num: order.approvalsNum,
  expiration_date: Number(order.expirationDate),
  order_boc: order.content === undefined ? null : showContent(order.content, budget),
  signers: order.signers.map(addressText),
  last_transaction_lt: String(order.lastLt),
  code_hash: hashText(order.codeHash),
  data_hash: hashText(order.dataHash),
  actions: parseActions ? toOrderActionViews(order.content) : null,
})

/** Nothing here could say that it is left out. */
const showContent = (content: Uint8Array, budget: AnswerBudget): string => {
  if (!budget.takeBody(content.length)) throw new AnswerTooLongError(answerLimits.bodyText)
  return packedBocText(content)
}
