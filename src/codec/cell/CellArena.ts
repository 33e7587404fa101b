import { sha256Into } from '../../primitives/hash.ts'
import { ProofError } from './errors.ts'
import { MAX_DEPTH, MERKLE_PROOF, MERKLE_UPDATE, PRUNED_BRANCH, popcount3 } from './exotic.ts'
import { HashMemo } from './HashMemo.ts'
import { hashCells, isPlain, tooDeep } from './hashCells.ts'

/** One cell: an arena and its number there. */
export interface CellRef {
  readonly arena: CellArena
  readonly index: number
}

/** Fills in the tables of a cell on first use, for bags that are read by their index instead of a scan. */
export interface CellLoader {
  load(index: number): void
  loadAll(): void
}

const NO_CELLS: CellRef[] = []
const NO_STARTS = new Uint32Array(0)
const NO_HASHES = new Uint8Array(0)
const NO_DEPTHS = new Uint16Array(0)
// d1, d2, 128 data bytes, four depths, four hashes; as words, too.
const SCRATCH_WORDS = Math.ceil((2 + 128 + 8 + 128) / 4)
const scratchWords = new Int32Array(SCRATCH_WORDS)
const scratch = new Uint8Array(scratchWords.buffer)
/** The first bytes of it, by their number: to make one anew for each cell costs a tenth of its hash. */
const scratchUpTo = Array.from({ length: scratch.length + 1 }, (_, length) => scratch.subarray(0, length))

/** Made on first use: it takes a megabyte. */
let memo: HashMemo | undefined

/**
 * Cells as columns of typed arrays over the buffer they came in. No object and no hash is made for a cell that nobody asks
 * about: a 500 KB block has 18,000 of them, and most work needs a few hundred.
 *
 * A reference is the index of another cell of the same arena, or `~k` for `foreign[k]`, a cell of another one.
 */
export class CellArena {
  bytes: Uint8Array
  count: number
  /** Descriptor as stored in a bag: references, 8 exotic, 16 hashes stored before the data, 32 × level mask. */
  readonly d1: Uint8Array
  readonly bitLength: Uint16Array
  readonly dataStart: Uint32Array
  readonly refStart: Uint32Array
  refs: Int32Array
  readonly topDepth: Uint16Array
  foreign: CellRef[] = NO_CELLS
  loader: CellLoader | undefined = undefined
  /** The cells are likely to be equal to some of other arenas, as those of proofs are: see HashMemo. */
  isRepeated = false
  /** The hashes stored with the cells are trusted: they were verified when these bytes were written. */
  believesStored = false
  /** It takes the cells of any number of trees: see breakSlabChain. The first one is not marked, it stays with the empty cell anyway. */
  isSlab = false

  /** How many of the slots of each cell are filled. They are filled in order, each when it is first asked for. */
  private hashed: Uint8Array | undefined = undefined
  private slotStart: Uint32Array = NO_STARTS
  private slotHashes: Uint8Array = NO_HASHES
  private slotDepths: Uint16Array = NO_DEPTHS
  private slotsUsed = 0

  constructor(bytes: Uint8Array, count: number, cellCapacity: number, refCapacity: number) {
    this.bytes = bytes
    this.count = count
    // All columns in one buffer, the widest first: to take memory for each costs a small bag more than to read it.
    const words = 4 * (2 * cellCapacity + refCapacity)
    const buffer = new ArrayBuffer(words + 5 * cellCapacity)
    this.dataStart = new Uint32Array(buffer, 0, cellCapacity)
    this.refStart = new Uint32Array(buffer, 4 * cellCapacity, cellCapacity)
    this.refs = new Int32Array(buffer, 8 * cellCapacity, refCapacity)
    this.bitLength = new Uint16Array(buffer, words, cellCapacity)
    this.topDepth = new Uint16Array(buffer, words + 2 * cellCapacity, cellCapacity)
    this.d1 = new Uint8Array(buffer, words + 4 * cellCapacity, cellCapacity)
  }

  /** Takes other cells, as many as there is room for. They are filled in next; those before are gone. */
  reuse(bytes: Uint8Array, count: number): void {
    this.bytes = bytes
    this.count = count
    this.hashed = undefined
  }

  isExotic(i: number): boolean {
    return (this.d1[i]! & 8) !== 0
  }

  levelMask(i: number): number {
    return this.d1[i]! >> 5
  }

  /** Type byte of an exotic cell, 0 for an ordinary one. */
  exoticType(i: number): number {
    return (this.d1[i]! & 8) === 0 ? 0 : this.bytes[this.dataStart[i]!]!
  }

  /** Copies the hash of cell `i` at `level` (0 to 3; 3 is the representation hash) into `out`. */
  copyHash(i: number, level: number, out: Uint8Array, at: number): void {
    const source = this.locateHash(i, level)
    const from = this.located
    for (let k = 0; k < 32; k++) out[at + k] = source[from + k]!
  }

  /** Whether the hash of cell `i` at `level` equals 32 bytes of `other` from `at` on. */
  hashEquals(i: number, level: number, other: Uint8Array, at: number): boolean {
    const source = this.locateHash(i, level)
    const from = this.located
    for (let k = 0; k < 32; k++) if (source[from + k] !== other[at + k]) return false
    return true
  }

  /** The first four bytes of the representation hash of cell `i`: where they differ, the cells do. */
  hashWord(i: number): number {
    const source = this.locateHash(i, 3)
    const from = this.located
    return source[from]! | (source[from + 1]! << 8) | (source[from + 2]! << 16) | (source[from + 3]! << 24)
  }

  /** Depth of cell `i` at `level`. */
  depth(i: number, level: number): number {
    if (this.loader !== undefined) this.loader.loadAll()
    const mask = this.d1[i]! >> 5
    if (mask === 0) return this.topDepth[i]!
    const slot = popcount3(mask & ((1 << level) - 1))
    if (this.exoticType(i) === PRUNED_BRANCH) {
      const stored = popcount3(mask)
      if (slot === stored) return 0
      const at = this.dataStart[i]! + 2 + 32 * stored + 2 * slot
      return (this.bytes[at]! << 8) | this.bytes[at + 1]!
    }
    this.ensureHashed(i, slot)
    return this.slotDepths[this.slotStart[i]! + slot]!
  }

  /** Depth of the tree as it stands, pruned branches counted as leaves. */
  fullDepth(i: number): number {
    if (this.loader !== undefined) this.loader.loadAll()
    return this.topDepth[i]!
  }

  /** Hashes these cells at level 0 side by side, for a caller who is about to ask for all of them. */
  hashRoots(roots: readonly number[]): void {
    if (this.loader !== undefined) this.loader.loadAll()
    const hashed = this.hashed ?? this.allocateSlots()
    const wanted = roots.filter((i) => hashed[i] === 0 && this.hashesTogether(i, 0))
    if (wanted.length > 0) this.hashTogether(wanted, 0, hashed)
  }

  /** Hashes every cell. Only for arenas read from a bag. */
  hashAll(): void {
    if (this.loader !== undefined) this.loader.loadAll()
    // From the first on, which are above the others: all below them are hashed side by side. Then what pruned branches need besides.
    for (let i = 0; i < this.count; i++) this.ensureHashed(i, 0)
    for (let i = this.count - 1; i >= 0; i--) this.ensureHashed(i, this.lastSlot(i))
  }

  /**
   * Checks every Merkle cell and every stored hash. Of what lies below a Merkle cell this needs the hashes of the original alone, not
   * those of the pruned tree, which are two thirds of all. Only for arenas read from a bag.
   */
  checkStatements(): void {
    if (this.loader !== undefined) this.loader.loadAll()
    for (let i = this.count - 1; i >= 0; i--) {
      if ((this.d1[i]! & 16) !== 0) this.ensureHashed(i, 0)
      else if (this.exoticType(i) >= MERKLE_PROOF) this.checkMerkle(i)
    }
  }

  /** Gives cell `i` its slots as it is built; arenas read from a bag get theirs all at once, on the first hash. */
  reserveSlots(i: number): void {
    if (this.hashed === undefined) {
      const capacity = this.d1.length
      this.hashed = new Uint8Array(capacity)
      this.slotStart = new Uint32Array(capacity)
      this.slotHashes = new Uint8Array(capacity * 32)
      this.slotDepths = new Uint16Array(capacity)
    }
    const slots = this.lastSlot(i) + 1
    if (this.slotsUsed + slots > this.slotDepths.length) this.growSlots()
    this.slotStart[i] = this.slotsUsed
    this.slotsUsed += slots
  }

  private growSlots(): void {
    const depths = new Uint16Array(this.slotDepths.length * 2 + 8)
    depths.set(this.slotDepths)
    const hashes = new Uint8Array(depths.length * 32)
    hashes.set(this.slotHashes)
    this.slotDepths = depths
    this.slotHashes = hashes
  }

  private allocateSlots(): Uint8Array {
    const { count } = this
    let slots = 0
    for (let i = 0; i < count; i++) slots += this.lastSlot(i) + 1
    const buffer = new ArrayBuffer(5 * count + 34 * slots)
    this.slotStart = new Uint32Array(buffer, 0, count)
    this.slotDepths = new Uint16Array(buffer, 4 * count, slots)
    this.slotHashes = new Uint8Array(buffer, 4 * count + 2 * slots, 32 * slots)
    this.hashed = new Uint8Array(buffer, 4 * count + 34 * slots, count)
    this.slotsUsed = slots
    for (let i = 0, next = 0; i < count; i++) {
      this.slotStart[i] = next
      next += this.lastSlot(i) + 1
    }
    return this.hashed
  }

  /** The slot of the representation hash; those before it are for the levels below. A pruned branch has those in its data. */
  private lastSlot(i: number): number {
    const mask = this.d1[i]! >> 5
    return mask === 0 || this.exoticType(i) === PRUNED_BRANCH ? 0 : popcount3(mask)
  }

  // A second return value without an allocation: the offset that belongs to what locateHash returned.
  private located = 0

  private locateHash(i: number, level: number): Uint8Array {
    if (this.loader !== undefined) this.loader.loadAll()
    const mask = this.d1[i]! >> 5
    let slot = 0
    if (mask !== 0) {
      slot = popcount3(mask & ((1 << level) - 1))
      if (this.exoticType(i) === PRUNED_BRANCH) {
        if (slot < popcount3(mask)) {
          this.located = this.dataStart[i]! + 2 + 32 * slot
          return this.bytes
        }
        slot = 0
      }
    }
    this.ensureHashed(i, slot)
    this.located = 32 * (this.slotStart[i]! + slot)
    return this.slotHashes
  }

  /** Fills the slots of a cell up to this one. Recursion is bounded: no arena holds a cell deeper than {@link MAX_DEPTH}. */
  private ensureHashed(i: number, slot: number): void {
    const hashed = this.hashed ?? this.allocateSlots()
    let next = hashed[i]!
    if (next > slot) return
    const isStored = (this.d1[i]! & 16) !== 0
    if (isStored && this.believesStored && this.exoticType(i) !== PRUNED_BRANCH) {
      this.takeStored(i)
      hashed[i] = this.lastSlot(i) + 1
      return
    }
    if (this.hashesTogether(i, slot)) {
      this.hashTogether([i], slot as 0 | 1, hashed)
      return
    }
    // Hashes that are stored with a cell are checked together, whichever is asked for.
    const last = isStored ? this.lastSlot(i) : slot
    for (; next <= last; next++) {
      this.hashSlot(i, next)
      hashed[i] = next + 1
    }
    if (isStored) this.checkStoredHashes(i)
  }

  /** Whether a cell has others below it that can be hashed side by side. Of repeated ones the memo has most. */
  private hashesTogether(i: number, slot: number): boolean {
    if (this.isRepeated || (this.d1[i]! & 7) === 0) return false
    return (slot === 0 || (slot === 1 && this.d1[i]! >> 5 === 1)) && isPlain(this, i)
  }

  private hashTogether(roots: readonly number[], slot: 0 | 1, hashed: Uint8Array): void {
    const { bytes, d1, bitLength, dataStart, refStart, refs, topDepth, slotStart, slotHashes, slotDepths } = this
    const columns = {
      bytes,
      d1,
      bitLength,
      dataStart,
      refStart,
      refs,
      topDepth,
      hashed,
      slotStart,
      slotHashes,
      slotDepths,
    }
    hashCells(columns, roots, slot, (other, from) => this.ensureHashed(other, from === 0 ? 0 : this.lastSlot(other)))
  }

  private hashSlot(i: number, slot: number): void {
    const d1 = this.d1[i]! & ~16
    const start = this.dataStart[i]!
    const exotic = (d1 & 8) === 0 ? 0 : this.bytes[start]!
    const out = this.slotStart[i]! + slot
    if (exotic === PRUNED_BRANCH) {
      const end = this.putData(i)
      scratch[0] = d1
      sha256Into(scratchUpTo[end]!, this.slotHashes, 32 * out)
      return
    }
    const isMerkle = exotic === MERKLE_PROOF || exotic === MERKLE_UPDATE
    if (isMerkle && slot === 0) this.checkMerkle(i)
    const mask = d1 >> 5
    const level = levelOfSlot(mask, slot)
    const childLevel = isMerkle ? Math.min(3, level + 1) : level
    const refCount = d1 & 7
    const refStart = this.refStart[i]!
    // Hashes all cells below first: they share one scratch buffer.
    for (let k = refStart; k < refStart + refCount; k++) this.hashChild(this.refs[k]!, childLevel)
    let at = slot === 0 ? this.putData(i) : this.putSlot(i, out - 1)
    scratch[0] = (d1 & 15) | ((mask & ((1 << level) - 1)) << 5)
    let deepest = -1
    let hashAt = at + 2 * refCount
    for (let k = refStart; k < refStart + refCount; k++) {
      const child = this.refs[k]!
      let depth: number
      if (child >= 0) {
        depth = this.depth(child, childLevel)
        const source = this.locateHash(child, childLevel)
        const from = this.located
        for (let b = 0; b < 32; b++) scratch[hashAt + b] = source[from + b]!
      } else {
        const { arena, index } = this.foreign[~child]!
        depth = arena.depth(index, childLevel)
        arena.copyHash(index, childLevel, scratch, hashAt)
      }
      if (depth > deepest) deepest = depth
      scratch[at] = depth >> 8
      scratch[at + 1] = depth
      at += 2
      hashAt += 32
    }
    const depth = deepest + 1
    if (depth > MAX_DEPTH) throw tooDeep(depth)
    if (this.isRepeated) this.hashRepeated(hashAt, 32 * out)
    else sha256Into(scratchUpTo[hashAt]!, this.slotHashes, 32 * out)
    this.slotDepths[out] = depth
  }

  private hashRepeated(length: number, out: number): void {
    memo ??= new HashMemo(SCRATCH_WORDS)
    for (let k = length; (k & 3) !== 0; k++) scratch[k] = 0
    memo.hashInto(scratchUpTo[length]!, scratchWords, this.slotHashes, out)
  }

  private hashChild(child: number, level: number): void {
    if (child >= 0) this.locateHash(child, level)
    else {
      const { arena, index } = this.foreign[~child]!
      arena.locateHash(index, level)
    }
  }

  /** Puts the second descriptor and the data of a cell into the scratch; says where they end. */
  private putData(i: number): number {
    const bits = this.bitLength[i]!
    const length = (bits + 7) >> 3
    const start = this.dataStart[i]!
    const { bytes } = this
    scratch[1] = (bits >> 3) + length
    for (let k = 0; k < length; k++) scratch[2 + k] = bytes[start + k]!
    return 2 + length
  }

  /** The same with the hash below, which at the higher levels stands for the data. */
  private putSlot(i: number, slot: number): number {
    const bits = this.bitLength[i]!
    scratch[1] = (bits >> 3) + ((bits + 7) >> 3)
    for (let k = 0; k < 32; k++) scratch[2 + k] = this.slotHashes[32 * slot + k]!
    return 34
  }

  /** Checks what a Merkle cell states of its children. */
  checkMerkle(i: number): void {
    const isProof = this.exoticType(i) === MERKLE_PROOF
    const refCount = isProof ? 1 : 2
    const data = this.dataStart[i]!
    for (let k = 0; k < refCount; k++) {
      const child = this.refs[this.refStart[i]! + k]!
      const { arena, index } = child >= 0 ? { arena: this as CellArena, index: child } : this.foreign[~child]!
      const depthAt = data + 1 + 32 * refCount + 2 * k
      const depth = (this.bytes[depthAt]! << 8) | this.bytes[depthAt + 1]!
      if (!arena.hashEquals(index, 0, this.bytes, data + 1 + 32 * k) || arena.depth(index, 0) !== depth) {
        const name = isProof ? 'proof' : 'update'
        throw new ProofError(`A Merkle ${name} states another hash or depth for reference ${k} than that cell has.`)
      }
    }
  }

  private takeStored(i: number): void {
    const stored = this.lastSlot(i) + 1
    const first = this.slotStart[i]!
    const hashes = this.dataStart[i]! - 34 * stored
    const depths = hashes + 32 * stored
    const { bytes, slotHashes, slotDepths } = this
    for (let k = 0; k < 32 * stored; k++) slotHashes[32 * first + k] = bytes[hashes + k]!
    for (let k = 0; k < stored; k++) slotDepths[first + k] = (bytes[depths + 2 * k]! << 8) | bytes[depths + 2 * k + 1]!
  }

  /** Gives a new cell the hash of another one, where it is known that theirs at level 0 are the same. */
  adoptHash(i: number, { arena, index }: CellRef): void {
    const hashed = this.hashed ?? this.allocateSlots()
    if (hashed[i]! > 0) return
    const slot = this.slotStart[i]!
    arena.copyHash(index, 0, this.slotHashes, 32 * slot)
    this.slotDepths[slot] = arena.depth(index, 0)
    hashed[i] = 1
  }

  private checkStoredHashes(i: number): void {
    const mask = this.d1[i]! >> 5
    const stored = popcount3(mask) + 1
    const hashes = this.dataStart[i]! - 34 * stored
    let slot = 0
    for (let level = 0; level <= 3; level++) {
      if (level !== 3 && ((mask >> level) & 1) === 0) continue
      const depthAt = hashes + 32 * stored + 2 * slot
      const depth = (this.bytes[depthAt]! << 8) | this.bytes[depthAt + 1]!
      if (!this.hashEquals(i, level, this.bytes, hashes + 32 * slot) || this.depth(i, level) !== depth) {
        // A second request has to fail as well.
        this.hashed![i] = 0
        throw new ProofError(`Cell ${i} is stored with another hash or depth at level ${level} than it has.`)
      }
      slot++
    }
  }
}

/** The level whose hash stands in a slot: one for each bit of the mask, from the lowest on, then the representation. */
const levelOfSlot = (mask: number, slot: number): number => {
  let left = slot
  for (let level = 0; level < 3; level++) if (((mask >> level) & 1) === 1 && left-- === 0) return level
  return 3
}
