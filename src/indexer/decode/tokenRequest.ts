import type { Cell } from '../../codec/cell/Cell.ts'
import { type CellReader, openCell } from '../../codec/cell/CellReader.ts'
import { sliceToCell } from '../../codec/cell/CellWriter.ts'
import { CellError } from '../../codec/cell/errors.ts'
import { packCellView } from '../../codec/stored/packCell.ts'
import { addressKeyOfMsgAddress } from '../../codec/stored/packDescription.ts'
import { readMsgAddress } from '../../codec/tlb/MsgAddress.ts'
import { readTransactionDescr } from '../../codec/tlb/TransactionDescr.ts'
import type { TokenRequest } from '../blockSets.ts'
import type { FoundTransaction } from './findTransactions.ts'
import type { StoredMessage } from './MessageReader.ts'
import type { ByteShelf } from './RowBuilder.ts'

const JETTON_TRANSFER = 0x0f8a7ea5
const JETTON_BURN = 0x595f07bc
const NFT_TRANSFER = 0x5fcc3d14

type Body = TokenRequest extends infer R
  ? R extends unknown
    ? Omit<R, 'transaction' | 'aborted' | 'source'>
    : never
  : never

/** What a token was asked to do by the message that an ordinary transaction received; `undefined` if nothing. */
export const findTokenRequest = (
  tx: FoundTransaction,
  message: StoredMessage,
  transaction: number,
  shelf: ByteShelf,
): TokenRequest | undefined => {
  const { opcode, info } = message
  if (opcode !== JETTON_TRANSFER && opcode !== JETTON_BURN && opcode !== NFT_TRANSFER) return undefined
  if (info.kind !== 'internal') return undefined
  const description = readTransactionDescr(openCell(tx.description))
  if (description.kind !== 'ord') return undefined
  const body = findBody(message.body, opcode, shelf)
  if (body === undefined) return undefined
  const source = shelf.keep(addressKeyOfMsgAddress(info.source))
  return { transaction, aborted: description.aborted, source, ...body }
}

/** A body that is too short asks for nothing; one may be longer. */
const findBody = (body: Cell, opcode: number, shelf: ByteShelf): Body | undefined => {
  try {
    const r = openCell(body)
    r.skipBits(32)
    if (opcode === JETTON_TRANSFER) return readJettonTransfer(r, shelf)
    if (opcode === JETTON_BURN) return readJettonBurn(r, shelf)
    return readNftTransfer(r, shelf)
  } catch (error) {
    if (error instanceof CellError) return undefined
    throw error
  }
}

/**
 * transfer#0f8a7ea5 query_id:uint64 amount:(VarUInteger 16) destination:MsgAddress response_destination:MsgAddress
 *   custom_payload:(Maybe ^Cell) forward_ton_amount:(VarUInteger 16) forward_payload:(Either Cell ^Cell)
 */
const readJettonTransfer = (r: CellReader, shelf: ByteShelf): Body => ({
  kind: 'jettonTransfer',
  queryId: r.readUint64(),
  amount: r.readVarUint(4),
  destination: readAddress(r, shelf),
  responseDestination: readAddress(r, shelf),
  customPayload: keepCell(r.readMaybeRefCell(), shelf),
  forwardAmount: r.readVarUint(4),
  forwardPayload: keepCell(readForwardPayload(r), shelf),
})

/** burn#595f07bc query_id:uint64 amount:(VarUInteger 16) response_destination:MsgAddress custom_payload:(Maybe ^Cell) */
const readJettonBurn = (r: CellReader, shelf: ByteShelf): Body => ({
  kind: 'jettonBurn',
  queryId: r.readUint64(),
  amount: r.readVarUint(4),
  responseDestination: readAddress(r, shelf),
  customPayload: keepCell(r.readMaybeRefCell(), shelf),
})

/**
 * transfer#5fcc3d14 query_id:uint64 new_owner:MsgAddress response_destination:MsgAddress custom_payload:(Maybe ^Cell)
 *   forward_amount:(VarUInteger 16) forward_payload:(Either Cell ^Cell)
 */
const readNftTransfer = (r: CellReader, shelf: ByteShelf): Body => ({
  kind: 'nftTransfer',
  queryId: r.readUint64(),
  newOwner: readAddress(r, shelf),
  responseDestination: readAddress(r, shelf),
  customPayload: keepCell(r.readMaybeRefCell(), shelf),
  forwardAmount: r.readVarUint(4),
  forwardPayload: keepCell(readForwardPayload(r), shelf),
})

const readAddress = (r: CellReader, shelf: ByteShelf): Uint8Array =>
  shelf.keep(addressKeyOfMsgAddress(readMsgAddress(r)))

/** In a reference or, as a cell of its own, the rest of the body. Nothing at all is no payload. */
const readForwardPayload = (r: CellReader): Cell | undefined => {
  if (r.readBit()) return r.readRefCell()
  return r.remainingBits === 0 && r.remainingRefs === 0 ? undefined : sliceToCell(r.readRest())
}

const keepCell = (cell: Cell | undefined, shelf: ByteShelf): Uint8Array | undefined =>
  cell === undefined ? undefined : shelf.keep(packCellView(cell))
