import type { Cell } from '../codec/cell/Cell.ts'
import { openCell } from '../codec/cell/CellReader.ts'
import { readWhole, writeWhole } from '../codec/cell/wholeCell.ts'
import { packCell } from '../codec/stored/packCell.ts'
import { addressKeyOfMsgAddress } from '../codec/stored/packDescription.ts'
import { bodyCell, type Message, normalizedExternalHash, readMessage } from '../codec/tlb/Message.ts'
import { writeStateInit } from '../codec/tlb/StateInit.ts'
import { bytesEqual } from '../primitives/bytes.ts'
import type { MessageRecord, StoredContent } from '../store/reader/TransactionRecord.ts'
import { toExtraAmounts } from './toExtraAmounts.ts'

/** A message of a transaction, as if it had been read from the index. */
export const toMessageRecord = (
  cell: Cell,
  { hasExtraFlags, receivedBy }: { readonly hasExtraFlags: boolean; readonly receivedBy: Uint8Array | undefined },
): MessageRecord => {
  const message = readWhole(cell, readMessage, 'A message')
  const { info, init } = message
  const hash = cell.hash()
  const body = bodyCell(message.body)
  const internal = info.kind === 'internal' ? info : undefined
  return {
    kind: info.kind,
    hash,
    normalHash: info.kind === 'externalIn' ? normalHashOf(message, hash) : undefined,
    source: info.kind === 'externalIn' ? undefined : addressKeyOfMsgAddress(info.source),
    destination: info.kind === 'externalOut' ? undefined : addressKeyOfMsgAddress(info.destination),
    value: internal?.value.grams,
    valueExtra: internal && toExtraAmounts(internal.value.extra),
    fwdFee: internal?.fwdFee,
    ihrFee: internal && (hasExtraFlags ? 0n : internal.extraFlags),
    extraFlags: internal && hasExtraFlags ? internal.extraFlags : undefined,
    importFee: info.kind === 'externalIn' ? info.importFee : undefined,
    createdLt: info.kind === 'externalIn' ? undefined : info.createdLt,
    createdAt: info.kind === 'externalIn' ? undefined : info.createdAt,
    opcode: body.bits < 32 || body.isExotic ? undefined : openCell(body).readInt(32),
    bounce: internal?.bounce,
    bounced: internal?.bounced,
    ihrDisabled: internal?.ihrDisabled,
    body: body.bits === 0 && body.refCount === 0 ? undefined : toContent(body),
    init: init && toContent(writeWhole(writeStateInit, init.value)),
    receivedBy,
  }
}

const normalHashOf = (message: Message, hash: Uint8Array): Uint8Array | undefined => {
  const normal = normalizedExternalHash(message)
  return bytesEqual(normal, hash) ? undefined : normal
}

const toContent = (cell: Cell): StoredContent => ({ hash: cell.hash(), packed: packCell(cell) })
