import { type Cell, cellAt } from '../../codec/cell/Cell.ts'
import type { SlicedWork } from './slicedWork.ts'

const VISITS_PER_YIELD = 64

/** Where the cells of a walk go. */
interface CellTaker {
  /** Takes a cell; its children, by their numbers, were taken before. */
  take(cell: Cell, children: readonly number[]): void
  /** Whether the cell that was taken as this number has this hash. */
  hasHash(number: number, hash: Uint8Array): boolean
}

/**
 * Numbers cells by their hashes. The hashes themselves are where the cells are: a copy of each is a third of what the copies of all
 * states take.
 */
class CellNumbers {
  private slots = new Int32Array(64).fill(-1)
  private used = 0
  private readonly probe = new Uint8Array(32)
  private readonly taker: CellTaker
  /** The first four bytes of the hash of each cell. */
  private words = new Int32Array(32)

  constructor(taker: CellTaker) {
    this.taker = taker
  }

  get size(): number {
    return this.used
  }

  /** The number of a cell, or -1. */
  find({ arena, index }: Cell): number {
    const word = arena.hashWord(index)
    const { slots, words } = this
    const mask = slots.length - 1
    let hasProbe = false
    for (let slot = word & mask; ; slot = (slot + 1) & mask) {
      const number = slots[slot]!
      if (number < 0) return -1
      if (words[number] !== word) continue
      if (!hasProbe) arena.copyHash(index, 3, this.probe, 0)
      hasProbe = true
      if (this.taker.hasHash(number, this.probe)) return number
    }
  }

  /** Gives a cell the next number; it must not have one yet. */
  add({ arena, index }: Cell): number {
    if (2 * this.used >= this.slots.length) this.grow()
    const number = this.used++
    this.words[number] = arena.hashWord(index)
    this.place(number)
    return number
  }

  private place(number: number): void {
    const { slots } = this
    const mask = slots.length - 1
    let slot = this.words[number]! & mask
    while (slots[slot]! >= 0) slot = (slot + 1) & mask
    slots[slot] = number
  }

  private grow(): void {
    const words = new Int32Array(2 * this.words.length)
    words.set(this.words)
    this.words = words
    this.slots = new Int32Array(2 * this.slots.length).fill(-1)
    for (let number = 0; number < this.used; number++) this.place(number)
  }
}

/** A cell whose children are being visited. */
type Frame = { readonly cell: Cell; readonly children: number[] }

/**
 * Visits trees of cells, each content once, children before parents, and numbers them in this order. Cells never change, so
 * others may use the same trees while it works.
 */
export class CellWalk {
  private readonly known: CellNumbers
  private readonly taker: CellTaker

  constructor(taker: CellTaker) {
    this.known = new CellNumbers(taker)
    this.taker = taker
  }

  get count(): number {
    return this.known.size
  }

  /** Gives the number of the root. */
  *visit(root: Cell): SlicedWork<number> {
    const { known } = this
    const there = known.find(root)
    if (there >= 0) return there
    const stack: Frame[] = [{ cell: root, children: [] }]
    for (;;) {
      const { cell, children } = stack.at(-1)!
      const { arena, index } = cell
      if (children.length < cell.refCount) {
        const child = cellAt(arena, arena.refs[arena.refStart[index]! + children.length]!)
        const number = known.find(child)
        if (number >= 0) children.push(number)
        else stack.push({ cell: child, children: [] })
        continue
      }
      const number = known.add(cell)
      this.taker.take(cell, children)
      stack.pop()
      if (stack.length === 0) return number
      stack.at(-1)!.children.push(number)
      if (number % VISITS_PER_YIELD === 0) yield undefined
    }
  }
}
