import { type Static, Type } from 'typebox'
import { unpackCell } from '../../../codec/stored/packCell.ts'
import { bodyCell } from '../../../codec/tlb/Message.ts'
import { findOrderActions, type OrderAction } from '../../../contracts/multisig.ts'
import { formatUpperRawAddress } from '../../../primitives/Address.ts'
import { CodedError } from '../../../primitives/errors.ts'
import type { Multisig, MultisigOrder } from '../../../store/reader/multisigs.ts'
import { type AnswerBudget, answerLimits } from '../AnswerBudget.ts'
import { AnswerTooLongError } from '../errors.ts'
import { type BodyMembers, OrderCells, orderAddress, readOrderBody } from './orderBodies.ts'
import { AddressText, addressText, BocText, DecimalText, HashText, hashText, packedBocText } from './scalars.ts'

const parsedTypes = [
  'ton_transfer',
  'jetton_transfer',
  'jetton_burn',
  'jetton_mint',
  'nft_transfer',
  'jetton_top_up',
  'jetton_change_admin',
  'jetton_claim_admin',
  'jetton_change_content',
  'jetton_call_to',
  'jetton_set_status',
  'single_nominator_withdraw',
  'single_nominator_change_validator',
  'vesting_internal_transfer',
  'multisig_update_params',
  'unknown',
] as const

const OrderActionView = Type.Object(
  {
    destination: Type.Union([AddressText, Type.Null()]),
    value: Type.Union([DecimalText, Type.Null()]),
    body_raw: Type.Union([BocText, Type.Null()]),
    parsed: Type.Boolean(),
    error: Type.Union([Type.String(), Type.Null()]),
    parsed_body: Type.Union([Type.Unsafe<BodyMembers>({ type: 'object', additionalProperties: true }), Type.Null()]),
    parsed_body_type: Type.String({ examples: [...parsedTypes] }),
    send_mode: Type.Integer({ minimum: 0, maximum: 255 }),
  },
  { $id: 'OrderAction' },
)

type OrderActionWire = Static<typeof OrderActionView>

const noMessage = { destination: null, value: null, body_raw: null, send_mode: 0 } as const

/** The actions of a stored order; null if it cannot be parsed. */
export const toOrderActionViews = (content: Uint8Array | undefined): OrderActionWire[] | null => {
  if (content === undefined) return null
  const cells = new OrderCells(content.length)
  return findOrderActions(unpackCell(content))?.map((action) => toOrderActionView(action, cells)) ?? null
}

const toOrderActionView = (action: OrderAction, cells: OrderCells): OrderActionWire => {
  switch (action.kind) {
    case 'message': {
      const { info, body } = action.message
      const cell = bodyCell(body)
      const message = {
        destination: orderAddress(info.destination),
        value: info.kind === 'internal' ? String(info.value.grams) : null,
        body_raw: cells.find(cell),
        send_mode: action.mode,
      }
      return { ...message, ...toMeaning(() => readOrderBody(cell, cells)) }
    }
    case 'params': {
      const { threshold, signers, proposers } = action
      const members = {
        new_threshold: threshold,
        new_signers: signers.map(formatUpperRawAddress),
        new_proposers: proposers.map(formatUpperRawAddress),
      }
      return { ...noMessage, ...toMeaning(() => ({ type: 'multisig_update_params', members })) }
    }
    case 'unreadable':
      return { ...noMessage, ...failed(action.error) }
  }
}

const toMeaning = (read: () => ReturnType<typeof readOrderBody>) => {
  try {
    const { type, members } = read()
    return { parsed: true, error: null, parsed_body: members, parsed_body_type: type }
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    return failed(error)
  }
}

const failed = ({ message }: CodedError) => ({
  parsed: false,
  error: message,
  parsed_body: null,
  parsed_body_type: 'unknown',
})

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
      description: 'Parsed actions of the order; null if not requested, or if it cannot be parsed.',
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

/** Content has no marker for omitted parts. */
const showContent = (content: Uint8Array, budget: AnswerBudget): string => {
  if (!budget.takeBody(content.length)) throw new AnswerTooLongError(answerLimits.bodyText)
  return packedBocText(content)
}

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
