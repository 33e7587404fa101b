import type { Cell } from '../../../codec/cell/Cell.ts'
import type { CellArena } from '../../../codec/cell/CellArena.ts'
import type { VmValue } from '../../../codec/tlb/VmValue.ts'
import { StackTooLargeError } from '../errors.ts'

export type SpelledCells = {
  /** With every path to a cell spelled out. */
  readonly spelled: number
  /** Each once, without those that were counted before. */
  readonly distinct: number
}

/** What cells come to that were counted before. */
type CountedCells = Map<CellArena, Map<number, number>>

/**
 * How many cells a cell comes to when it is spelled out. Each is looked at once, so that this takes no longer for a few cells
 * that spell out endlessly many.
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

const maxEntries = 1 << 16
const maxCells = 1 << 16
const maxBytes = 16 * 1024 * 1024
/** Cells that may be spelled out whatever they are, and how many times over each may be on average beyond that. */
const freeCells = 4096
const timesOver = 4
/** The same for cells as bytes: these many, and those of a full cell in base64. */
const freeBytes = 1024 * 1024
const bytesPerCell = 180

/**
 * What one answer may take. Cells may be shared, and a few of them can spell out endlessly many; a stack may hold the same
 * large cell in every entry.
 */
export class AnswerBudget {
  private entries = 0
  private spelled = 0
  private distinct = 0
  private bytes = 0
  private serialized = 0
  private readonly counted: CountedCells = new Map()

  /** A value, those within others too. */
  takeEntry(): void {
    if (++this.entries > maxEntries) throw new StackTooLargeError()
  }

  /** A cell that is to be spelled out. Whoever sends a few gets no flood of them back. */
  takeCell(cell: Cell): void {
    const { spelled, distinct } = countSpelledCells(cell, this.counted)
    this.spelled += spelled
    this.distinct += distinct
    if (this.spelled > Math.min(maxCells, freeCells + timesOver * this.distinct)) throw new StackTooLargeError()
  }

  /** A cell that is to be serialized. */
  takeSerialized(cell: Cell, serialize: (cell: Cell) => string): string {
    this.distinct += countSpelledCells(cell, this.counted).distinct
    const text = this.take(serialize(cell))
    this.serialized += text.length
    if (this.serialized > freeBytes + timesOver * bytesPerCell * this.distinct) throw new StackTooLargeError()
    return text
  }

  /** A text. */
  take(text: string): string {
    this.bytes += text.length
    if (this.bytes > maxBytes) throw new StackTooLargeError()
    return text
  }
}

/** The items of a list, which is pairs in pairs with null at the end; `undefined` where a value is none. */
export const findListItems = (value: VmValue): readonly VmValue[] | undefined => {
  const items: VmValue[] = []
  let rest: VmValue = value
  while (rest.kind === 'tuple' && rest.items.length === 2) {
    items.push(rest.items[0]!)
    rest = rest.items[1]!
  }
  return rest.kind === 'null' ? items : undefined
}
