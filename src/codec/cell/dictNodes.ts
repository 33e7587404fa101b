import { Cell, type CellSlice } from './Cell.ts'
import type { CellRef } from './CellArena.ts'
import { type CellReader, openCell, openSlice } from './CellReader.ts'
import type { CellWriter } from './CellWriter.ts'
import { CellError } from './errors.ts'
import { VisitedCells } from './HashIndex.ts'

/** Bit `at` of a left-aligned key. */
export const keyBit = (key: Uint8Array, at: number): number => (key[at >> 3]! >> (7 - (at & 7))) & 1

export const setKeyBit = (key: Uint8Array, at: number, value: number): void => {
  const mask = 0x80 >> (at & 7)
  if (value === 0) key[at >> 3]! &= ~mask
  else key[at >> 3]! |= mask
}

/** How many bits a length of at most `max` takes. */
const lengthBits = (max: number): number => 32 - Math.clz32(max)

/** Reads an edge label, at most `max` bits, into `key` from bit `at` on; returns its length. Any of the three forms will do. */
export const readLabel = (r: CellReader, max: number, key: Uint8Array, at: number): number => {
  if (!r.readBit()) {
    let length = 0
    while (r.readBit()) length++
    if (length > max) failLength(length, max)
    r.readBitsInto(key, at, length)
    return length
  }
  if (!r.readBit()) {
    const length = r.readUint(lengthBits(max))
    if (length > max) failLength(length, max)
    r.readBitsInto(key, at, length)
    return length
  }
  const value = r.readBit() ? 1 : 0
  const length = r.readUint(lengthBits(max))
  if (length > max) failLength(length, max)
  for (let k = 0; k < length; k++) setKeyBit(key, at + k, value)
  return length
}

/** Writes bits `[from, to)` of `key` as an edge label in the one form that on-chain dictionaries use. */
export const writeLabel = (w: CellWriter, max: number, key: Uint8Array, from: number, to: number): void => {
  const length = to - from
  const size = lengthBits(max)
  if (length > 1 && size < 2 * length - 1 && isUniform(key, from, to)) {
    w.writeUint(0b110 | keyBit(key, from), 3).writeUint(length, size)
    return
  }
  if (size < length) w.writeUint(0b10, 2).writeUint(length, size)
  else {
    w.writeBit(false)
    for (let k = 0; k < length; k++) w.writeBit(true)
    w.writeBit(false)
  }
  for (let k = from; k < to; k++) w.writeBit(keyBit(key, k) === 1)
}

const isUniform = (key: Uint8Array, from: number, to: number): boolean => {
  const first = keyBit(key, from)
  for (let k = from + 1; k < to; k++) if (keyBit(key, k) !== first) return false
  return true
}

/** The first bit in `[from, to)` where two keys differ, or `to`. */
export const firstDifference = (a: Uint8Array, b: Uint8Array, from: number, to: number): number => {
  let at = from
  while (at < to) {
    const difference = (a[at >> 3]! ^ b[at >> 3]!) & (0xff >> (at & 7))
    if (difference !== 0) return Math.min(to, (at & ~7) + Math.clz32(difference) - 24)
    at = (at & ~7) + 8
  }
  return to
}

const failLength = (length: number, max: number): never => {
  throw new CellError(`A dictionary label of ${length} bits stands where at most ${max} key bits are left.`)
}

const DEFAULT_MAX_NODES = 1 << 22
// Watching costs more than walking, and a walk this short cannot hurt.
const UNWATCHED_NODES = 1 << 12
const MAX_REPEATS = 1 << 14

/**
 * Budget of a walk over a dictionary. Equal subtrees are one cell, so a bag of 2 KB can spell out more keys than there
 * are atoms: besides all nodes, visits to cells that were visited before are counted. Real dictionaries have next to none.
 */
export class NodeBudget {
  private readonly maxNodes: number
  private nodes = 0
  private repeats = 0
  private seen: VisitedCells | undefined = undefined

  constructor(maxNodes = DEFAULT_MAX_NODES) {
    this.maxNodes = maxNodes
  }

  /** Counts one more visit, to this cell. */
  spend(node: CellRef): void {
    if (++this.nodes > this.maxNodes) {
      throw new CellError(`A dictionary has more than ${this.maxNodes} nodes, the most that is read here.`)
    }
    if (this.nodes > UNWATCHED_NODES) this.watch(node)
  }

  private watch(node: CellRef): void {
    this.seen ??= new VisitedCells()
    if (!this.seen.has(node)) this.seen.add(node.arena, node.index)
    else if (++this.repeats > MAX_REPEATS) {
      throw new CellError(`A dictionary leads back to the same cells more than ${MAX_REPEATS} times.`)
    }
  }
}

/** Root node of a dictionary: a cell of its own, or part of the cell that holds the dictionary. */
export type DictRoot = Cell | CellSlice

/** Gets the key (a buffer that is used again: copy it) and a reader at the leaf's content. Returning `false` ends the walk. */
export type LeafVisitor = (key: Uint8Array, leaf: CellReader) => boolean | undefined

export type WalkOptions = {
  /** From the greatest key to the least. */
  readonly reverse?: boolean
  /** Starts behind this key, in the direction of the walk. */
  readonly after?: Uint8Array
  /** The most nodes to visit. */
  readonly maxNodes?: number
}

export const openRoot = (root: DictRoot): CellReader => (root instanceof Cell ? openCell(root) : openSlice(root))

/** Walks over dictionaries of one kind, one after another; they share one budget. For very many short walks that is made but once. */
export class DictWalk {
  private readonly key: Uint8Array
  private readonly budget: NodeBudget
  private readonly keyBits: number
  private readonly visit: LeafVisitor
  private readonly reverse: boolean
  private after: Uint8Array | undefined = undefined

  constructor(keyBits: number, visit: LeafVisitor, { reverse = false, maxNodes }: Omit<WalkOptions, 'after'> = {}) {
    this.key = new Uint8Array((keyBits + 7) >> 3)
    this.budget = new NodeBudget(maxNodes)
    this.keyBits = keyBits
    this.visit = visit
    this.reverse = reverse
  }

  /** From the root node on, at which the reader stands. Returns false if the visitor has ended the walk. */
  run(root: CellReader, after?: Uint8Array): boolean {
    this.after = after
    return this.node(root, 0, after !== undefined)
  }

  /** `bounded`: the key so far equals the start of `after`, so parts of this subtree may lie before it. */
  private node(r: CellReader, at: number, bounded: boolean): boolean {
    const { key, keyBits, reverse, after } = this
    this.budget.spend(r)
    const end = at + readLabel(r, keyBits - at, key, at)
    let tied = bounded
    if (tied && after !== undefined) {
      const split = firstDifference(key, after, at, end)
      if (split < end) {
        if (keyBit(key, split) === (reverse ? 1 : 0)) return true
        tied = false
      }
    }
    if (end === keyBits) return tied ? true : this.visit(key, r) !== false
    if (r.remainingRefs < 2) failFork(r)
    const first = reverse ? 1 : 0
    const left = r.readRefCell()
    const right = r.readRefCell()
    for (let side = 0; side < 2; side++) {
      const bit = side === 0 ? first : 1 - first
      if (tied && after !== undefined && side === 0 && keyBit(after, end) !== first) continue
      setKeyBit(key, end, bit)
      const stillTied = tied && after !== undefined && keyBit(after, end) === bit
      if (!this.node(openCell(bit === 0 ? left : right), end + 1, stillTied)) return false
    }
    return true
  }
}

/** Visits the leaves in the order of their keys as unsigned numbers. */
export const walkDict = (root: DictRoot, keyBits: number, visit: LeafVisitor, options: WalkOptions = {}): void => {
  new DictWalk(keyBits, visit, options).run(openRoot(root), options.after)
}

/** A reader at the content of the leaf with this key, or `undefined` where the whole path shows that there is none. */
export const lookupDict = (root: DictRoot, keyBits: number, key: Uint8Array): CellReader | undefined => {
  const label = new Uint8Array((keyBits + 7) >> 3)
  let r = openRoot(root)
  for (let at = 0; ; at++) {
    const end = at + readLabel(r, keyBits - at, label, at)
    if (firstDifference(key, label, at, end) < end) return undefined
    if (end === keyBits) return r
    if (r.remainingRefs < 2) failFork(r)
    if (keyBit(key, end) === 1) r.skipRef()
    r = r.readRef()
    at = end
  }
}

const failFork = (r: CellReader): never => {
  throw new CellError(`A dictionary fork has two references, this one has ${r.remainingRefs}.`)
}
