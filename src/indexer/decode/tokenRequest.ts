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
import type { ByteArena } from './RowBuilder.ts'

const JETTON_TRANSFER = 0x0f8a7ea5
const JETTON_BURN = 0x595f07bc
const NFT_TRANSFER = 0x5fcc3d14

type Body = TokenRequest extends infer R
  ? R extends unknown
    ? Omit<R, 'transaction' | 'aborted' | 'source'>
    : never
  : never

/** The token request in the inbound message of an ordinary transaction, if any. */
export const findTokenRequest = (
  tx: FoundTransaction,
  message: StoredMessage,
  transaction: number,
  arena: ByteArena,
): TokenRequest | undefined => {
  const { opcode, info } = message
  if (opcode !== JETTON_TRANSFER && opcode !== JETTON_BURN && opcode !== NFT_TRANSFER) return undefined
  if (info.kind !== 'internal') return undefined
  const description = readTransactionDescr(openCell(tx.description))
  if (description.kind !== 'ord') return undefined
  const body = findBody(message.body, opcode, arena)
  if (body === undefined) return undefined
  const source = arena.keep(addressKeyOfMsgAddress(info.source))
  return { transaction, aborted: description.aborted, source, ...body }
}

/** A body that is too short is not a request; it may be longer. */
const findBody = (body: Cell, opcode: number, arena: ByteArena): Body | undefined => {
  try {
    const r = openCell(body)
    r.skipBits(32)
    if (opcode === JETTON_TRANSFER) return readJettonTransfer(r, arena)
    if (opcode === JETTON_BURN) return readJettonBurn(r, arena)
    return readNftTransfer(r, arena)
  } catch (error) {
    if (error instanceof CellError) return undefined
    throw error
  }
}

/**
 * transfer#0f8a7ea5 query_id:uint64 amount:(VarUInteger 16) destination:MsgAddress response_destination:MsgAddress
 *   custom_payload:(Maybe ^Cell) forward_ton_amount:(VarUInteger 16) forward_payload:(Either Cell ^Cell)
 */
const readJettonTransfer = (r: CellReader, arena: ByteArena): Body => ({
  kind: 'jettonTransfer',
  queryId: r.readUint64(),
  amount: r.readVarUint(4),
  destination: readAddress(r, arena),
  responseDestination: readAddress(r, arena),
  customPayload: keepCell(r.readMaybeRefCell(), arena),
  forwardAmount: r.readVarUint(4),
  forwardPayload: keepCell(readForwardPayload(r), arena),
})

/** burn#595f07bc query_id:uint64 amount:(VarUInteger 16) response_destination:MsgAddress custom_payload:(Maybe ^Cell) */
const readJettonBurn = (r: CellReader, arena: ByteArena): Body => ({
  kind: 'jettonBurn',
  queryId: r.readUint64(),
  amount: r.readVarUint(4),
  responseDestination: readAddress(r, arena),
  customPayload: keepCell(r.readMaybeRefCell(), arena),
})

/**
 * transfer#5fcc3d14 query_id:uint64 new_owner:MsgAddress response_destination:MsgAddress custom_payload:(Maybe ^Cell)
 *   forward_amount:(VarUInteger 16) forward_payload:(Either Cell ^Cell)
 */
const readNftTransfer = (r: CellReader, arena: ByteArena): Body => ({
  kind: 'nftTransfer',
  queryId: r.readUint64(),
  newOwner: readAddress(r, arena),
  responseDestination: readAddress(r, arena),
  customPayload: keepCell(r.readMaybeRefCell(), arena),
  forwardAmount: r.readVarUint(4),
  forwardPayload: keepCell(readForwardPayload(r), arena),
})

const readAddress = (r: CellReader, arena: ByteArena): Uint8Array =>
  arena.keep(addressKeyOfMsgAddress(readMsgAddress(r)))

/** In a reference, or the rest of the body as a cell. Empty means no payload. */
const readForwardPayload = (r: CellReader): Cell | undefined => {
  if (r.readBit()) return r.readRefCell()
  return r.remainingBits === 0 && r.remainingRefs === 0 ? undefined : sliceToCell(r.readRest())
}

const keepCell = (cell: Cell | undefined, arena: ByteArena): Uint8Array | undefined =>
  cell === undefined ? undefined : arena.keep(packCellView(cell))
