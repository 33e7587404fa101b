import { Type } from 'typebox'
import type { Cell } from '../../codec/cell/Cell.ts'
import { readWhole } from '../../codec/cell/wholeCell.ts'
import { type Message, readMessage } from '../../codec/tlb/Message.ts'
import { CodedError } from '../../primitives/errors.ts'
import { whenMissing } from '../core/params.ts'
import { NodeClientError, outOfRange, unreadable } from './errors.ts'
import { bytesParam, decodeBag } from './params.ts'
import type { V2Context } from './v2Endpoint.ts'
import { typeName } from './views/scalars.ts'

/** The message to send. */
export const MessageParam = whenMissing(
  bytesParam('boc', 'An external message as a bag of cells.'),
  unreadable('empty boc'),
)

/** The response that only confirms that the message was accepted. */
export const OkView = Type.Object({ '@type': typeName('ok') }, { $id: 'Ok' })

/** A sent message: its root cell, and parsed. */
export type SentMessage = { readonly root: Cell; readonly message: Message }

/** Sends an external-in message to the nodes, which validate the rest. */
export const sendMessage = async (context: V2Context, bytes: Uint8Array): Promise<SentMessage> => {
  const sent = openExternal(bytes)
  await submitMessage(context, sent.root, bytes)
  return sent
}

/** Parses an external-in message. */
export const openExternal = (bytes: Uint8Array): SentMessage => {
  if (bytes.length === 0) throw outOfRange('empty boc')
  const root = decodeBag(bytes, (fault) => new NodeClientError(`INVALID_BAG_OF_CELLS: body${fault}`))
  const message = openMessage(root)
  if (message.info.kind !== 'externalIn') throw new NodeClientError('CommonMsgInfo tag is not ext_in_msg_info')
  return { root, message }
}

export const submitMessage = async (
  { chain, onSent, call }: V2Context,
  root: Cell,
  bytes: Uint8Array,
): Promise<void> => {
  await chain.send(bytes, call.signal)
  onSent?.(root)
}

const openMessage = (root: Cell): Message => {
  try {
    return readWhole(root, readMessage, 'A message')
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    throw new NodeClientError('Failed to unpack Message')
  }
}
