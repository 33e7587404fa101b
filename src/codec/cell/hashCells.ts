import { LANE_STRIDE, LANES, Sha256Lanes } from '../../primitives/sha256Lanes.ts'
import { ProofError } from './errors.ts'
import { MAX_DEPTH, PRUNED_BRANCH, popcount3 } from './exotic.ts'

/** The columns of an arena that tell what to hash, and those that take the hashes. */
export type HashColumns = {
  readonly bytes: Uint8Array
  readonly d1: Uint8Array
  readonly bitLength: Uint16Array
  readonly dataStart: Uint32Array
  readonly refStart: Uint32Array
  readonly refs: Int32Array
  readonly topDepth: Uint16Array
  readonly hashed: Uint8Array
  readonly slotStart: Uint32Array
  readonly slotHashes: Uint8Array
  readonly slotDepths: Uint16Array
}

const REFERENCES = 7
const EXOTIC = 8
const STORED = 16
/** A larger table of marks is not kept for the next tree. */
const MAX_KEPT_MARKS = 1 << 18

/** Made on first use: its constants and its code take some milliseconds. */
let lanes: Sha256Lanes | undefined

let marks = new Uint8Array(1 << 10)

/**
 * Fills a slot of cells, and of all cells below them what that needs, four at a time: cells of the same depth do not need each other.
 * Slot 0 is the same for all of them. Slot 1 is done where it is the last one: of a tree with pruned branches as it stands. What is not an
 * ordinary cell, or states its hashes itself, is left to `hashAlone`.
 */
export const hashCells = (
  columns: HashColumns,
  roots: readonly number[],
  slot: 0 | 1,
  hashAlone: (index: number, slot: 0 | 1) => void,
): void => {
  const { wanted, others } = listWanted(columns, roots, slot)
  for (const index of others) hashAlone(index, slot)
  lanes ??= new Sha256Lanes()
  const sorted = sortByDepth(columns, wanted)
  const filler = new LaneFiller(columns, lanes)
  filler.hashAll(sorted, 0)
  if (slot === 1) filler.hashAll(sorted, 1)
}

/** Whether a cell is ordinary, and all below it in the same arena. */
export const isPlain = (
  { d1, refStart, refs }: Pick<HashColumns, 'd1' | 'refStart' | 'refs'>,
  index: number,
): boolean => {
  const descriptor = d1[index]!
  if ((descriptor & (EXOTIC | STORED)) !== 0) return false
  const start = refStart[index]!
  for (let k = start; k < start + (descriptor & REFERENCES); k++) if (refs[k]! < 0) return false
  return true
}

const isPruned = ({ d1, bytes, dataStart }: HashColumns, index: number): boolean =>
  (d1[index]! & EXOTIC) !== 0 && bytes[dataStart[index]!] === PRUNED_BRANCH

/** The slot that stands for a cell where slot 0 or the last one is asked for. */
const slotFor = (columns: HashColumns, index: number, slot: 0 | 1): 0 | 1 =>
  slot === 1 && columns.d1[index]! >> 5 !== 0 && !isPruned(columns, index) ? 1 : 0

/** The cells that lack a hash that some cells need, themselves included. */
const listWanted = (
  columns: HashColumns,
  roots: readonly number[],
  slot: 0 | 1,
): { wanted: number[]; others: number[] } => {
  const { d1, refStart, refs, hashed } = columns
  if (marks.length < hashed.length) marks = new Uint8Array(2 * hashed.length)
  const wanted = [...roots]
  const others: number[] = []
  for (const root of roots) marks[root] = 1
  for (let at = 0; at < wanted.length; at++) {
    const index = wanted[at]!
    const start = refStart[index]!
    for (let k = start; k < start + (d1[index]! & REFERENCES); k++) {
      const child = refs[k]!
      if (marks[child] === 1 || hashed[child]! > slotFor(columns, child, slot)) continue
      // Its data has the hash at level 0.
      const pruned = isPruned(columns, child)
      if (pruned && slot === 0) continue
      marks[child] = 1
      if (pruned || isPlain(columns, child)) wanted.push(child)
      else others.push(child)
    }
  }
  for (const index of wanted) marks[index] = 0
  for (const index of others) marks[index] = 0
  if (marks.length > MAX_KEPT_MARKS) marks = new Uint8Array(1 << 10)
  return { wanted, others }
}

/** From the leaves up. To put those of the same length side by side, which take equally long, costs what it saves. */
const sortByDepth = ({ topDepth }: HashColumns, wanted: readonly number[]): Int32Array => {
  let deepest = 0
  for (const index of wanted) deepest = Math.max(deepest, topDepth[index]!)
  const starts = new Uint32Array(deepest + 2)
  for (const index of wanted) starts[topDepth[index]! + 1]!++
  for (let depth = 1; depth < starts.length; depth++) starts[depth]! += starts[depth - 1]!
  const sorted = new Int32Array(wanted.length)
  for (const index of wanted) sorted[starts[topDepth[index]!]!++] = index
  return sorted
}

/** Fills lanes with cells, and hashes them when all are filled or one that waits in them is needed. */
class LaneFiller {
  readonly #columns: HashColumns
  readonly #lanes: Sha256Lanes
  readonly #data: DataView
  readonly #hashes: DataView
  readonly #waiting = new Int32Array(LANES)
  readonly #blocks = new Int32Array(LANES)
  #filled = 0

  constructor(columns: HashColumns, lanes: Sha256Lanes) {
    this.#columns = columns
    this.#lanes = lanes
    this.#data = viewOf(columns.bytes)
    this.#hashes = viewOf(columns.slotHashes)
  }

  hashAll(sorted: Int32Array, slot: 0 | 1): void {
    const { hashed } = this.#columns
    for (const index of sorted) {
      // What has no slot 1, or what one of the others has needed, is done.
      if (hashed[index]! > slotFor(this.#columns, index, slot)) continue
      const pruned = isPruned(this.#columns, index)
      if (pruned && slot === 0) continue
      if (this.#needsWaiting(index)) this.#flush(slot)
      if (pruned) this.#fillPruned(index)
      else this.#fill(index, slot)
      if (this.#filled === LANES) this.#flush(slot)
    }
    this.#flush(slot)
  }

  #needsWaiting(index: number): boolean {
    if (this.#filled === 0) return false
    const { d1, refStart, refs } = this.#columns
    const start = refStart[index]!
    for (let k = start; k < start + (d1[index]! & REFERENCES); k++) {
      for (let lane = 0; lane < this.#filled; lane++) if (this.#waiting[lane] === refs[k]) return true
    }
    return false
  }

  /** Two descriptors, the data, the depths of all references, then their hashes. In slot 1 the hash of slot 0 stands for the data. */
  #fill(index: number, slot: 0 | 1): void {
    const { d1, bytes, bitLength, dataStart, refStart, refs, slotStart, slotDepths } = this.#columns
    const { bytes: out, view } = this.#lanes
    const start = this.#filled * LANE_STRIDE
    const descriptor = d1[index]!
    const refCount = descriptor & REFERENCES
    const bits = bitLength[index]!
    const isUpper = slot === 1 && descriptor >> 5 !== 0
    const length = isUpper ? 32 : (bits + 7) >> 3
    out[start] = isUpper ? descriptor & ~STORED : refCount
    out[start + 1] = (bits >> 3) + ((bits + 7) >> 3)
    if (isUpper) copyHash(this.#hashes, 32 * slotStart[index]!, view, start + 2)
    else copyBytes(this.#data, dataStart[index]!, view, start + 2, length)
    let depthAt = start + 2 + length
    let hashAt = depthAt + 2 * refCount
    let deepest = -1
    const first = refStart[index]!
    for (let k = first; k < first + refCount; k++) {
      const child = refs[k]!
      let depth: number
      if (!isUpper && isPruned(this.#columns, child)) {
        const stated = dataStart[child]! + 2
        const statedDepth = stated + 32 * popcount3(d1[child]! >> 5)
        depth = (bytes[statedDepth]! << 8) | bytes[statedDepth + 1]!
        copyHash(this.#data, stated, view, hashAt)
      } else {
        const found = slotStart[child]! + slotFor(this.#columns, child, slot)
        depth = slotDepths[found]!
        copyHash(this.#hashes, 32 * found, view, hashAt)
      }
      if (depth > deepest) deepest = depth
      out[depthAt] = depth >> 8
      out[depthAt + 1] = depth
      depthAt += 2
      hashAt += 32
    }
    if (deepest >= MAX_DEPTH) throw tooDeep(deepest + 1)
    slotDepths[slotStart[index]! + (isUpper ? 1 : 0)] = deepest + 1
    this.#wait(index, hashAt - start)
  }

  /** A pruned branch as it stands: a leaf. */
  #fillPruned(index: number): void {
    const { d1, bitLength, dataStart } = this.#columns
    const { bytes: out, view } = this.#lanes
    const start = this.#filled * LANE_STRIDE
    const length = bitLength[index]! >> 3
    out[start] = d1[index]! & ~STORED
    out[start + 1] = 2 * length
    copyBytes(this.#data, dataStart[index]!, view, start + 2, length)
    this.#wait(index, 2 + length)
  }

  #wait(index: number, length: number): void {
    const lane = this.#filled
    this.#waiting[lane] = index
    this.#blocks[lane] = this.#lanes.end(lane, length)
    this.#filled = lane + 1
  }

  #flush(slot: 0 | 1): void {
    const { hashed, slotStart } = this.#columns
    let longest = 0
    for (let lane = 0; lane < this.#filled; lane++) longest = Math.max(longest, this.#blocks[lane]!)
    if (longest === 0) return
    this.#lanes.hash(longest)
    for (let lane = 0; lane < this.#filled; lane++) {
      const index = this.#waiting[lane]!
      const filled = slotFor(this.#columns, index, slot)
      this.#lanes.copyDigest(lane, this.#blocks[lane]!, this.#hashes, 32 * (slotStart[index]! + filled))
      hashed[index] = filled + 1
    }
    this.#filled = 0
  }
}

/** The tree as it stands was measured when it was read or built: only what pruned branches state can be deeper. */
export const tooDeep = (depth: number): ProofError =>
  new ProofError(`Pruned branches make a cell tree ${depth} deep; at most ${MAX_DEPTH} is allowed.`)

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.length)

/** Many times faster than byte by byte. */
const copyBytes = (from: DataView, at: number, to: DataView, toAt: number, length: number): void => {
  const words = length & ~3
  for (let k = 0; k < words; k += 4) to.setInt32(toAt + k, from.getInt32(at + k))
  for (let k = words; k < length; k++) to.setUint8(toAt + k, from.getUint8(at + k))
}

const copyHash = (from: DataView, at: number, to: DataView, toAt: number): void => {
  for (let k = 0; k < 32; k += 4) to.setInt32(toAt + k, from.getInt32(at + k))
}
