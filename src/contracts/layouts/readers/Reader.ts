import type { Cell } from '../../../codec/cell/Cell.ts'
import type { CellReader } from '../../../codec/cell/CellReader.ts'
import type { DecodedValue } from '../DecodedValue.ts'

/**
 * Reads one value where the cursor stands. `undefined` says that something else stands there; it is returned rather than
 * thrown because bodies that fit none of several candidates are the common case.
 */
export type Reader = (r: CellReader, session: ReadSession, frame: Frame) => DecodedValue | undefined

/** Numbers that later parts of the same constructor look back at, by slot. */
export type Frame = number[]

export const NO_FRAME: Frame = []

/** What readers go through to reach other cells, so that what one body costs is counted in one place. */
export interface ReadSession {
  /** A value in the next reference. Where the value ends, its cell has to end. */
  readRef(r: CellReader, read: Reader, frame: Frame): DecodedValue | undefined
  /** A value that fills a cell. */
  readCell(cell: Cell, read: Reader, frame: Frame): DecodedValue | undefined
  /** A value of a type that is being read already, further up. */
  readAgain(r: CellReader, read: Reader, frame: Frame): DecodedValue | undefined
  /** A cell of no stated type, in the next reference. */
  readUntypedRef(r: CellReader): DecodedValue | undefined
  /** All that is left here, as a cell of no stated type. */
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
