import type { Cell } from '../../../codec/cell/Cell.ts'
import { openCell } from '../../../codec/cell/CellReader.ts'
import { opcodeOf } from '../../trace/toTraceMessage.ts'
import { readCommentBytes } from '../../tree/readTransferComment.ts'

const TEXT = 0
const ENCRYPTED = 0x2167da4b

/** What is sent along with a token. */
export type Payload = {
  readonly cell: Cell
  /** Its first 32 bits; `undefined` where it is shorter. */
  readonly tag: number | undefined
  /** Of an encrypted one its bytes, base64. */
  readonly comment: string | undefined
  readonly isEncrypted: boolean
}

export const toPayload = (cell: Cell): Payload => {
  const tag = opcodeOf(cell)
  if (tag !== TEXT && tag !== ENCRYPTED) return { cell, tag, comment: undefined, isEncrypted: false }
  const r = openCell(cell)
  r.skipBits(32)
  const comment = readCommentBytes(r, tag === ENCRYPTED)
  return { cell, tag, comment, isEncrypted: tag === ENCRYPTED && comment !== undefined }
}
