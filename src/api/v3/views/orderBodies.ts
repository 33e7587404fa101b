import type { Cell } from '../../../codec/cell/Cell.ts'
import { type CellReader, openCell } from '../../../codec/cell/CellReader.ts'
import { sliceToCell } from '../../../codec/cell/CellWriter.ts'
import { CHECKED_BOC, encodeBoc } from '../../../codec/cell/encodeBoc.ts'
import { decodeUtf8Lossy, findComment, readSnake } from '../../../codec/content/text.ts'
import { bodyCell, readMessageRelaxed } from '../../../codec/tlb/Message.ts'
import { type MsgAddress, readMsgAddress } from '../../../codec/tlb/MsgAddress.ts'
import { formatUpperRawAddress } from '../../../primitives/Address.ts'
import { toBase64 } from '../../../primitives/base64.ts'
import { CodedError } from '../../../primitives/errors.ts'

/** Wire members: query ids as numbers, amounts as text, cells as bags of cells. */
export type BodyMembers = { readonly [name: string]: BodyValue }
type BodyValue = string | number | bigint | boolean | null | BodyMembers | readonly string[]

export type OrderBody = { readonly type: string; readonly members: BodyMembers }

/** Reads the body after the opcode. */
type BodyReader = (r: CellReader, opcode: number, body: Cell, cells: OrderCells) => OrderBody

/** The view of an order would be far larger than the order. */
class OrderTooLargeError extends CodedError {
  readonly code = 'order_too_large'
}

/** Bytes of cells that any order may show, and additional bytes per byte of the order. */
const MAX_BYTES = 64 * 1024
const MAX_PER_BYTE = 8

/** Serializes cells of one order within a budget: all its actions may share one large body. */
export class OrderCells {
  private bytes: number

  constructor(orderBytes: number) {
    this.bytes = Math.max(MAX_BYTES, MAX_PER_BYTE * orderBytes)
  }

  show(cell: Cell): string {
    const text = this.find(cell)
    if (text !== null) return text
    throw new OrderTooLargeError('The body is omitted: the cells of this order exceed the size limit of a response.')
  }

  /** Null beyond the budget. */
  find(cell: Cell): string | null {
    if (this.bytes <= 0) return null
    const boc = encodeBoc([cell], CHECKED_BOC)
    this.bytes -= boc.length
    return this.bytes < 0 ? null : toBase64(boc)
  }
}

/** Raw address; absent if it is not a standard address. */
export const orderAddress = (address: MsgAddress): string | null =>
  address.kind === 'std' ? formatUpperRawAddress(address) : null

const readAddressText = (r: CellReader): string | null => orderAddress(readMsgAddress(r))
const readAmount = (r: CellReader): string => String(r.readCoins())

const readCustomPayload = (r: CellReader, cells: OrderCells): string | null => {
  const cell = r.readMaybeRefCell()
  return cell === undefined ? null : cells.show(cell)
}

/** `Either Cell ^Cell`; some senders omit it. */
const readForwardPayload = (r: CellReader): Cell | undefined => {
  if (r.remainingBits === 0) return undefined
  const cell = r.readBit() ? r.readRefCell() : sliceToCell(r.readRest())
  return cell.bits === 0 && cell.refCount === 0 ? undefined : cell
}

type CommentMembers = { readonly comment: string; readonly encrypted: boolean }

const noComment: CommentMembers = { comment: '', encrypted: false }

/** Plain text, or an encrypted comment in base64. */
const commentOf = (cell: Cell | undefined): CommentMembers | undefined => {
  const found = cell === undefined ? undefined : findComment(openCell(cell))
  if (found === undefined) return undefined
  return found.kind === 'text'
    ? { comment: decodeUtf8Lossy(found.bytes), encrypted: false }
    : { comment: toBase64(found.bytes), encrypted: true }
}

const STONFI_SWAP = 0x25938561

/** The swap in a forward payload. */
const findSwap = (cell: Cell): BodyMembers | undefined => {
  const r = openCell(cell)
  if (r.remainingBits < 32 || r.readUint(32) !== STONFI_SWAP) return undefined
  return { jetton_wallet: readAddressText(r), min_amount: readAmount(r), user_address: readAddressText(r) }
}

const payloadMembers = (payload: Cell | undefined, cells: OrderCells): BodyMembers => {
  const comment = commentOf(payload)
  const swap = payload === undefined || comment !== undefined ? undefined : findSwap(payload)
  const words = comment ?? noComment
  const kind = payload === undefined ? '' : swap !== undefined ? 'StonfiSwap' : 'Unknown'
  return {
    comment: words.comment,
    encrypted_comment: words.encrypted,
    forward_payload: payload === undefined ? null : cells.show(payload),
    payload_sum_type: comment === undefined ? kind : words.encrypted ? 'EncryptedTextComment' : 'TextComment',
    stonfi_swap_body: swap ?? null,
  }
}

const readJettonTransfer: BodyReader = (r, _opcode, _body, cells) => {
  const first = {
    query_id: r.readUint64(),
    amount: readAmount(r),
    destination: readAddressText(r),
    response: readAddressText(r),
    custom_payload: readCustomPayload(r, cells),
    forward_amount: readAmount(r),
  }
  return { type: 'jetton_transfer', members: { ...first, ...payloadMembers(readForwardPayload(r), cells) } }
}

const readJettonBurn: BodyReader = (r) => ({
  type: 'jetton_burn',
  members: { query_id: r.readUint64(), amount: readAmount(r), response_destination: readAddressText(r) },
})

const readJettonMint: BodyReader = (r, opcode) => {
  const first = { opcode, query_id: r.readUint64(), to_address: readAddressText(r), ton_amount: readAmount(r) }
  const inner = r.readRef()
  // Skips the inner opcode.
  inner.skipBits(32)
  const master = { master_msg_query_id: inner.readUint64(), master_msg_jetton_amount: readAmount(inner) }
  return { type: 'jetton_mint', members: { ...first, ...master } }
}

const readNftTransfer: BodyReader = (r, _opcode, _body, cells) => {
  const first = {
    query_id: r.readUint64(),
    new_owner: readAddressText(r),
    response_destination: readAddressText(r),
    custom_payload: readCustomPayload(r, cells),
    forward_amount: readAmount(r),
  }
  const payload = readForwardPayload(r)
  const forward_payload = payload === undefined ? null : cells.show(payload)
  return { type: 'nft_transfer', members: { ...first, forward_payload } }
}

/** Actions that a jetton master forwards to a wallet. */
const calledActions: ReadonlyMap<number, string> = new Map([
  [0xeed236d3, 'JettonSetStatus'],
  [0x0f8a7ea5, 'JettonTransfer'],
  [0x595f07bc, 'JettonBurn'],
])

const readCallTo: BodyReader = (r, _opcode, _body, cells) => {
  const first = { query_id: r.readUint64(), to_address: readAddressText(r), ton_amount: readAmount(r) }
  const action = r.readRefCell()
  const inner = openCell(action)
  const opcode = inner.remainingBits < 32 ? undefined : inner.readUint(32)
  const action_type = opcode === undefined ? '' : (calledActions.get(opcode) ?? 'Unknown')
  return { type: 'jetton_call_to', members: { ...first, action_type, action_data: cells.show(action) } }
}

const readVestingTransfer: BodyReader = (r, _opcode, _body, cells) => {
  const first = { query_id: r.readUint64(), send_mode: r.readUint(8) }
  const { info, body } = readMessageRelaxed(r.readRef())
  const message_body = bodyCell(body)
  const members = {
    ...first,
    destination: orderAddress(info.destination),
    value: info.kind === 'internal' ? String(info.value.grams) : null,
    message_body: cells.show(message_body),
    comment: (commentOf(message_body) ?? noComment).comment,
  }
  return { type: 'vesting_internal_transfer', members }
}

const readPlain: BodyReader = (_r, _opcode, body) => ({
  type: 'ton_transfer',
  members: { ...(commentOf(body) ?? noComment) },
})

/** A query id, and at most one more field. */
const afterQuery =
  (type: string, readMore: (r: CellReader) => BodyMembers = () => ({})): BodyReader =>
  (r) => ({ type, members: { query_id: r.readUint64(), ...readMore(r) } })

const readers: ReadonlyMap<number, BodyReader> = new Map([
  [0x00000000, readPlain],
  [0x2167da4b, readPlain],
  [0x0f8a7ea5, readJettonTransfer],
  [0x595f07bc, readJettonBurn],
  [0x642b7d07, readJettonMint],
  [0x00000015, readJettonMint],
  [0x5fcc3d14, readNftTransfer],
  [0x00009fd3, afterQuery('jetton_top_up')],
  [0x6501f354, afterQuery('jetton_change_admin', (r) => ({ new_admin_address: readAddressText(r) }))],
  [0xfb88e119, afterQuery('jetton_claim_admin')],
  [0xcb862902, afterQuery('jetton_change_content', (r) => ({ new_metadata_url: decodeUtf8Lossy(readSnake(r)) }))],
  [0x235caf52, readCallTo],
  [0xeed236d3, afterQuery('jetton_set_status', (r) => ({ new_status: r.readUint(8) }))],
  [0x00001000, afterQuery('single_nominator_withdraw', (r) => ({ coins: readAmount(r) }))],
  [0x00001001, afterQuery('single_nominator_change_validator', (r) => ({ validator_address: readAddressText(r) }))],
  [0x75097f5d, readVestingTransfer],
])

const readUnknown: BodyReader = (_r, opcode, body, cells) => ({
  type: 'unknown',
  members: { opcode, data: cells.show(body) },
})

/** Parses the body of a message in an order. A known opcode with a malformed body is an error. */
export const readOrderBody = (body: Cell, cells: OrderCells): OrderBody => {
  const r = openCell(body)
  if (r.remainingBits < 32) return readPlain(r, 0, body, cells)
  const opcode = r.readUint(32)
  return (readers.get(opcode) ?? readUnknown)(r, opcode, body, cells)
}

/** Members with addresses, or lists of them. */
const addressMembers: ReadonlySet<string> = new Set([
  'destination',
  'response',
  'response_destination',
  'to_address',
  'new_owner',
  'new_admin_address',
  'validator_address',
  'new_signers',
  'new_proposers',
  'jetton_wallet',
  'user_address',
])

/** The addresses in a parsed body. */
export const listBodyAddresses = (members: BodyMembers): string[] =>
  Object.entries(members).flatMap(([name, value]) => {
    if (name === 'stonfi_swap_body' && value !== null) return listBodyAddresses(value as BodyMembers)
    if (!addressMembers.has(name) || value === null) return []
    return typeof value === 'string' ? [value] : [...(value as readonly string[])]
  })
