import type { Cell } from '../../codec/cell/Cell.ts'
import { Dict, type DictType } from '../../codec/cell/Dict.ts'
import { hashKey } from '../../codec/cell/dictTypes.ts'
import { MERKLE_PROOF } from '../../codec/cell/exotic.ts'
import { fromHex, toHex } from '../../primitives/hex.ts'

/** More levels of Merkle cells than this are refused everywhere. */
export const MAX_MERKLE_DEPTH = 2
const MERKLE_DEPTH_CAP = 3

type Node = { refCount: number; readonly bits: number; readonly merkleDepth: number }

/** Cells that are counted once each, however often they are referred to. */
export class CellTrees {
  cells = 0
  bits = 0
  merkleDepth = 0
  /** Set when more cells were found than allowed; counting has stopped there. */
  isOverLimit = false
  private readonly limit: number
  private readonly nodes = new Map<string, Node>()

  constructor(limit = Number.POSITIVE_INFINITY) {
    this.limit = limit
  }

  add(root: Cell): void {
    const depth = this.visit(root)
    if (depth > this.merkleDepth) this.merkleDepth = depth
  }

  /** Counts a cell and what is below it, children after their parent; gives its Merkle depth. */
  private visit(cell: Cell): number {
    const key = toHex(cell.hash())
    const known = this.nodes.get(key)
    if (known !== undefined) {
      known.refCount++
      return known.merkleDepth
    }
    if (++this.cells > this.limit) {
      this.isOverLimit = true
      return 0
    }
    this.bits += cell.bits
    let depth = 0
    for (let k = 0; k < cell.refCount && !this.isOverLimit; k++) depth = Math.max(depth, this.visit(cell.ref(k)))
    if (cell.exoticType >= MERKLE_PROOF) depth = Math.min(depth + 1, MERKLE_DEPTH_CAP)
    this.nodes.set(key, { refCount: 1, bits: cell.bits, merkleDepth: depth })
    return depth
  }

  /** Hash of the dictionary of all cells by hash, with how often each is referred to. */
  dictHash(): Uint8Array {
    const entries = [...this.nodes].map(([key, node]) => [fromHex(key, 32), node] as const)
    return (Dict.of(nodesType, entries).root as Cell).hash()
  }
}

const nodesType: DictType<Uint8Array, Node> = {
  key: hashKey,
  value: {
    read: (r) => ({ refCount: r.readUint(32), merkleDepth: r.readUint(2), bits: 0 }),
    write: (w, { refCount, merkleDepth }) => void w.writeUint(refCount, 32).writeUint(merkleDepth, 2),
  },
}

/** The cells of some trees. */
export const measureTrees = (roots: Iterable<Cell | undefined>, limit?: number): CellTrees => {
  const trees = new CellTrees(limit)
  for (const root of roots) if (root !== undefined) trees.add(root)
  return trees
}
