import { type Cell, wholeSlice } from '../../src/codec/cell/Cell.ts'
import { CellWriter } from '../../src/codec/cell/CellWriter.ts'
import { decodeBoc } from '../../src/codec/cell/decodeBoc.ts'
import { encodeBoc } from '../../src/codec/cell/encodeBoc.ts'
import { MERKLE_PROOF, MERKLE_UPDATE } from '../../src/codec/cell/exotic.ts'
import { isMerkleCell, MAX_PRUNE_DEPTH, pruneCell } from '../../src/codec/cell/merkle.ts'
import { CodedError } from '../../src/primitives/errors.ts'
import { toHex } from '../../src/primitives/hex.ts'
import type { Random } from '../hostile/Random.ts'

/** A cell of a bag, by the way to it. */
type Place = {
  readonly cell: Cell
  readonly root: number
  readonly path: readonly number[]
  readonly parent: Cell | undefined
  /** Merkle cells above it; those of a proof's own content have one. */
  readonly merkleDepth: number
}

/** Every cell of a bag once. */
const listPlaces = (roots: readonly Cell[]): Place[] => {
  const seen = new Set<string>()
  const places: Place[] = []
  const visit = (place: Place): void => {
    const key = toHex(place.cell.hash())
    if (seen.has(key)) return
    seen.add(key)
    places.push(place)
    const { cell, root, path } = place
    const merkleDepth = place.merkleDepth + (isMerkleCell(cell) ? 1 : 0)
    for (let k = 0; k < cell.refCount; k++) {
      visit({ cell: cell.ref(k), root, path: [...path, k], parent: cell, merkleDepth })
    }
  }
  roots.forEach((cell, root) => {
    visit({ cell, root, path: [], parent: undefined, merkleDepth: 0 })
  })
  return places
}

const refsOf = (cell: Cell): Cell[] => Array.from({ length: cell.refCount }, (_, k) => cell.ref(k))

/** The cell over other children. What Merkle cells state of theirs is set right, so that the whole stays well-formed. */
const withRefs = (cell: Cell, refs: readonly Cell[]): Cell => {
  const w = new CellWriter()
  if (cell.exoticType === MERKLE_PROOF || cell.exoticType === MERKLE_UPDATE) {
    w.writeUint(cell.exoticType, 8)
    for (const ref of refs) w.writeBytes(ref.hash(0))
    for (const ref of refs) w.writeUint(ref.depth(0), 16)
  } else w.writeSlice({ ...wholeSlice(cell), refEnd: 0 })
  for (const ref of refs) w.writeRef(ref)
  return cell.isExotic ? w.toExoticCell() : w.toCell()
}

const rebuild = (cell: Cell, path: readonly number[], replacement: Cell): Cell => {
  const [step, ...rest] = path
  if (step === undefined) return replacement
  const refs = refsOf(cell)
  refs[step] = rebuild(refs[step]!, rest, replacement)
  return withRefs(cell, refs)
}

const flipBit = ({ cell }: Place, random: Random): Cell | undefined => {
  if (cell.bits === 0 || isMerkleCell(cell)) return undefined
  const { arena, index } = cell
  const start = arena.dataStart[index]!
  const data = arena.bytes.slice(start, start + ((cell.bits + 7) >> 3))
  const at = random.below(cell.bits)
  data[at >> 3]! ^= 0x80 >> (at & 7)
  const w = new CellWriter().writeBits(data, cell.bits)
  for (const ref of refsOf(cell)) w.writeRef(ref)
  return cell.isExotic ? w.toExoticCell() : w.toCell()
}

const swapRefs = ({ cell }: Place, random: Random): Cell | undefined => {
  if (cell.refCount < 2) return undefined
  const refs = refsOf(cell)
  const a = random.below(refs.length)
  const b = (a + random.between(1, refs.length - 1)) % refs.length
  ;[refs[a], refs[b]] = [refs[b]!, refs[a]!]
  return withRefs(cell, refs)
}

const pruned = (cell: Cell, { merkleDepth }: Place): Cell | undefined =>
  merkleDepth === 0 || merkleDepth > MAX_PRUNE_DEPTH || cell.level > merkleDepth - 1
    ? undefined
    : pruneCell(cell, merkleDepth - 1)

const pruneSelf = (place: Place): Cell | undefined => pruned(place.cell, place)

const pruneSibling = (place: Place, random: Random): Cell | undefined => {
  const { parent } = place
  if (parent === undefined || parent.refCount < 2) return undefined
  const sibling = parent.ref(random.below(parent.refCount))
  return sibling.equals(place.cell) ? undefined : pruned(sibling, place)
}

/** As many roots as before or not, but never the same in the same order. */
const changeRoots = (roots: readonly Cell[], random: Random): Cell[] => {
  const k = random.below(roots.length)
  if (roots.length === 1) return [roots[0]!, roots[0]!]
  switch (random.below(3)) {
    case 0:
      return roots.filter((_, each) => each !== k)
    case 1:
      return [...roots.slice(k), ...roots.slice(0, k)]
    default:
      return roots.map((root, each) => (each === k ? roots[(k + 1) % roots.length]! : root))
  }
}

const changes = { flipBit, swapRefs, pruneSelf, pruneSibling } as const

export type BagMutation = {
  readonly kind: keyof typeof changes | 'changeRoots'
  readonly bytes: Uint8Array
}

/** A bag of cells that can be had with one cell changed and everything above it set right. */
export class MutableBag {
  private readonly roots: readonly Cell[]
  private readonly places: readonly Place[]

  private constructor(roots: readonly Cell[]) {
    this.roots = roots
    this.places = listPlaces(roots)
  }

  /** The bag in these bytes, or `undefined` where they are none. */
  static open(bytes: Uint8Array): MutableBag | undefined {
    try {
      return bytes.length === 0 ? undefined : new MutableBag(decodeBoc(bytes))
    } catch (error) {
      if (error instanceof CodedError) return undefined
      throw error
    }
  }

  /** Draws until a change is possible, and changes something. */
  mutate(random: Random): BagMutation {
    for (;;) {
      const kind = random.pick(['flipBit', 'flipBit', 'swapRefs', 'pruneSelf', 'pruneSibling', 'changeRoots'] as const)
      const roots = kind === 'changeRoots' ? changeRoots(this.roots, random) : this.change(kind, random)
      if (roots !== undefined && !this.holds(roots)) return { kind, bytes: encodeBoc(roots) }
    }
  }

  /** Whether these are the same cells as here. */
  holds(roots: readonly Cell[]): boolean {
    return roots.length === this.roots.length && roots.every((root, k) => root.equals(this.roots[k]!))
  }

  private change(kind: keyof typeof changes, random: Random): Cell[] | undefined {
    const place = random.pick(this.places)
    try {
      const replacement = changes[kind](place, random)
      if (replacement === undefined) return undefined
      const changed = rebuild(this.roots[place.root]!, place.path, replacement)
      return this.roots.map((root, k) => (k === place.root ? changed : root))
    } catch (error) {
      // The cell would not be one: a bit too many of an exotic cell was changed.
      if (error instanceof CodedError) return undefined
      throw error
    }
  }
}
