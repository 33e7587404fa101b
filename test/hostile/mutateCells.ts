import { popcount3 } from '../../src/codec/cell/exotic.ts'
import { assembleBag, type RawBag, type RawCell } from '../support/RawBag.ts'
import type { Random } from './Random.ts'

type Cells = RawCell[]
type CellMutation = (cells: Cells, at: number, random: Random) => void

const update = (cells: Cells, at: number, change: Partial<RawCell>): void => {
  cells[at] = { ...cells[at]!, ...change }
}

/** References to itself, backwards, beyond the end, to the next cell and to any other. */
const redirect: CellMutation = (cells, at, random) => {
  const { refs } = cells[at]!
  if (refs.length === 0) return
  const target = random.pick([at, at - 1, at + 1, 0, cells.length - 1, cells.length, random.below(cells.length)])
  const k = random.below(refs.length)
  update(cells, at, { refs: refs.map((ref, i) => (i === k ? Math.max(0, target) : ref)) })
}

/** One more reference, or one fewer, forwards, so that the bag stays acyclic. */
const changeRefs: CellMutation = (cells, at, random) => {
  const { refs, d1 } = cells[at]!
  const next = random.once(2) ? refs.slice(1) : [...refs, Math.min(cells.length - 1, at + random.between(1, 20))]
  update(cells, at, { refs: next, d1: (d1 & ~7) | (next.length & 7) })
}

const editDescriptor: CellMutation = (cells, at, random) => {
  update(cells, at, { d1: cells[at]!.d1 ^ (1 << random.below(8)) })
}

const editLength: CellMutation = (cells, at, random) => {
  update(cells, at, { d2: random.pick([0, 1, 254, 255, cells[at]!.d2 ^ 1, random.below(256)]) })
}

const editData: CellMutation = (cells, at, random) => {
  const { data } = cells[at]!
  if (data.length === 0) return
  const out = data.slice()
  for (let k = random.between(1, 4); k > 0; k--) out[random.below(out.length)]! ^= 1 << random.below(8)
  update(cells, at, { data: out })
}

const setData: CellMutation = (cells, at, random) => {
  const data = random.bytes(random.pick([0, 1, 2, 35, 36, 69, 70, 127, random.below(128)]))
  update(cells, at, { data, d2: 2 * data.length })
}

const swapContent: CellMutation = (cells, at, random) => {
  const other = cells[random.below(cells.length)]!
  update(cells, at, { data: other.data, d2: other.d2, d1: (cells[at]!.d1 & 0x17) | (other.d1 & 0xe8) })
}

/** A pruned branch, truly laid out, with hashes and depths of nothing. */
const prune: CellMutation = (cells, at, random) => {
  const mask = random.between(1, 7)
  const count = popcount3(mask)
  const depths = Array.from({ length: count }, () => random.edge(1024) & 0xffff).flatMap((d) => [d >> 8, d & 0xff])
  const data = Uint8Array.from([1, mask, ...random.bytes(32 * count), ...depths])
  update(cells, at, { d1: 8 | (mask << 5), d2: 2 * data.length, data, refs: [], stored: new Uint8Array(0) })
}

const storeLies: CellMutation = (cells, at, random) => {
  const { d1 } = cells[at]!
  const stored = random.bytes(34 * (popcount3(d1 >> 5) + 1))
  update(cells, at, { d1: d1 | 16, stored })
}

const makeExotic: CellMutation = (cells, at, random) => {
  const { data, d1 } = cells[at]!
  const type = random.below(6)
  const size = [1, 36, 33, 35, 69, 2][type]!
  const out = Uint8Array.from({ length: size }, (_, k) => (k === 0 ? type : (data[k] ?? random.below(256))))
  update(cells, at, { d1: d1 | 8, data: out, d2: 2 * out.length })
}

const mutations: readonly CellMutation[] = [
  redirect,
  redirect,
  changeRefs,
  changeRefs,
  editDescriptor,
  editLength,
  editData,
  editData,
  editData,
  setData,
  swapContent,
  prune,
  storeLies,
  makeExotic,
]

/** Masks as the content gives them, so that a change of structure does not always end at the first check of masks. */
const settleMasks = (cells: Cells): void => {
  for (let at = cells.length - 1; at >= 0; at--) {
    const { d1, data, refs, stored } = cells[at]!
    let below = 0
    for (const ref of refs) below |= (cells[ref]?.d1 ?? 0) >> 5
    const type = (d1 & 8) === 0 ? 0 : (data[0] ?? 0)
    const mask = type === 1 ? (data[1] ?? 0) & 7 : type === 2 ? 0 : type >= 3 ? below >> 1 : below
    if (mask === d1 >> 5) continue
    // Stored hashes would be of another number: they go.
    update(cells, at, { d1: (d1 & 15) | (mask << 5), stored: stored.length === 0 ? stored : new Uint8Array(0) })
  }
}

const headerLies = (bag: RawBag, random: Random): Partial<RawBag> => {
  const size = bag.cells.reduce((sum, { data, refs, stored }) => sum + 2 + data.length + refs.length + stored.length, 0)
  return random.pick<() => Partial<RawBag>>([
    () => ({ cellCount: random.edge(bag.cells.length) }),
    () => ({ rootCount: random.edge(bag.roots.length) }),
    () => ({ absentCount: random.edge(bag.cells.length) }),
    () => ({ cellsSize: random.edge(size) }),
    () => ({ refSize: random.between(0, 7) }),
    () => ({ offsetSize: random.between(0, 9) }),
    () => ({ flags: random.below(256) }),
    () => ({ roots: Array.from({ length: random.between(0, 8) }, () => random.edge(bag.cells.length)) }),
    () => ({
      roots: Array.from({ length: random.between(1, 5000) }, () => random.below(bag.cells.length)),
      refSize: 2,
    }),
    () => ({ magic: random.pick(['b5ee9c72', '68ff65f3', 'acc3a728'] as const) }),
    () => ({ index: random.once(2), cacheBits: random.once(2), crc: random.once(2) }),
    () => ({ trailing: random.bytes(random.between(1, 50)) }),
    () => ({
      index: true,
      editIndex: (entries) => entries.map((entry) => (random.once(4) ? random.edge(entry + 1) : entry)),
    }),
  ])()
}

/** Takes a well-formed bag and tells lies in its cells, in its header, or both. */
export const mutateCells = (bag: RawBag, random: Random): Uint8Array => {
  const cells = bag.cells.slice()
  const inCells = !random.once(4)
  if (inCells) {
    for (let k = random.pick([1, 1, 2, 4]); k > 0; k--)
      random.pick(mutations)(cells, random.below(cells.length), random)
    if (!random.once(4)) settleMasks(cells)
  }
  const lies = inCells && !random.once(8) ? {} : headerLies(bag, random)
  return assembleBag({ ...bag, cells, wrongCrc: random.once(30), ...lies })
}

/** The bag with the cells of another behind its own, and one reference led there: what is read goes on into them. */
export const graft = (bag: RawBag, other: RawBag, random: Random): Uint8Array => {
  const shift = bag.cells.length
  const moved = other.cells.map((cell) => ({ ...cell, refs: cell.refs.map((ref) => ref + shift) }))
  const cells = [...bag.cells, ...moved]
  const forks = bag.cells.flatMap((cell, at) => (cell.refs.length > 0 ? at : []))
  for (let k = random.between(1, 3); k > 0 && forks.length > 0; k--) {
    const at = random.pick(forks)
    const target = shift + (other.roots[0] ?? 0)
    const position = random.below(cells[at]!.refs.length)
    update(cells, at, { refs: cells[at]!.refs.map((ref, i) => (i === position ? target : ref)) })
  }
  settleMasks(cells)
  const refSize = cells.length < 256 ? 1 : cells.length < 65_536 ? 2 : 3
  return assembleBag({ ...bag, cells, refSize, offsetSize: 4 })
}
