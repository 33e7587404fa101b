import type { CellReader } from '../cell/CellReader.ts'
import { CellWriter } from '../cell/CellWriter.ts'
import { CellError } from '../cell/errors.ts'
import { MAX_BITS } from '../cell/exotic.ts'
import { ContentBudget, ContentError, ContentLimitError, type ContentLimits } from './ContentBudget.ts'

const CELL_BYTES = MAX_BITS >> 3
const MAX_CHAIN = 1024

export const DEFAULT_SNAKE_LIMITS: ContentLimits = { maxCells: MAX_CHAIN, maxBytes: MAX_CHAIN * CELL_BYTES }

/**
 * Bytes in a chain of cells: all bits that are left here, then those of the first reference, and so on. As in the node,
 * only the whole has to be bytes: a cell may break off inside one. Other references are passed over.
 */
export const readSnake = (r: CellReader, limits: ContentLimits = DEFAULT_SNAKE_LIMITS): Uint8Array =>
  readSnakeWithin(r, new ContentBudget(limits))

/** As {@link readSnake}, as one part of a larger content. */
export const readSnakeWithin = (r: CellReader, budget: ContentBudget): Uint8Array => {
  const cells = [r]
  budget.takeCell(r.remainingBits)
  let bits = r.remainingBits
  for (let last = r; last.remainingRefs > 0; ) {
    last = last.readRef()
    budget.takeCell(last.remainingBits)
    cells.push(last)
    bits += last.remainingBits
  }
  if (bits % 8 !== 0) throw new ContentError(`A byte string in cells has whole bytes, this one has ${bits} bits.`)
  const bytes = new Uint8Array(bits / 8)
  let at = 0
  for (const cell of cells) {
    const length = cell.remainingBits
    cell.readBitsInto(bytes, at, length)
    at += length
  }
  return bytes
}

/** Writes bytes behind what the cell holds already: as many as fit, the rest in a chain of full cells. */
export const writeSnake = (w: CellWriter, bytes: Uint8Array): void => {
  const room = (MAX_BITS - w.usedBits) >> 3
  if (bytes.length <= room) {
    w.writeBytes(bytes)
    return
  }
  const further = Math.ceil((bytes.length - room) / CELL_BYTES)
  if (further >= MAX_CHAIN) {
    throw new ContentError(
      `${bytes.length} bytes would take a chain of ${further + 1} cells, at most ${MAX_CHAIN} are written.`,
    )
  }
  let next = new CellWriter().writeBytes(bytes.subarray(room + (further - 1) * CELL_BYTES)).toCell()
  for (let k = further - 2; k >= 0; k--) {
    const start = room + k * CELL_BYTES
    next = new CellWriter()
      .writeBytes(bytes.subarray(start, start + CELL_BYTES))
      .writeRef(next)
      .toCell()
  }
  w.writeBytes(bytes.subarray(0, room)).writeRef(next)
}

const TEXT = 0
const ENCRYPTED = 0x2167da4b

/** The comment of a transfer. Both kinds are bytes: text should be UTF-8 but may not be. */
export type Comment = { readonly kind: 'text' | 'encrypted'; readonly bytes: Uint8Array }

/** A body that is a comment: 32 zero bits, or the tag of an encrypted comment, then bytes in a chain of cells. */
export const readComment = (r: CellReader, limits: ContentLimits = DEFAULT_SNAKE_LIMITS): Comment => {
  const tag = r.readUint(32)
  if (tag !== TEXT && tag !== ENCRYPTED) {
    throw new ContentError(`A comment starts with 00000000 or 2167da4b, but got ${tag.toString(16).padStart(8, '0')}.`)
  }
  return { kind: tag === TEXT ? 'text' : 'encrypted', bytes: readSnake(r, limits) }
}

/** The comment in a body, or `undefined` where the body is something else or longer than the limits. */
export const findComment = (r: CellReader, limits: ContentLimits = DEFAULT_SNAKE_LIMITS): Comment | undefined => {
  // Most bodies are something else: to throw costs ten times what it takes to look.
  if (r.remainingBits < 32) return undefined
  const tag = r.peekUint(32)
  if (tag !== TEXT && tag !== ENCRYPTED) return undefined
  try {
    return readComment(r, limits)
  } catch (error) {
    // A pruned branch is not "something else": what stands there is unknown.
    if (error instanceof ContentError || error instanceof ContentLimitError || error instanceof CellError)
      return undefined
    throw error
  }
}

export const writeComment = (w: CellWriter, { kind, bytes }: Comment): void => {
  w.writeUint(kind === 'text' ? TEXT : ENCRYPTED, 32)
  writeSnake(w, bytes)
}

// A byte order mark is a character like any other: what was stored is given back.
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const lossy = new TextDecoder('utf-8', { ignoreBOM: true })
const encoder = new TextEncoder()

/** The text, or `undefined` where the bytes are not UTF-8. */
export const findUtf8 = (bytes: Uint8Array): string | undefined => {
  try {
    return strict.decode(bytes)
  } catch {
    return undefined
  }
}

/** The text; bytes that are not UTF-8 are an error. */
export const decodeUtf8 = (bytes: Uint8Array): string => {
  const text = findUtf8(bytes)
  if (text === undefined)
    throw new ContentError(`Expected text in UTF-8, but its ${bytes.length} bytes are not valid UTF-8.`)
  return text
}

/** The text with U+FFFD for whatever is not UTF-8. */
export const decodeUtf8Lossy = (bytes: Uint8Array): string => lossy.decode(bytes)

export const encodeUtf8 = (text: string): Uint8Array => encoder.encode(text)
