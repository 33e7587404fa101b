import fc from 'fast-check'
import {
  libraryReference,
  maskOf,
  merkleProofOf,
  merkleUpdateOf,
  ordinary,
  prunedBranch,
  type ReferenceCell,
  toBits,
} from './referenceCell.ts'

/** Data of a cell: mostly short, sometimes at the limits. */
const arbitraryBits = fc
  .tuple(
    fc.oneof(
      { arbitrary: fc.nat(64), weight: 6 },
      { arbitrary: fc.nat(1023), weight: 2 },
      { arbitrary: fc.constantFrom(0, 7, 8, 9, 1015, 1016, 1017, 1022, 1023), weight: 2 },
    ),
    fc.uint8Array({ minLength: 128, maxLength: 128, size: 'max' }),
  )
  .map(([length, bytes]) => toBits(bytes).slice(0, length))

const arbitraryHash = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString('hex'))

type Node = {
  readonly kind: 'ordinary' | 'pruned' | 'library' | 'proof' | 'update'
  readonly bits: string
  readonly picks: readonly number[]
  readonly mask: number
  readonly hashes: readonly string[]
  readonly depths: readonly number[]
}

const node = (kinds: readonly Node['kind'][], masks: readonly number[]): fc.Arbitrary<Node> =>
  fc.record({
    kind: fc.constantFrom(...kinds),
    bits: arbitraryBits,
    picks: fc.array(fc.nat(1000), { maxLength: 4 }),
    mask: fc.constantFrom(...masks),
    hashes: fc.array(arbitraryHash, { minLength: 3, maxLength: 3 }),
    depths: fc.array(fc.nat(300), { minLength: 3, maxLength: 3 }),
  })

/** Nodes refer to those made before them, so that sharing is common. */
const assemble = (nodes: readonly Node[]): ReferenceCell[] => {
  const made: ReferenceCell[] = []
  for (const { kind, bits, picks, mask, hashes, depths } of nodes) {
    // The latest cells are picked more often than the first: the trees get deep as well as wide.
    const pick = (k: number): ReferenceCell | undefined =>
      made[made.length - 1 - Math.floor((((picks[k] ?? k) % 1000) / 1000) ** 2 * made.length)]
    const count = mask.toString(2).replaceAll('0', '').length
    const children = picks.flatMap((_, k) => pick(k) ?? [])
    const [first, second] = [pick(0), pick(1)]
    if (kind === 'pruned') made.push(prunedBranch(mask, hashes.slice(0, count), depths.slice(0, count)))
    else if (kind === 'library') made.push(libraryReference(hashes[0]!))
    else if (kind === 'proof' && first !== undefined) made.push(merkleProofOf(first))
    else if (kind === 'update' && first !== undefined && second !== undefined) made.push(merkleUpdateOf(first, second))
    else made.push(ordinary(bits, children))
  }
  return made
}

const last = (made: readonly ReferenceCell[]): ReferenceCell => made.at(-1)!

const allKinds = ['ordinary', 'ordinary', 'ordinary', 'pruned', 'library', 'proof', 'update'] as const
const allMasks = [1, 2, 3, 4, 5, 6, 7]

const nodes = (kinds: readonly Node['kind'][], masks: readonly number[], maxCells: number): fc.Arbitrary<Node[]> =>
  fc.array(node(kinds, masks), { minLength: 1, maxLength: maxCells, size: 'max' })

/** Trees of ordinary cells with shared parts. */
export const arbitraryTree = (maxCells = 40): fc.Arbitrary<ReferenceCell> =>
  nodes(['ordinary'], [1], maxCells).map((list) => last(assemble(list)))

/** Trees with all kinds of cells; pruned branches have one of these level masks. */
export const arbitraryExoticTree = (masks: readonly number[], maxCells = 30): fc.Arbitrary<ReferenceCell> =>
  nodes(allKinds, masks, maxCells).map((list) => last(assemble(list)))

/** The cell under as many Merkle proofs as it takes to bring it to level 0. */
const closed = (cell: ReferenceCell): ReferenceCell => (maskOf(cell) === 0 ? cell : closed(merkleProofOf(cell)))

/** Whole trees (of level 0) with all kinds of cells. */
export const arbitraryClosedTree = (maxCells = 30): fc.Arbitrary<ReferenceCell> =>
  arbitraryExoticTree(allMasks, maxCells).map(closed)

/** Two whole trees that have parts in common. */
export const arbitraryPair = (maxCells = 40): fc.Arbitrary<readonly [ReferenceCell, ReferenceCell]> =>
  fc
    .tuple(fc.boolean(), nodes(allKinds, allMasks, maxCells), nodes(['ordinary'], [1], maxCells), fc.nat(1000))
    .map(([mixed, exotics, plain, pick]) => {
      const made = assemble(mixed ? [...exotics, ...plain] : plain)
      return [closed(made[pick % made.length]!), closed(last(made))]
    })
