import type { Cell } from '../../codec/cell/Cell.ts'
import { type CellReader, openCell } from '../../codec/cell/CellReader.ts'
import { type CellSlice, wholeSlice } from '../../codec/cell/CellSlice.ts'
import { cellToBocText, toBocText } from './bocText.ts'
import type { DecodedObject, DecodedValue } from './DecodedValue.ts'
import type { Frame, Reader, ReadSession } from './readers/Reader.ts'

/** Untyped cells are decoded in their turn this many levels down. */
const MAX_LEVEL = 10
/** The longest chain of typed cells is a list of 255 actions; the call stack bears several times this depth. */
const MAX_DEPTH = 300
/** How often a type may contain itself, in references or not. */
const MAX_RECURSION = 400
/** As many cells as the network lets a message have; equal cells count every time they are met. */
const MAX_CELLS = 8192
/** Characters of text, hex and base64 in one answer. */
const MAX_TEXT = 4 * 1024 * 1024

/**
 * What one body may cost. A bag of 2 KB can spell out an answer of any length, as equal subtrees are one cell; a session
 * that is spent reads nothing more, and its body counts as not decoded.
 */
export class DecodeSession implements ReadSession {
  private readonly decodeSlice: (slice: CellSlice, session: DecodeSession) => DecodedObject | undefined
  private level = 0
  private depth = 0
  private recursion = 0
  private cells = MAX_CELLS
  private text = MAX_TEXT
  isSpent = false

  constructor(decodeSlice: (slice: CellSlice, session: DecodeSession) => DecodedObject | undefined) {
    this.decodeSlice = decodeSlice
  }

  readRef(r: CellReader, read: Reader, frame: Frame): DecodedValue | undefined {
    return r.remainingRefs === 0 ? undefined : this.readCell(r.readRefCell(), read, frame)
  }

  readCell(cell: Cell, read: Reader, frame: Frame): DecodedValue | undefined {
    if (cell.isExotic || !this.takeCells(1)) return undefined
    if (this.depth >= MAX_DEPTH) {
      this.isSpent = true
      return undefined
    }
    const inner = openCell(cell)
    this.depth++
    const value = read(inner, this, frame)
    this.depth--
    return inner.remainingBits === 0 && inner.remainingRefs === 0 ? value : undefined
  }

  readAgain(r: CellReader, read: Reader, frame: Frame): DecodedValue | undefined {
    if (this.recursion >= MAX_RECURSION) {
      this.isSpent = true
      return undefined
    }
    this.recursion++
    const value = read(r, this, frame)
    this.recursion--
    return value
  }

  readUntypedRef(r: CellReader): DecodedValue | undefined {
    if (r.remainingRefs === 0) return undefined
    const cell = r.readRefCell()
    return cell.isExotic ? this.keepText(cellToBocText(cell)) : this.decodeUntyped(wholeSlice(cell))
  }

  readUntypedRest(r: CellReader): DecodedValue | undefined {
    return this.decodeUntyped(r.readRest())
  }

  takeCells(count: number): boolean {
    this.cells -= count
    if (this.cells < 0) this.isSpent = true
    return !this.isSpent
  }

  takeText(length: number): boolean {
    this.text -= length
    if (this.text < 0) this.isSpent = true
    return !this.isSpent
  }

  private decodeUntyped(slice: CellSlice): DecodedValue | undefined {
    if (!this.takeCells(1)) return undefined
    if (this.level < MAX_LEVEL && this.depth < MAX_DEPTH) {
      this.level++
      this.depth++
      const decoded = this.decodeSlice(slice, this)
      this.depth--
      this.level--
      if (decoded !== undefined) return decoded
    }
    return this.isSpent ? undefined : this.keepText(toBocText(slice))
  }

  private keepText(text: string): string | undefined {
    return this.takeText(text.length) ? text : undefined
  }
}
