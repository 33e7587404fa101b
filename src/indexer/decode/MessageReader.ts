import type { Cell } from '../../codec/cell/Cell.ts'
import { type CellReader, openCell } from '../../codec/cell/CellReader.ts'
import { sliceToCell } from '../../codec/cell/CellWriter.ts'
import { CellError } from '../../codec/cell/errors.ts'
import { type CommonMsgInfo, type ExtOutMsgInfo, type IntMsgInfo, readCommonMsgInfo } from '../../codec/tlb/Message.ts'
import type { MsgAddressInt } from '../../codec/tlb/MsgAddress.ts'
import { readStateInit } from '../../codec/tlb/StateInit.ts'
import { encodeMessageBits } from '../../store/schema/codes.ts'
import { MESSAGE_KIND } from '../blockSets.ts'
import type { ContentBuilder } from './RowBuilder.ts'

/** A message as stored: body and initial state are separate cells. */
export type StoredMessage<Info extends CommonMsgInfo = CommonMsgInfo> = {
  readonly cell: Cell
  readonly info: Info
  /** See MESSAGE_KIND. */
  readonly kind: number
  /** See messageBits.ts. */
  readonly bits: number
  readonly body: Cell
  /** `undefined` if the body is the empty cell. */
  readonly bodyHash: Uint8Array | undefined
  readonly initHash: Uint8Array | undefined
  /** The first 32 bits of the body, signed. */
  readonly opcode: number | undefined
}

export type SentMessage = StoredMessage<IntMsgInfo | ExtOutMsgInfo>

/** Reads the messages of a block set and collects their contents. A message sent and received in one block is read once. */
export class MessageReader {
  private readonly contents: ContentBuilder
  private readonly hasExtraFlags: boolean
  private arena: unknown = undefined
  private readonly arenas = new Map<unknown, Map<number, StoredMessage>>()
  private known = new Map<number, StoredMessage>()

  constructor(contents: ContentBuilder, hasExtraFlags: boolean) {
    this.contents = contents
    this.hasExtraFlags = hasExtraFlags
  }

  /** Reads the inbound message of a transaction in a block that starts at `startLt`. */
  readReceived(cell: Cell, startLt: bigint): StoredMessage {
    const message = this.read(cell)
    const { info } = message
    if (info.kind !== 'internal' || info.createdLt !== startLt || !isOfMasterchain(info.source)) return message
    const kind = MESSAGE_KIND.system
    return { ...message, kind, bits: bitsOf(info, kind, this.hasExtraFlags) }
  }

  private read(cell: Cell): StoredMessage {
    if (cell.arena !== this.arena) this.enter(cell.arena)
    let message = this.known.get(cell.index)
    if (message === undefined) {
      message = this.readNew(cell)
      this.known.set(cell.index, message)
    }
    return message
  }

  /** Reads an outbound message. */
  readSent(cell: Cell): SentMessage {
    const message = this.read(cell)
    if (message.info.kind === 'externalIn') {
      throw new CellError('A transaction sends an external-in message.')
    }
    return message as SentMessage
  }

  private enter(arena: unknown): void {
    this.arena = arena
    let known = this.arenas.get(arena)
    if (known === undefined) {
      known = new Map()
      this.arenas.set(arena, known)
    }
    this.known = known
  }

  private readNew(cell: Cell): StoredMessage {
    const r = openCell(cell)
    const info = readCommonMsgInfo(r)
    const init = readInit(r)
    const body = r.readBit() ? r.readRefCell() : sliceToCell(r.readRest())
    const { bits, refCount } = body
    const kind = MESSAGE_KIND[info.kind]
    return {
      cell,
      info,
      kind,
      bits: bitsOf(info, kind, this.hasExtraFlags),
      body,
      bodyHash: bits === 0 && refCount === 0 ? undefined : this.contents.add(body),
      initHash: init && this.contents.add(init),
      opcode: bits < 32 || body.isExotic ? undefined : openCell(body).readInt(32),
    }
  }
}

const readInit = (r: CellReader): Cell | undefined => {
  if (!r.readBit()) return undefined
  if (r.readBit()) return r.readRefCell()
  const start = r.clone()
  readStateInit(r)
  return sliceToCell(r.sliceSince(start))
}

/**
 * The masterchain itself, which pays out fees and mints extra currencies. An account of that address may exist; messages it sends
 * are always later than the start of the block.
 */
const isOfMasterchain = (source: MsgAddressInt): boolean =>
  source.kind === 'std' && source.workchain === -1 && source.hash[0] === 0 && source.hash.every((byte) => byte === 0)

const bitsOf = (info: CommonMsgInfo, kind: number, hasExtraFlags: boolean): number =>
  info.kind === 'internal'
    ? encodeMessageBits({
        kind,
        bounce: info.bounce,
        bounced: info.bounced,
        ihrDisabled: info.ihrDisabled,
        hasExtraFlags,
      })
    : kind
