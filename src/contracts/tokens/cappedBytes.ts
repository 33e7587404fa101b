import type { Cell } from '../../codec/cell/Cell.ts'
import { type CellReader, openCell } from '../../codec/cell/CellReader.ts'
import { type DictType, readDict, visitEntries } from '../../codec/cell/Dict.ts'
import { cellValue, uintKey } from '../../codec/cell/dictTypes.ts'
import { ContentError, ContentLimitError } from '../../codec/content/ContentBudget.ts'

/** Services show this much of one value; the rest of a longer one is not looked at. */
const MAX_BITS = 8 * 8192
/** Cells may hold no bits at all and be shared, so bits alone bound nothing. */
const MAX_CELLS = 2048
const MAX_NODES = 8192

const chunksType: DictType<number, Cell> = { key: uintKey(32), value: cellValue }

/** Collects the bits of cells until the next cell would be too much. */
class CappedBits {
  private readonly bytes = new Uint8Array(MAX_BITS / 8)
  private used = 0
  private cells = 0

  /** Takes what is left of a cell, or says that it does not fit. */
  take(r: CellReader): boolean {
    const bits = r.remainingBits
    if (++this.cells > MAX_CELLS) {
      throw new ContentLimitError(`A value runs through more than ${MAX_CELLS} cells, the most that is read of one.`)
    }
    if (this.used + bits > MAX_BITS) return false
    r.readBitsInto(this.bytes, this.used, bits)
    this.used += bits
    return true
  }

  finish(): Uint8Array {
    if (this.used % 8 !== 0) {
      throw new ContentError(`A byte string in cells has whole bytes, this one has ${this.used} bits.`)
    }
    return this.bytes.slice(0, this.used / 8)
  }
}

const takeSnake = (bits: CappedBits, first: CellReader): boolean => {
  for (let r = first; ; r = r.readRef()) {
    if (!bits.take(r)) return false
    if (r.remainingRefs === 0) return true
  }
}

/** Bytes in a chain of cells, as many whole cells of them as 8192 bytes have room for. */
export const readCappedSnake = (r: CellReader): Uint8Array => {
  const bits = new CappedBits()
  takeSnake(bits, r)
  return bits.finish()
}

/** chunked_data#_ data:(HashmapE 32 ^(SnakeData ~0)) = ChunkedData; in the order of the numbers, capped the same way. */
export const readCappedChunks = (r: CellReader): Uint8Array => {
  const bits = new CappedBits()
  visitEntries(readDict(r, chunksType), { maxNodes: MAX_NODES }, (_, chunk) => takeSnake(bits, openCell(chunk)))
  return bits.finish()
}
