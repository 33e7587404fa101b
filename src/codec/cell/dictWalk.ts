import { Cell } from './Cell.ts'
import { type CellReader, openCell, openSlice } from './CellReader.ts'
import type { CellSlice } from './CellSlice.ts'
import { firstDifference, keyBit, readLabel, setKeyBit } from './dictLabel.ts'
import { CellError } from './errors.ts'
import { NodeBudget } from './NodeBudget.ts'

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

/** One walk over a dictionary. A class rather than a closure, which would be made anew for each of very many short walks. */
class Walk {
  private readonly key: Uint8Array
  private readonly budget: NodeBudget
  private readonly keyBits: number
  private readonly visit: LeafVisitor
  private readonly reverse: boolean
  private readonly after: Uint8Array | undefined

  constructor(keyBits: number, visit: LeafVisitor, { reverse = false, after, maxNodes }: WalkOptions) {
    this.key = new Uint8Array((keyBits + 7) >> 3)
    this.budget = new NodeBudget(maxNodes)
    this.keyBits = keyBits
    this.visit = visit
    this.reverse = reverse
    this.after = after
  }

  /** `bounded`: the key so far equals the start of `after`, so parts of this subtree may lie before it. */
  node(r: CellReader, at: number, bounded: boolean): boolean {
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
  new Walk(keyBits, visit, options).node(openRoot(root), 0, options.after !== undefined)
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
