import type { Cell } from '../../codec/cell/Cell.ts'
import { type CellReader, openCell } from '../../codec/cell/CellReader.ts'
import { readSnake } from '../../codec/content/text.ts'
import { toBase64 } from '../../primitives/base64.ts'
import { CodedError } from '../../primitives/errors.ts'

const TAG_BITS = 32
const ENCRYPTED = 0x2167da4b

/** The comment of a plain transfer: text or, of an encrypted one, base64; `undefined` where there is none. */
export const readTransferComment = (body: Cell): string | undefined => {
  if (body.bits < TAG_BITS) return undefined
  const r = openCell(body)
  const tag = r.readUint(TAG_BITS)
  if (r.remainingBits < 8 || r.remainingBits % 8 !== 0 || r.remainingRefs > 1) return undefined
  return readCommentBytes(r, tag === ENCRYPTED)
}

/** What is left, as a comment is shown. */
export const readCommentBytes = (r: CellReader, encrypted: boolean): string | undefined => {
  try {
    const bytes = readSnake(r)
    return encrypted ? toBase64(bytes) : escapeText(bytes)
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    return undefined
  }
}

/** Bytes that are no UTF-8 are written as `\xNN`; zeros are left out, since the database has none in its texts. */
export const escapeText = (bytes: Uint8Array): string => {
  let text = ''
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at)
    if (length === 0) text += `\\x${bytes[at++]!.toString(16).padStart(2, '0')}`
    else {
      text += decoder.decode(bytes.subarray(at, at + length))
      at += length
    }
  }
  return text.replaceAll('\0', '')
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** How many bytes the character here takes; 0 where there is none. */
const sequenceLength = (bytes: Uint8Array, at: number): number => {
  const first = bytes[at]!
  const length = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 0
  if (length === 0 || at + length > bytes.length) return 0
  if (length === 1) return 1
  try {
    decoder.decode(bytes.subarray(at, at + length))
    return length
  } catch {
    return 0
  }
}
