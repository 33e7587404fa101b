import type { Cell } from '../codec/cell/Cell.ts'
import { readWhole } from '../codec/cell/wholeCell.ts'
import { normalizedExternalHash, readMessage } from '../codec/tlb/Message.ts'
import { findStandardAddress } from '../codec/tlb/MsgAddress.ts'
import type { Address } from '../primitives/Address.ts'

/** A message from outside that a node has taken. */
export type SentMessage = {
  readonly cell: Cell
  readonly hash: Uint8Array
  /** The one that it has however it is packed. */
  readonly normalHash: Uint8Array
  readonly destination: Address
}

/** `undefined` where no account can receive it. */
export const openSentMessage = (cell: Cell): SentMessage | undefined => {
  const message = readWhole(cell, readMessage, 'A message')
  if (message.info.kind !== 'externalIn') return undefined
  const destination = findStandardAddress(message.info.destination)
  if (destination === undefined) return undefined
  return { cell, hash: cell.hash(), normalHash: normalizedExternalHash(message), destination }
}
