import { type Cell, cellAt } from '../../codec/cell/Cell.ts'

/** Work that yields every few hundred microseconds, so that it can be done between other things, or what it has to wait for. */
export type SlicedWork<T> = Generator<Promise<void> | undefined, T, void>

/** How long others may have to wait for a slice to end. */
const SLICE_MS = 4

/** Does the work in slices, between which everything else in the process has its turn. */
export const runInSlices = async <T>(work: SlicedWork<T>): Promise<T> => {
  const giveWay = () => new Promise<void>((resolve) => setImmediate(resolve))
  for (let next: Promise<void> = giveWay(); ; ) {
    await next
    const result = runSlice(work)
    if (result.done === true) return result.value
    // What it waited for may not last: it goes on at once.
    next = result.value ?? giveWay()
  }
}

const runSlice = <T>(work: SlicedWork<T>): IteratorResult<Promise<void> | undefined, T> => {
  const end = performance.now() + SLICE_MS
  let result = work.next()
  while (result.done !== true && result.value === undefined && performance.now() < end) result = work.next()
  return result
}

/** Does all of the work now. It must have nothing to wait for. */
export const runAtOnce = <T>(work: SlicedWork<T>): T => {
  let result = work.next()
  while (result.done !== true) result = work.next()
  return result.value
}

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

const CELLS_PER_YIELD = 256

/**
 * Writes a bag of cells in slices: the codec's own writer does it at once, and a large state takes so long that no block could
 * be made meanwhile. Any reader takes the bag, but the order of its cells is not the one that nodes give their files.
 */
export function* writeBag(roots: readonly Cell[]): SlicedWork<Uint8Array> {
  const cells: Cell[] = []
  const refs: number[] = []
  const refStart: number[] = []
  let dataSize = 0
  const walk = new CellWalk({
    take(cell, children) {
      cells.push(cell)
      refStart.push(refs.length)
      for (const child of children) refs.push(child)
      dataSize += 2 + ((cell.bits + 7) >> 3)
    },
    hasHash: (number, hash) => cells[number]!.hasHash(hash),
  })
  const rootNumbers: number[] = []
  for (const root of roots) rootNumbers.push(yield* walk.visit(root))
  // Cells are visited children first, and a bag has parents first: positions run backwards.
  const last = walk.count - 1
  const refSize = bytesFor(walk.count)
  const cellsSize = dataSize + refs.length * refSize
  const positions = rootNumbers.map((number) => last - number)
  const head = encodeHead(walk.count, positions, cellsSize, refSize)
  const bag = new Uint8Array(head.length + cellsSize)
  bag.set(head)
  let at = head.length
  for (let number = last; number >= 0; number--) {
    const cell = cells[number]!
    at = putCell(bag, at, cell)
    for (let k = 0; k < cell.refCount; k++, at += refSize) put(bag, at, last - refs[refStart[number]! + k]!, refSize)
    if (number % CELLS_PER_YIELD === 0) yield undefined
  }
  return bag
}

/** Descriptors and data; says where they end. */
const putCell = (bag: Uint8Array, at: number, { arena, index, bits }: Cell): number => {
  const length = (bits + 7) >> 3
  const data = arena.dataStart[index]!
  // The source bag may store hashes with a cell; this one does not.
  bag[at] = arena.d1[index]! & ~16
  bag[at + 1] = (bits >> 3) + length
  for (let k = 0; k < length; k++) bag[at + 2 + k] = arena.bytes[data + k]!
  return at + 2 + length
}

/** Magic, sizes, numbers of cells and roots, none absent, length of the cells, roots. */
const encodeHead = (count: number, roots: readonly number[], cellsSize: number, refSize: number): Uint8Array => {
  const offsetSize = bytesFor(cellsSize)
  const head = new Uint8Array(6 + 3 * refSize + offsetSize + roots.length * refSize)
  put(head, 0, 0xb5ee9c72, 4)
  head[4] = refSize
  head[5] = offsetSize
  let at = 6
  for (const value of [count, roots.length, 0]) {
    put(head, at, value, refSize)
    at += refSize
  }
  put(head, at, cellsSize, offsetSize)
  at += offsetSize
  for (const root of roots) {
    put(head, at, root, refSize)
    at += refSize
  }
  return head
}

const bytesFor = (value: number): number => {
  let size = 1
  while (value >= 256 ** size) size++
  return size
}

const put = (out: Uint8Array, at: number, value: number, size: number): void => {
  let rest = value
  for (let k = size - 1; k >= 0; k--) {
    out[at + k] = rest
    rest = Math.floor(rest / 256)
  }
}
