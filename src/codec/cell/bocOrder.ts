import type { Cell } from './Cell.ts'
import { cellAt } from './Cell.ts'
import { HashIndex } from './HashIndex.ts'

/** Cells in the order of a file, with their references as positions in it. */
export type BocOrder = {
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
export const orderCells = (roots: readonly Cell[]): BocOrder => {
  const graph = importCells(roots)
  const weights = settleWeights(graph)
  return renumber(graph, weights)
}

/**
 * Each cell before the cells below it, first reference first; a shared cell comes after the last cell that refers to it. The original
 * writes the cells of actions in this order.
 */
export const orderDepthFirst = (roots: readonly Cell[]): BocOrder => {
  const { cells, refStart, refs, shared, roots: starts } = importCells(roots)
  const count = cells.length
  const places = new Int32Array(count).fill(NEW)
  const sources = new Int32Array(count)
  let next = count
  const visit = (i: number): void => {
    if (places[i] !== NEW) return
    places[i] = VISITED
    for (let k = cells[i]!.refCount - 1; k >= 0; k--) visit(refs[refStart[i]! + k]!)
    places[i] = --next
    sources[next] = i
  }
  for (let k = starts.length - 1; k >= 0; k--) visit(starts[k]!)
  const orderedRefs = new Int32Array(refs.length)
  const isShared = new Uint8Array(count)
  for (let place = 0, at = 0; place < count; place++) {
    const i = sources[place]!
    if (shared.has(i)) isShared[place] = 1
    for (let k = 0; k < cells[i]!.refCount; k++) orderedRefs[at++] = places[refs[refStart[i]! + k]!]!
  }
  return {
    cells: Array.from(sources, (i) => cells[i]!),
    refs: orderedRefs,
    roots: starts.map((i) => places[i]!),
    carriesHash: new Uint8Array(count),
    isShared,
  }
}

type CellGraph = {
  readonly cells: Cell[]
  readonly refStart: number[]
  readonly refs: number[]
  readonly weights: number[]
  readonly shared: Set<number>
  readonly roots: readonly number[]
}

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
const settleWeights = ({ cells, refStart, refs, weights }: CellGraph): number[] => {
  for (let i = cells.length - 1; i >= 0; i--) {
    const start = refStart[i]!
    const count = cells[i]!.refCount
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
  for (let i = 0; i < cells.length; i++) {
    const start = refStart[i]!
    let sum = 1
    for (let k = cells[i]!.refCount - 1; k >= 0; k--) sum += weights[refs[start + k]!]!
    weights[i] = sum <= weights[i]! ? sum : 0
  }
  return weights
}

const renumber = ({ cells, refStart, refs, shared, roots }: CellGraph, weights: number[]): BocOrder => {
  const count = cells.length
  const numbers = new Int32Array(count).fill(NEW)
  let next = 0
  const previsit = (i: number): void => {
    if (numbers[i] !== NEW) return
    const start = refStart[i]!
    for (let k = cells[i]!.refCount - 1; k >= 0; k--) {
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
    const refCount = cells[i]!.refCount
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

  const ordered = new Array<Cell>(count)
  const source = new Int32Array(count)
  for (let i = 0; i < count; i++) {
    const place = count - 1 - numbers[i]!
    ordered[place] = cells[i]!
    source[place] = i
  }
  const orderedRefs = new Int32Array(refs.length)
  const carriesHash = new Uint8Array(count)
  const isShared = new Uint8Array(count)
  for (let place = 0, at = 0; place < count; place++) {
    const i = source[place]!
    if (weights[i] === 0) carriesHash[place] = 1
    if (shared.has(i)) isShared[place] = 1
    const start = refStart[i]!
    const refCount = cells[i]!.refCount
    for (let k = 0; k < refCount; k++) orderedRefs[at++] = count - 1 - numbers[refs[start + k]!]!
  }
  return { cells: ordered, refs: orderedRefs, roots: roots.map((r) => count - 1 - numbers[r]!), carriesHash, isShared }
}
