import type { Cell } from '../cell/Cell.ts'
import { CellWriter } from '../cell/CellWriter.ts'
import { CellError } from '../cell/errors.ts'
import { writeWhole } from '../cell/wholeCell.ts'
import { bodyCell, type Message, type MessageBody, writeMessage } from './Message.ts'
import { writeMsgAddress } from './MsgAddress.ts'
import { type StateInit, writeStateInit } from './StateInit.ts'

/**
 * The cell whose hash identifies an external-in message whoever packed it (TEP-467): no source, no import fee, no init, and
 * the body in a reference. Only the destination and the body are left.
 */
export const normalizedExternalCell = ({ info, body }: Message): Cell => {
  if (info.kind !== 'externalIn') {
    throw new CellError(`Only an external-in message has a normalized hash, one of kind ${info.kind} came.`)
  }
  const w = new CellWriter().writeUint(0b1000, 4)
  writeMsgAddress(w, info.destination)
  return w.writeCoins(0n).writeUint(0b01, 2).writeRef(bodyCell(body)).toCell()
}

/** A key to search by, not an identity: several messages, and several transactions, may share it. */
export const normalizedExternalHash = (message: Message): Uint8Array => normalizedExternalCell(message).hash()

/** The hash of a message that was made here. One that was received has the hash of its cell. */
export const messageHash = (message: Message): Uint8Array => writeWhole(writeMessage, message).hash()

/** The hash of the body as a cell of its own, wherever it stands in the message. */
export const bodyHash = (body: MessageBody): Uint8Array => bodyCell(body).hash()

/** The hash of a StateInit as a cell of its own: the account id of the contract that it starts. */
export const stateInitHash = (init: StateInit): Uint8Array => writeWhole(writeStateInit, init).hash()
