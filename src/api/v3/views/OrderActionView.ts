import { type Static, Type } from 'typebox'
import { unpackCell } from '../../../codec/stored/packCell.ts'
import { bodyCell } from '../../../codec/tlb/Message.ts'
import { findOrderActions, type OrderAction } from '../../../contracts/multisig.ts'
import { formatUpperRawAddress } from '../../../primitives/Address.ts'
import { CodedError } from '../../../primitives/errors.ts'
import { type BodyMembers, OrderCells, orderAddress, readOrderBody } from './orderBodies.ts'
import { AddressText, BocText, DecimalText } from './scalars.ts'

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

export const OrderActionView = Type.Object(
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

/** What an order, as it is kept, would do; null where it cannot be read at all. */
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
