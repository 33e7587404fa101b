import type { Cell } from '../../codec/cell/Cell.ts'
import type { CellReader } from '../../codec/cell/CellReader.ts'

/** A decoded body or a part of it, in the form it has on the wire: integers are decimal text, bit strings upper-case hex. */
export type DecodedValue = string | boolean | DecodedObject | readonly DecodedValue[]

/** A constructor: its name as `@type` (absent where it has none), then its fields. */
export type DecodedObject = { readonly [field: string]: DecodedValue }

/** Replaces a body, or a part of one, that is left out because its body or its answer is over budget. */
export const TRUNCATED: DecodedObject = Object.freeze({ '@type': 'truncated', reason: 'too large' })

/** Characters of JSON that a value takes itself. Objects and lists are counted where they are made. */
export const scalarLength = (value: DecodedValue): number =>
  typeof value === 'string' ? value.length + 2 : typeof value === 'boolean' ? 5 : 0

/**
 * Reads one value where the cursor stands. `undefined` says that something else stands there; it is returned rather than
 * thrown because bodies that fit none of several candidates are the common case.
 */
export type Reader = (r: CellReader, session: ReadSession, frame: Frame) => DecodedValue | undefined

/** Numbers that later parts of the same constructor look back at, by slot. */
export type Frame = number[]

export const NO_FRAME: Frame = []

/** Gives readers access to other cells and counts what one body costs. */
export interface ReadSession {
  /** A value in the next reference. Where the value ends, its cell has to end. */
  readRef(r: CellReader, read: Reader, frame: Frame): DecodedValue | undefined
  /** A value that fills a cell. */
  readCell(cell: Cell, read: Reader, frame: Frame): DecodedValue | undefined
  /** A value of a type that is being read already, further up. */
  readAgain(r: CellReader, read: Reader, frame: Frame): DecodedValue | undefined
  /** A cell of no stated type, in the next reference. */
  readUntypedRef(r: CellReader): DecodedValue | undefined
  /** The rest as a cell of unknown type. */
  readUntypedRest(r: CellReader): DecodedValue | undefined
  /** Characters of JSON so far. An alternative that does not fit gives back what it took. */
  text: number
  /** Pays for work beyond that of entering a cell; false where the body has had its share. */
  takeSteps(count: number): boolean
  /** Pays for characters of JSON; false where nothing of the body can be shown. */
  takeText(length: number): boolean
  /** Pays for a text that may be long, and gives what to show: the text, or TRUNCATED. */
  showText(text: string): DecodedValue | undefined
}

/** The cost of decoding one body. */
export type DecodeCost = { readonly text: number; readonly steps: number }

/** Limits what all decoded bodies of one answer may cost together. */
export class DecodeBudget {
  private text: number
  private steps: number

  /** Characters of JSON, and cells that are entered. The body that goes beyond is still decoded, none after it is. */
  constructor({ text, steps }: DecodeCost) {
    this.text = text
    this.steps = steps
  }

  get left(): DecodeCost {
    return { text: this.text, steps: this.steps }
  }

  get isSpent(): boolean {
    return this.text <= 0 || this.steps <= 0
  }

  take({ text, steps }: DecodeCost): void {
    this.text -= text
    this.steps -= steps
  }
}
