import { base64Slice } from '../../primitives/bytes.ts'
import { crc32c } from '../../primitives/crc.ts'
import { type Cell, cellAt } from './Cell.ts'
import { BocError } from './errors.ts'
import { popcount3 } from './exotic.ts'
import { HashIndex } from './HashIndex.ts'

/** Cells in the order of a file, with their references as positions in it. */
type BocOrder = {
  readonly cells: readonly Cell[]
  /** References of all cells, one after another. */
  readonly refs: Int32Array
  readonly roots: readonly number[]
  /** 1 where the node stores the hashes with the cell. */
  readonly carriesHash: Uint8Array
  /** 1 where a cell is referred to more than once. */
  readonly isShared: Uint8Array
}

// A cell that carries its hash stands for at most this many cells below it.
const MAX_WEIGHT = 64
const NEW = -1
const PREVISITED = -2
const VISITED = -3

/**
 * The node's own order of cells. It keeps the cells under a hash-carrying cell together, so that a reader can load them
 * at once; any order with children after parents would be valid, but only this one gives files of equal bytes.
 */
export const orderCells = (roots: readonly Cell[]): BocOrder =>
  (roots.length === 1 ? smallTree.order(roots[0]!) : undefined) ?? orderOfTree(roots)

/** As {@link orderCells}, for trees of any size. */
const orderOfTree = (roots: readonly Cell[]): BocOrder => renumber(importCells(roots))

/** With no more cells, shared ones counted as often as they are referred to, none carries its hash: see {@link settleWeights}. */
const MAX_SMALL = 16

/**
 * The order of one small tree, as most transactions, messages and their bodies are: without weights, which would change nothing, and
 * without a table of hashes, which costs more than to compare a few of them. Its columns are used again for the next tree.
 */
class SmallTree {
  private readonly cells: Cell[] = []
  private readonly words = new Int32Array(MAX_SMALL)
  private readonly weights = new Int32Array(MAX_SMALL)
  private readonly children = new Int32Array(4 * MAX_SMALL)
  /** Positions from the end. */
  private readonly numbers = new Int32Array(MAX_SMALL)
  private readonly isShared = new Uint8Array(MAX_SMALL)
  private readonly none = new Uint8Array(MAX_SMALL)
  private weight = 0
  private next = 0
  private refCount = 0

  /** As {@link orderOfTree}; `undefined` where the tree is larger. */
  order(root: Cell): BocOrder | undefined {
    this.weight = 0
    this.next = 0
    this.refCount = 0
    try {
      this.visit(root)
      return this.weight > MAX_SMALL ? undefined : this.toOrder()
    } finally {
      // Cells hold the memory that they came in.
      this.cells.length = 0
      this.isShared.fill(0)
    }
  }

  private toOrder(): BocOrder {
    const { cells, numbers, next, children } = this
    const count = cells.length
    numbers[0] = next
    const ordered = new Array<Cell>(count)
    const refs = new Int32Array(this.refCount)
    const isShared = this.isShared.includes(1) ? new Uint8Array(count) : this.none
    for (let position = 0, at = 0; position < count; position++) {
      const k = numbers.indexOf(next - position)
      const cell = cells[k]!
      ordered[position] = cell
      if (this.isShared[k] === 1) isShared[position] = 1
      for (let j = 0; j < cell.refCount; j++) refs[at++] = next - numbers[children[4 * k + j]!]!
    }
    return { cells: ordered, refs, roots: [0], carriesHash: this.none, isShared }
  }

  /** Gives the cells below a new cell their numbers, and says which cell of the tree it is. */
  private visit(cell: Cell): number {
    const { cells, words, weights, children, numbers } = this
    const word = cell.arena.hashWord(cell.index)
    for (let k = 0; k < cells.length; k++) {
      if (words[k] !== word || !cells[k]!.equals(cell)) continue
      this.weight += weights[k]!
      this.isShared[k] = 1
      return k
    }
    if (++this.weight > MAX_SMALL) return 0
    const before = this.weight
    const own = cells.push(cell) - 1
    words[own] = word
    numbers[own] = NEW
    const { refCount } = cell
    for (let k = refCount - 1; k >= 0; k--) {
      children[4 * own + k] = this.visit(cell.ref(k))
      if (this.weight > MAX_SMALL) return 0
    }
    for (let k = refCount - 1; k >= 0; k--) {
      const child = children[4 * own + k]!
      if (numbers[child] === NEW) numbers[child] = this.next++
    }
    this.refCount += refCount
    weights[own] = this.weight - before + 1
    return own
  }
}

const smallTree = new SmallTree()

/**
 * Each cell before the cells below it, first reference first; a shared cell comes after the last cell that refers to it. The original
 * writes the cells of actions in this order.
 */
const orderDepthFirst = (roots: readonly Cell[]): BocOrder => {
  const { cells, refStart, refs, shared, roots: starts } = importCells(roots)
  const count = cells.length
  const positions = new Int32Array(count).fill(NEW)
  const sources = new Int32Array(count)
  let next = count
  const visit = (i: number): void => {
    if (positions[i] !== NEW) return
    positions[i] = VISITED
    for (let k = cells[i]!.refCount - 1; k >= 0; k--) visit(refs[refStart[i]! + k]!)
    positions[i] = --next
    sources[next] = i
  }
  for (let k = starts.length - 1; k >= 0; k--) visit(starts[k]!)
  const orderedRefs = new Int32Array(refs.length)
  const isShared = new Uint8Array(count)
  for (let position = 0, at = 0; position < count; position++) {
    const i = sources[position]!
    if (shared.has(i)) isShared[position] = 1
    for (let k = 0; k < cells[i]!.refCount; k++) orderedRefs[at++] = positions[refs[refStart[i]! + k]!]!
  }
  return {
    cells: Array.from(sources, (i) => cells[i]!),
    refs: orderedRefs,
    roots: starts.map((i) => positions[i]!),
    carriesHash: new Uint8Array(count),
    isShared,
  }
}

/** Cells by number, children before parents: where the references of each begin, and all references one after another. */
export type RefGraph = {
  readonly refStart: readonly number[]
  readonly refs: readonly number[]
  /** How many cells each stands for, itself and those below, at most 255. */
  readonly weights: number[]
  readonly roots: readonly number[]
}

type CellGraph = RefGraph & {
  readonly cells: Cell[]
  readonly shared: Set<number>
}

const refCountOf = ({ refStart, refs }: RefGraph, i: number): number => (refStart[i + 1] ?? refs.length) - refStart[i]!

// One for all calls: its tables cost more than to order the cells of a small bag.
const index = new HashIndex()

/** Children before parents, each content once. */
const importCells = (roots: readonly Cell[]): CellGraph => {
  index.clear()
  const cells: Cell[] = []
  const refStart: number[] = []
  const refs: number[] = []
  const weights: number[] = []
  const shared = new Set<number>()
  const visit = (cell: Cell): number => {
    const known = index.find(cell)
    if (known >= 0) {
      shared.add(known)
      return known
    }
    const { arena } = cell
    const start = arena.refStart[cell.index]!
    const count = cell.refCount
    const children = [0, 0, 0, 0]
    let weight = 1
    for (let k = 0; k < count; k++) {
      const child = visit(cellAt(arena, arena.refs[start + k]!))
      children[k] = child
      weight += weights[child]!
    }
    refStart.push(refs.length)
    for (let k = 0; k < count; k++) refs.push(children[k]!)
    weights.push(Math.min(255, weight))
    cells.push(cell)
    return index.add(cell)
  }
  return { cells, refStart, refs, weights, shared, roots: roots.map(visit) }
}

/** Shares out the budget of each cell among its children; who gets too little (weight 0) carries its hash. */
const settleWeights = (graph: RefGraph): number[] => {
  const { refStart, refs, weights } = graph
  for (let i = refStart.length - 1; i >= 0; i--) {
    const start = refStart[i]!
    const count = refCountOf(graph, i)
    let heavy = count
    let budget = MAX_WEIGHT - 1
    let light = 0
    for (let k = 0; k < count; k++) {
      const weight = weights[refs[start + k]!]!
      if (weight > Math.floor((MAX_WEIGHT - 1 + k) / count)) continue
      budget -= weight
      heavy--
      light |= 1 << k
    }
    for (let k = 0; k < count && heavy > 0; k++) {
      if ((light & (1 << k)) !== 0) continue
      const limit = Math.floor(budget++ / heavy)
      const child = refs[start + k]!
      if (weights[child]! > limit) weights[child] = limit
    }
  }
  for (let i = 0; i < refStart.length; i++) {
    const start = refStart[i]!
    let sum = 1
    for (let k = refCountOf(graph, i) - 1; k >= 0; k--) sum += weights[refs[start + k]!]!
    weights[i] = sum <= weights[i]! ? sum : 0
  }
  return weights
}

/** The positions of cells from the end of a file, in the node's own order. */
export const numberCells = (graph: RefGraph): Int32Array => {
  const weights = settleWeights(graph)
  const { refStart, refs, roots } = graph
  const numbers = new Int32Array(refStart.length).fill(NEW)
  let next = 0
  const previsit = (i: number): void => {
    if (numbers[i] !== NEW) return
    const start = refStart[i]!
    for (let k = refCountOf(graph, i) - 1; k >= 0; k--) {
      const child = refs[start + k]!
      if (weights[child] === 0) visit(child)
      else previsit(child)
    }
    numbers[i] = PREVISITED
  }
  const visit = (i: number): void => {
    if (numbers[i]! >= 0 || numbers[i] === VISITED) return
    if (weights[i] === 0) previsit(i)
    const start = refStart[i]!
    const refCount = refCountOf(graph, i)
    for (let k = refCount - 1; k >= 0; k--) visit(refs[start + k]!)
    for (let k = refCount - 1; k >= 0; k--) allocate(refs[start + k]!)
    numbers[i] = VISITED
  }
  const allocate = (i: number): void => {
    if (numbers[i]! < 0) numbers[i] = next++
  }
  for (const root of roots) {
    previsit(root)
    visit(root)
  }
  for (const root of roots) allocate(root)
  return numbers
}

const renumber = (graph: CellGraph): BocOrder => {
  const { cells, refStart, refs, weights, shared, roots } = graph
  const count = cells.length
  const numbers = numberCells(graph)
  const ordered = new Array<Cell>(count)
  const source = new Int32Array(count)
  for (let i = 0; i < count; i++) {
    const position = count - 1 - numbers[i]!
    ordered[position] = cells[i]!
    source[position] = i
  }
  const orderedRefs = new Int32Array(refs.length)
  const carriesHash = new Uint8Array(count)
  const isShared = new Uint8Array(count)
  for (let position = 0, at = 0; position < count; position++) {
    const i = source[position]!
    if (weights[i] === 0) carriesHash[position] = 1
    if (shared.has(i)) isShared[position] = 1
    const start = refStart[i]!
    const refCount = cells[i]!.refCount
    for (let k = 0; k < refCount; k++) orderedRefs[at++] = count - 1 - numbers[refs[start + k]!]!
  }
  return { cells: ordered, refs: orderedRefs, roots: roots.map((r) => count - 1 - numbers[r]!), carriesHash, isShared }
}

export type BocFormat = {
  readonly index: boolean
  readonly crc: boolean
  readonly cacheBits: boolean
  /** Stores the hashes of some inner cells, as nodes do in block and state files. */
  readonly innerHashes: boolean
  /** The order of cells: that of nodes unless told otherwise. */
  readonly order?: 'depthFirst'
}

/** Liteserver proofs, account states, stacks, block proofs: cells alone. */
export const PLAIN_BOC: BocFormat = { index: false, crc: false, cacheBits: false, innerHashes: false }
/** Messages and collated data: cells and a checksum. */
export const CHECKED_BOC: BocFormat = { index: false, crc: true, cacheBits: false, innerHashes: false }
/** Payloads of actions, as the original writes them: cells depth first, and a checksum. */
export const DEPTH_FIRST_BOC: BocFormat = { ...CHECKED_BOC, order: 'depthFirst' }
/** Block and state files: everything. */
export const BLOCK_BOC: BocFormat = { index: true, crc: true, cacheBits: true, innerHashes: true }

/** Writes a bag of cells, byte for byte as nodes do unless the format has another order. */
export const encodeBoc = (roots: readonly Cell[], format: BocFormat = PLAIN_BOC): Uint8Array => {
  const layout = layOutBoc(roots, format)
  const out = new Uint8Array(layout.length)
  putBoc(out, layout, format)
  return out
}

/** Bags up to this size are written over one another: to take memory for each costs more than to write a small one. */
const SHARED_BYTES = 16 * 1024
const sharedBytes = new Uint8Array(SHARED_BYTES)

/** As {@link encodeBoc}, in base64. */
export const encodeBocBase64 = (roots: readonly Cell[], format: BocFormat = PLAIN_BOC): string => {
  const layout = layOutBoc(roots, format)
  const out = layout.length <= SHARED_BYTES ? sharedBytes : new Uint8Array(layout.length)
  putBoc(out, layout, format)
  return base64Slice.call(out, 0, layout.length)
}

/** Where everything in a bag will be. */
type BocLayout = {
  readonly order: BocOrder
  readonly refSize: number
  readonly offsetSize: number
  readonly cellsSize: number
  readonly indexSize: number
  readonly length: number
}

const layOutBoc = (roots: readonly Cell[], format: BocFormat): BocLayout => {
  if (roots.length === 0) throw new BocError('A bag of cells needs at least one root, none was given.')
  if (format.cacheBits && !format.index) throw new BocError('Cache bits stand in the index, which was not asked for.')
  if (format.innerHashes && format.order !== undefined) throw new BocError('Only the order of nodes has inner hashes.')
  const orderTree = format.order === 'depthFirst' ? orderDepthFirst : orderCells
  const order = (format.innerHashes ? undefined : orderOfLine(roots)) ?? orderTree(roots)
  const { cells, carriesHash } = order
  const count = cells.length
  const refSize = bytesFor(count)
  let cellsSize = 0
  for (let i = 0; i < count; i++) {
    const cell = cells[i]!
    cellsSize += 2 + ((cell.bits + 7) >> 3) + cell.refCount * refSize
    if (format.innerHashes && carriesHash[i] === 1) cellsSize += 34 * (popcount3(cell.levelMask) + 1)
  }
  const offsetSize = bytesFor(format.cacheBits ? cellsSize * 2 : cellsSize)
  const headSize = 6 + 3 * refSize + offsetSize + roots.length * refSize
  const indexSize = format.index ? count * offsetSize : 0
  const length = headSize + indexSize + cellsSize + (format.crc ? 4 : 0)
  return { order, refSize, offsetSize, cellsSize, indexSize, length }
}

/** Writes every byte of the bag from the start of `out` on. */
const putBoc = (out: Uint8Array, layout: BocLayout, format: BocFormat): void => {
  const { order, refSize, offsetSize, cellsSize, indexSize } = layout
  const { cells, refs, carriesHash, isShared, roots } = order
  const count = cells.length
  put(out, 0, 0xb5ee9c72, 4)
  out[4] = (format.index ? 0x80 : 0) | (format.crc ? 0x40 : 0) | (format.cacheBits ? 0x20 : 0) | refSize
  out[5] = offsetSize
  put(out, 6, count, refSize)
  put(out, 6 + refSize, roots.length, refSize)
  put(out, 6 + 2 * refSize, 0, refSize)
  put(out, 6 + 3 * refSize, cellsSize, offsetSize)
  let at = 6 + 3 * refSize + offsetSize
  for (const root of roots) {
    put(out, at, root, refSize)
    at += refSize
  }

  const cellsStart = at + indexSize
  let p = cellsStart
  for (let i = 0, nextRef = 0; i < count; i++) {
    const { arena, index } = cells[i]!
    const withHashes = format.innerHashes && carriesHash[i] === 1
    const d1 = arena.d1[index]! & ~16
    const bits = arena.bitLength[index]!
    const length = (bits + 7) >> 3
    out[p] = withHashes ? d1 | 16 : d1
    out[p + 1] = (bits >> 3) + length
    p += 2
    if (withHashes) p = putHashes(out, p, cells[i]!)
    const data = arena.dataStart[index]!
    for (let k = 0; k < length; k++) out[p + k] = arena.bytes[data + k]!
    p += length
    for (let k = d1 & 7; k > 0; k--) {
      put(out, p, refs[nextRef++]!, refSize)
      p += refSize
    }
    if (format.index) {
      const end = p - cellsStart
      put(out, at + i * offsetSize, format.cacheBits ? 2 * end + isShared[i]! : end, offsetSize)
    }
  }
  if (format.crc) {
    const crc = crc32c(out, 0, p)
    for (let k = 0; k < 4; k++) out[p + k] = crc >>> (8 * k)
  }
}

/** Longer ones are rare. */
const MAX_LINE = 8

/**
 * The order of a cell with no more than one below it, and so on, as most bodies of messages are: there is no other, and no two of them
 * are equal, so that nothing has to be hashed. `undefined` where it is another tree.
 */
const orderOfLine = ([root, ...others]: readonly Cell[]): BocOrder | undefined => {
  if (root === undefined || others.length > 0) return undefined
  const cells = [root]
  for (let last = root; last.refCount > 0; cells.push(last)) {
    if (last.refCount > 1 || cells.length === MAX_LINE) return undefined
    last = last.ref(0)
  }
  // To hash one that is not ordinary is to check what it says of others.
  if (cells.some(({ isExotic }) => isExotic)) return undefined
  const none = new Uint8Array(cells.length)
  return { cells, refs: Int32Array.from(cells, (_, k) => k + 1), roots: [0], carriesHash: none, isShared: none }
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

const putHashes = (out: Uint8Array, at: number, { arena, index }: Cell): number => {
  const mask = arena.levelMask(index)
  const count = popcount3(mask) + 1
  let slot = 0
  for (let level = 0; level <= 3; level++) {
    if (level !== 3 && ((mask >> level) & 1) === 0) continue
    arena.copyHash(index, level, out, at + 32 * slot)
    put(out, at + 32 * count + 2 * slot, arena.depth(index, level), 2)
    slot++
  }
  return at + 34 * count
}
