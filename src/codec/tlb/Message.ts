import type { Cell } from '../cell/Cell.ts'
import { type CellReader, openCell, openSlice } from '../cell/CellReader.ts'
import type { CellSlice } from '../cell/CellSlice.ts'
import { type CellWriter, sliceToCell } from '../cell/CellWriter.ts'
import { readWholeRef, writeWhole } from '../cell/wholeCell.ts'
import {
  type CommonMsgInfo,
  type CommonMsgInfoRelaxed,
  readCommonMsgInfo,
  readCommonMsgInfoRelaxed,
  writeCommonMsgInfo,
} from './CommonMsgInfo.ts'
import { readStateInit, type StateInit, writeStateInit } from './StateInit.ts'

/** A StateInit and whether it stands in a cell of its own: the choice changes the hash of the message. */
export type MessageInit = { readonly inRef: boolean; readonly value: StateInit }

/** The body: a cell of its own, or the rest of the message's cell. */
export type MessageBody = Cell | CellSlice

export type MessageOf<Info> = {
  readonly info: Info
  readonly init: MessageInit | undefined
  readonly body: MessageBody
}

export type Message = MessageOf<CommonMsgInfo>
/** A message as a contract makes it, before the network fills in its source and times. */
export type MessageRelaxed = MessageOf<CommonMsgInfoRelaxed>

/**
 * message$_ {X:Type} info:CommonMsgInfo init:(Maybe (Either StateInit ^StateInit)) body:(Either X ^X) = Message X;
 */
export const readMessage = (r: CellReader): Message => {
  const info = readCommonMsgInfo(r)
  const init = readMessageInit(r)
  return { info, init, body: readMessageBody(r) }
}

export const readMessageRelaxed = (r: CellReader): MessageRelaxed => {
  const info = readCommonMsgInfoRelaxed(r)
  const init = readMessageInit(r)
  return { info, init, body: readMessageBody(r) }
}

export const writeMessage = (w: CellWriter, { info, init, body }: Message | MessageRelaxed): void => {
  writeCommonMsgInfo(w, info)
  w.writeBit(init !== undefined)
  if (init !== undefined) {
    w.writeBit(init.inRef)
    if (init.inRef) w.writeRef(writeWhole(writeStateInit, init.value))
    else writeStateInit(w, init.value)
  }
  if (isBodyInRef(body)) w.writeBit(true).writeRef(body)
  else w.writeBit(false).writeSlice(body)
}

const readMessageInit = (r: CellReader): MessageInit | undefined => {
  if (!r.readBit()) return undefined
  if (r.readBit()) return { inRef: true, value: readWholeRef(r, readStateInit, 'A StateInit') }
  return { inRef: false, value: readStateInit(r) }
}

const readMessageBody = (r: CellReader): MessageBody => (r.readBit() ? r.readRefCell() : r.readRest())

const isBodyInRef = (body: MessageBody): body is Cell => !('bitStart' in body)

/** The body as a cell of its own: what its hash is taken of. */
export const bodyCell = (body: MessageBody): Cell => (isBodyInRef(body) ? body : sliceToCell(body))

/** Starts reading the body. */
export const openBody = (body: MessageBody): CellReader => (isBodyInRef(body) ? openCell(body) : openSlice(body))
