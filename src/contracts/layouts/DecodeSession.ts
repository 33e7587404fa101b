import { type Cell, type CellSlice, wholeSlice } from '../../codec/cell/Cell.ts'
import { type CellReader, openCell, openSlice } from '../../codec/cell/CellReader.ts'
import { sliceToCell } from '../../codec/cell/CellWriter.ts'
import { encodeBoc, orderCells } from '../../codec/cell/encodeBoc.ts'
import { toBase64 } from '../../primitives/base64.ts'
import { CodedError } from '../../primitives/errors.ts'
import {
  type DecodedObject,
  type DecodedValue,
  type Frame,
  type Reader,
  type ReadSession,
  TRUNCATED,
} from './DecodedValue.ts'

// A bag of one cell: magic, sizes of one byte each, one cell, one root, none absent, (length), root 0, (the cell).
const LEAF_HEAD = [0xb5, 0xee, 0x9c, 0x72, 1, 1, 1, 1, 0, 0, 0, 0, 0]
const LENGTH_AT = 9
const BITS_AT = 12

/** A bag of cells in base64 for a slice as a cell of its own. */
const toBocText = (slice: CellSlice): string => {
  if (slice.refStart === slice.refEnd && !slice.arena.isExotic(slice.index)) return leafBocText(slice)
  return toBase64(encodeBoc([sliceToCell(slice)]))
}

const cellToBocText = (cell: Cell): string => toBase64(encodeBoc([cell]))

/** Most unknown payloads are one cell, which needs no ordering. */
const leafBocText = (slice: CellSlice): string => {
  const bits = slice.bitEnd - slice.bitStart
  const data = openSlice(slice).readBits(bits)
  const boc = new Uint8Array(LEAF_HEAD.length + data.length)
  boc.set(LEAF_HEAD)
  boc[LENGTH_AT] = 2 + data.length
  boc[BITS_AT] = (bits >> 3) + data.length
  boc.set(data, LEAF_HEAD.length)
  if (bits % 8 !== 0) boc[boc.length - 1]! |= 0x80 >> (bits & 7)
  return toBase64(boc)
}

/** Untyped cells are decoded in their turn this many levels down. */
const MAX_LEVEL = 10
/** The longest chain of typed cells is a list of 255 actions; the call stack bears several times this depth. */
const MAX_DEPTH = 300
/** The depth to which a type may contain itself, in references or not. */
const MAX_RECURSION = 400
/** Twice as many as the network lets a message have cells; equal cells count every time they are met. */
const MAX_STEPS = 16_384
/** Text takes a step for this many characters. */
const TEXT_PER_STEP = 64
/** Characters of JSON that any body may take, and that a long one may take for each of its bytes. */
const MAX_TEXT = 64 * 1024
const MAX_TEXT_PER_BYTE = 8

/**
 * Limits what one body may cost. A bag of 2 KB can spell out JSON of any length, as equal subtrees are one cell. A session over its
 * budget enters no further cell: {@link TRUNCATED} replaces each.
 */
export class DecodeSession implements ReadSession {
  private readonly body: Cell
  private readonly decodeSlice: (slice: CellSlice, session: DecodeSession) => DecodedObject | undefined
  private level = 0
  private depth = 0
  private recursion = 0
  private maxText = MAX_TEXT
  private isMeasured = false
  /** Characters of JSON so far, without those of alternatives that did not fit. */
  text = 0
  /** Cells, trials and text so far, alternatives that did not fit included. */
  steps = 0
  /** The body is over budget at a position where no part can be left out, so none of it is shown. */
  isSpent = false

  constructor(body: Cell, decodeSlice: (slice: CellSlice, session: DecodeSession) => DecodedObject | undefined) {
    this.body = body
    this.decodeSlice = decodeSlice
  }

  /** No further cell is entered. */
  get isFull(): boolean {
    return this.isSpent || this.steps > MAX_STEPS || (this.text > this.maxText && !this.hasMore())
  }

  readRef(r: CellReader, read: Reader, frame: Frame): DecodedValue | undefined {
    return r.remainingRefs === 0 ? undefined : this.readCell(r.readRefCell(), read, frame)
  }

  readCell(cell: Cell, read: Reader, frame: Frame): DecodedValue | undefined {
    this.steps++
    if (this.isFull || this.depth >= MAX_DEPTH) return TRUNCATED
    if (cell.isExotic) return undefined
    const inner = openCell(cell)
    this.depth++
    const value = read(inner, this, frame)
    this.depth--
    return value === TRUNCATED || (inner.remainingBits === 0 && inner.remainingRefs === 0) ? value : undefined
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
    if (!cell.isExotic) return this.decodeUntyped(wholeSlice(cell))
    this.steps++
    return this.isFull ? TRUNCATED : this.showText(cellToBocText(cell))
  }

  readUntypedRest(r: CellReader): DecodedValue | undefined {
    return this.decodeUntyped(r.readRest())
  }

  takeSteps(count: number): boolean {
    this.steps += count
    return this.steps <= MAX_STEPS && !this.isSpent
  }

  takeText(length: number): boolean {
    this.text += length
    // The rest of an entered cell is still shown. Usually it is little; a hostile body can make it large.
    if (this.text > 2 * MAX_TEXT && this.text > 2 * this.maxText && !this.hasMore()) this.isSpent = true
    return !this.isSpent
  }

  showText(text: string): DecodedValue | undefined {
    // Bytes that JSON has to escape take up to six characters.
    const length = JSON.stringify(text).length
    this.steps += Math.ceil(length / TEXT_PER_STEP)
    if (this.text + length > this.maxText) this.hasMore()
    if (this.text + length > this.maxText) return TRUNCATED
    // The text itself is counted with the field that has it.
    this.text += length - text.length - 2
    return text
  }

  /** Long bodies may take more. They are measured only when it matters, and once. */
  private hasMore(): boolean {
    if (this.isMeasured) return false
    this.isMeasured = true
    this.maxText = Math.max(MAX_TEXT, MAX_TEXT_PER_BYTE * measureCells(this.body))
    return this.text <= this.maxText
  }

  private decodeUntyped(slice: CellSlice): DecodedValue | undefined {
    this.steps++
    if (this.isFull) return TRUNCATED
    if (this.level < MAX_LEVEL && this.depth < MAX_DEPTH) {
      this.level++
      this.depth++
      const decoded = this.decodeSlice(slice, this)
      this.depth--
      this.level--
      if (decoded !== undefined) return decoded
    }
    return this.isFull ? TRUNCATED : this.showText(toBocText(slice))
  }
}

/** Bytes of all cells, equal ones once. */
const measureCells = (root: Cell): number => {
  try {
    return orderCells([root]).cells.reduce((sum, { bits, refCount }) => sum + 2 + ((bits + 7) >> 3) + refCount, 0)
  } catch (error) {
    // Cells below may be pruned or broken.
    if (error instanceof CodedError) return 0
    throw error
  }
}
