import type { Cell } from './Cell.ts'
import { type CellReader, openCell } from './CellReader.ts'
import { CellWriter } from './CellWriter.ts'

/** Reads a value that must fill the cell exactly. */
export const readWhole = <T>(cell: Cell, read: (r: CellReader) => T, what: string): T => {
  const r = openCell(cell)
  const value = read(r)
  r.expectEnd(what)
  return value
}

/** As {@link readWhole}, for the next reference of a reader. */
export const readWholeRef = <T>(r: CellReader, read: (r: CellReader) => T, what: string): T => {
  const inner = r.readRef()
  const value = read(inner)
  inner.expectEnd(what)
  return value
}

/** Writes a value into a cell of its own. */
export const writeWhole = <T>(write: (w: CellWriter, value: T) => void, value: T): Cell => {
  const w = new CellWriter()
  write(w, value)
  return w.toCell()
}
