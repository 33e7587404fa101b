import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'
import { CellError } from '../cell/errors.ts'
import { ContentLimitError, type ContentLimits } from './ContentBudget.ts'
import { ContentError } from './ContentError.ts'
import { DEFAULT_SNAKE_LIMITS, readSnake, writeSnake } from './snake.ts'

const TEXT = 0
const ENCRYPTED = 0x2167da4b

/** What a sender wrote to go with a transfer. Both kinds are bytes; UTF-8 is expected of text, but not assured. */
export type Comment = { readonly kind: 'text' | 'encrypted'; readonly bytes: Uint8Array }

/** A body that is a comment: 32 zero bits, or the tag of an encrypted comment, then bytes in a chain of cells. */
export const readComment = (r: CellReader, limits: ContentLimits = DEFAULT_SNAKE_LIMITS): Comment => {
  const tag = r.readUint(32)
  if (tag !== TEXT && tag !== ENCRYPTED) {
    throw new ContentError(`A comment starts with 00000000 or 2167da4b, ${tag.toString(16).padStart(8, '0')} came.`)
  }
  return { kind: tag === TEXT ? 'text' : 'encrypted', bytes: readSnake(r, limits) }
}

/** The comment in a body, or `undefined` where the body is something else or longer than the limits. */
export const findComment = (r: CellReader, limits: ContentLimits = DEFAULT_SNAKE_LIMITS): Comment | undefined => {
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
