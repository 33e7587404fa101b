import type { Cell } from '../../../codec/cell/Cell.ts'
import type { CellArena } from '../../../codec/cell/CellArena.ts'
import type { VmValue } from '../../../codec/tlb/VmValue.ts'
import { StackTooLargeError } from '../errors.ts'

export type SpelledCells = {
  /** Cells counted once per path (the size of the expanded tree). */
  readonly spelled: number
  /** Distinct cells that were not counted before. */
  readonly distinct: number
}

/** Sizes of cells that were counted before. */
type CountedCells = Map<CellArena, Map<number, number>>

/**
 * The size of a cell expanded into a tree. Visits each distinct cell once, so that a small graph that expands exponentially is
 * counted fast.
 */
export const countSpelledCells = (root: Cell, known: CountedCells = new Map()): SpelledCells => {
  let distinct = 0
  const count = (cell: Cell): number => {
    const counts = countsOf(known, cell.arena)
    const counted = counts.get(cell.index)
    if (counted !== undefined) return counted
    distinct++
    let spelled = 1
    for (let at = 0; at < cell.refCount; at++) spelled += count(cell.ref(at))
    counts.set(cell.index, spelled)
    return spelled
  }
  const spelled = count(root)
  return { spelled, distinct }
}

const countsOf = (known: CountedCells, arena: CellArena): Map<number, number> => {
  const counts = known.get(arena) ?? new Map<number, number>()
  known.set(arena, counts)
  return counts
}

const maxEntries = 1 << 14
const maxCells = 1 << 16
const maxBytes = 16 * 1024 * 1024
/** Expanded cells that are always allowed, and the average expansion factor allowed beyond that. */
const freeCells = 4096
const timesOver = 4
/** The same for serialized cells: bytes always allowed, and base64 bytes of a full cell. */
const freeBytes = 1024 * 1024
const bytesPerCell = 180

/**
 * Size budget of one response. Cells may be shared, so a few cells can expand exponentially, and a stack may contain the same large
 * cell in every entry.
 */
export class AnswerBudget {
  private entries = 0
  private spelled = 0
  private distinct = 0
  private bytes = 0
  private serialized = 0
  private readonly counted: CountedCells = new Map()

  /** Counts a value, nested ones too. */
  takeEntry(): void {
    if (++this.entries > maxEntries) throw new StackTooLargeError()
  }

  /** Counts a cell that is expanded into objects; returns their number. */
  takeCell(cell: Cell): number {
    const { spelled, distinct } = countSpelledCells(cell, this.counted)
    this.spelled += spelled
    this.distinct += distinct
    if (this.spelled > Math.min(maxCells, freeCells + timesOver * this.distinct)) throw new StackTooLargeError()
    return spelled
  }

  /** Counts a cell that is serialized. */
  takeSerialized(cell: Cell, serialize: (cell: Cell) => string): string {
    this.distinct += countSpelledCells(cell, this.counted).distinct
    const text = this.take(serialize(cell))
    this.serialized += text.length
    if (this.serialized > freeBytes + timesOver * bytesPerCell * this.distinct) throw new StackTooLargeError()
    return text
  }

  /** Counts a text. */
  take(text: string): string {
    this.bytes += text.length
    if (this.bytes > maxBytes) throw new StackTooLargeError()
    return text
  }
}

/** The items of a Lisp-style list (nested pairs ending with null); `undefined` if the value is not a list. */
export const findListItems = (value: VmValue): readonly VmValue[] | undefined => {
  const items: VmValue[] = []
  let rest: VmValue = value
  while (rest.kind === 'tuple' && rest.items.length === 2) {
    items.push(rest.items[0]!)
    rest = rest.items[1]!
  }
  return rest.kind === 'null' ? items : undefined
}
