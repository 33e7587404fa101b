import type { CellReader } from '../cell/CellReader.ts'
import { CellWriter } from '../cell/CellWriter.ts'
import { MAX_BITS } from '../cell/exotic.ts'
import { ContentBudget, type ContentLimits } from './ContentBudget.ts'
import { ContentError } from './ContentError.ts'

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
