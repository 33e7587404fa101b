import type { Cell, CellSlice } from '../../codec/cell/Cell.ts'
import { type CellReader, openCell } from '../../codec/cell/CellReader.ts'
import { CellError, PrunedBranchError } from '../../codec/cell/errors.ts'
import { writeWhole } from '../../codec/cell/wholeCell.ts'
import { type CommonMsgInfo, readCommonMsgInfo } from '../../codec/tlb/Message.ts'
import { type MsgAddressInt, readMsgAddress } from '../../codec/tlb/MsgAddress.ts'
import { readStateInit, type StateInit, writeStateInit } from '../../codec/tlb/StateInit.ts'
import { VmInputError } from '../errors.ts'
import { Slice } from '../machine/values.ts'
import { hasShortestAmounts, isLibraryDict, MAX_CHECKED_CELLS } from './dictionaries.ts'

/** A StateInit with the cell whose hash names it. */
export type MessageState = { readonly init: StateInit; readonly cell: Cell }

export type InboundMessage = {
  readonly cell: Cell
  readonly info: Exclude<CommonMsgInfo, { readonly kind: 'externalOut' }>
  readonly isExternal: boolean
  readonly destination: MsgAddressInt
  /** The source as it stands in the message. */
  readonly source: Slice
  readonly state: MessageState | undefined
  /** Whether the libraries that it brings are none. */
  readonly hasBadLibraries: boolean
  readonly body: Slice
  readonly bounces: boolean
}

const toSlice = ({ arena, index, bitStart, bitEnd, refStart, refEnd }: CellSlice): Slice =>
  new Slice(arena, index, bitStart, bitEnd, refStart, refEnd)

/** Reads a message that came to an account. */
export const openInboundMessage = (cell: Cell): InboundMessage => {
  try {
    return readInboundMessage(cell)
  } catch (error) {
    if (error instanceof CellError || error instanceof PrunedBranchError) {
      throw new VmInputError(`The inbound message cannot be read: ${error.message}`, { cause: error })
    }
    throw error
  }
}

const readInboundMessage = (cell: Cell): InboundMessage => {
  const source = openCell(cell)
  const r = openCell(cell)
  const info = readCommonMsgInfo(r)
  if (info.kind === 'externalOut') throw new VmInputError('A message that leaves the chain cannot be run.')
  if (info.kind === 'internal' && !hasShortestAmounts(info.value.extra)) {
    throw new VmInputError('The extra currencies of the inbound message are malformed.')
  }
  const isExternal = info.kind === 'externalIn'
  source.skipBits(isExternal ? 2 : 4)
  const start = source.clone()
  readMsgAddress(source)
  const state = r.readBit() ? readMessageState(r) : undefined
  const inRef = r.readBit()
  if (inRef && (r.remainingBits !== 0 || r.remainingRefs !== 1)) {
    throw new VmInputError('The body of the inbound message stands in a reference, but more follows it.')
  }
  return {
    cell,
    info,
    isExternal,
    destination: info.destination,
    source: toSlice(source.sliceSince(start)),
    state,
    hasBadLibraries: !isLibraryDict(state?.init.library, MAX_CHECKED_CELLS - 1),
    body: toSlice(inRef ? r.readRef().rest() : r.rest()),
    bounces: info.kind === 'internal' && info.bounce,
  }
}

const readMessageState = (r: CellReader): MessageState => {
  const inRef = r.readBit()
  const cell = inRef ? r.readRefCell() : writeWhole(writeStateInit, readStateInit(r))
  const inner = openCell(cell)
  const init = readStateInit(inner)
  inner.expectEnd('A StateInit')
  return { init, cell }
}
