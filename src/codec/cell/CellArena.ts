import { sha256Into } from '../../primitives/sha256.ts'
import { ProofError } from './errors.ts'
import { MAX_DEPTH, MERKLE_PROOF, MERKLE_UPDATE, PRUNED_BRANCH, popcount3 } from './exotic.ts'

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
// d1, d2, 128 data bytes, four depths, four hashes, and room for padding.
const scratch = new Uint8Array(2 + 128 + 8 + 128)
/** The first bytes of it, by their number: to make one anew for each cell costs a tenth of its hash. */
const scratchUpTo = Array.from({ length: scratch.length + 1 }, (_, length) => scratch.subarray(0, length))

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
  readonly refs: Int32Array
  readonly topDepth: Uint16Array
  foreign: CellRef[] = NO_CELLS
  loader: CellLoader | undefined = undefined

  private hashed: Uint8Array | undefined = undefined
  private slotStart: Uint32Array = new Uint32Array(0)
  private slotHashes: Uint8Array = new Uint8Array(0)
  private slotDepths: Uint16Array = new Uint16Array(0)
  private slotsUsed = 0

  constructor(bytes: Uint8Array, count: number, cellCapacity: number, refCapacity: number) {
    this.bytes = bytes
    this.count = count
    this.d1 = new Uint8Array(cellCapacity)
    this.bitLength = new Uint16Array(cellCapacity)
    this.dataStart = new Uint32Array(cellCapacity)
    this.refStart = new Uint32Array(cellCapacity)
    this.refs = new Int32Array(refCapacity)
    this.topDepth = new Uint16Array(cellCapacity)
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
    this.ensureHashed(i)
    return this.slotDepths[this.slotStart[i]! + slot]!
  }

  /** Depth of the tree as it stands, pruned branches counted as leaves. */
  fullDepth(i: number): number {
    if (this.loader !== undefined) this.loader.loadAll()
    return this.topDepth[i]!
  }

  /** Hashes every cell, which also checks every Merkle cell and every stored hash. Only for arenas read from a bag. */
  hashAll(): void {
    if (this.loader !== undefined) this.loader.loadAll()
    const hashed = this.hashed ?? this.allocateSlots()
    for (let i = this.count - 1; i >= 0; i--) if (hashed[i] === 0) this.hashCell(i)
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
    const slots = this.exoticType(i) === PRUNED_BRANCH ? 1 : popcount3(this.d1[i]! >> 5) + 1
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
    const count = this.count
    const d1 = this.d1
    const starts = new Uint32Array(count)
    let slots = 0
    for (let i = 0; i < count; i++) {
      starts[i] = slots
      const mask = d1[i]! >> 5
      slots += mask === 0 || this.exoticType(i) === PRUNED_BRANCH ? 1 : popcount3(mask) + 1
    }
    this.slotStart = starts
    this.slotHashes = new Uint8Array(slots * 32)
    this.slotDepths = new Uint16Array(slots)
    this.slotsUsed = slots
    this.hashed = new Uint8Array(count)
    return this.hashed
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
    this.ensureHashed(i)
    this.located = 32 * (this.slotStart[i]! + slot)
    return this.slotHashes
  }

  /** Recursion is bounded: no arena holds a cell deeper than {@link MAX_DEPTH}. */
  private ensureHashed(i: number): void {
    const hashed = this.hashed ?? this.allocateSlots()
    if (hashed[i] !== 0) return
    const end = this.refStart[i]! + (this.d1[i]! & 7)
    for (let k = this.refStart[i]!; k < end; k++) {
      const child = this.refs[k]!
      if (child >= 0) this.ensureHashed(child)
      else {
        const { arena, index } = this.foreign[~child]!
        arena.ensureHashed(index)
      }
    }
    this.hashCell(i)
  }

  /** Hashes one cell whose children of this arena are hashed already. */
  private hashCell(i: number): void {
    const d1 = this.d1[i]! & ~16
    const mask = d1 >> 5
    const bits = this.bitLength[i]!
    const start = this.dataStart[i]!
    const length = (bits + 7) >> 3
    const bytes = this.bytes
    const refCount = d1 & 7
    const exotic = (d1 & 8) === 0 ? 0 : bytes[start]!
    scratch[1] = (bits >> 3) + length
    let slot = this.slotStart[i]!

    if (exotic === PRUNED_BRANCH) {
      scratch[0] = d1
      for (let k = 0; k < length; k++) scratch[2 + k] = bytes[start + k]!
      sha256Into(scratchUpTo[2 + length]!, this.slotHashes, 32 * slot)
      this.finishHash(i)
      return
    }

    const isMerkle = exotic === MERKLE_PROOF || exotic === MERKLE_UPDATE
    const refStart = this.refStart[i]!
    const first = slot
    for (let level = 0; level <= 3; level++) {
      if (level !== 3 && ((mask >> level) & 1) === 0) continue
      scratch[0] = (d1 & 15) | ((mask & ((1 << level) - 1)) << 5)
      let at = 2
      if (slot === first) {
        for (let k = 0; k < length; k++) scratch[at + k] = bytes[start + k]!
        at += length
      } else {
        const previous = 32 * (slot - 1)
        for (let k = 0; k < 32; k++) scratch[at + k] = this.slotHashes[previous + k]!
        at += 32
      }
      const childLevel = isMerkle ? Math.min(3, level + 1) : level
      let deepest = -1
      let hashAt = at + 2 * refCount
      for (let k = 0; k < refCount; k++) {
        const child = this.refs[refStart + k]!
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
      // The tree as it stands was measured when it was read or built: only what pruned branches state can be deeper.
      if (depth > MAX_DEPTH) {
        throw new ProofError(`Pruned branches make a cell tree ${depth} deep; at most ${MAX_DEPTH} is allowed.`)
      }
      sha256Into(scratchUpTo[hashAt]!, this.slotHashes, 32 * slot)
      this.slotDepths[slot] = depth
      slot++
    }
    if (isMerkle) this.checkMerkle(i, exotic)
    this.finishHash(i)
  }

  private finishHash(i: number): void {
    this.hashed![i] = 1
    if ((this.d1[i]! & 16) !== 0) this.checkStoredHashes(i)
  }

  private checkMerkle(i: number, type: number): void {
    const refCount = type === MERKLE_PROOF ? 1 : 2
    const data = this.dataStart[i]!
    for (let k = 0; k < refCount; k++) {
      const child = this.refs[this.refStart[i]! + k]!
      const { arena, index } = child >= 0 ? { arena: this as CellArena, index: child } : this.foreign[~child]!
      const depthAt = data + 1 + 32 * refCount + 2 * k
      const depth = (this.bytes[depthAt]! << 8) | this.bytes[depthAt + 1]!
      if (!arena.hashEquals(index, 0, this.bytes, data + 1 + 32 * k) || arena.depth(index, 0) !== depth) {
        const name = type === MERKLE_PROOF ? 'proof' : 'update'
        throw new ProofError(`A Merkle ${name} states another hash or depth for reference ${k} than that cell has.`)
      }
    }
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
        // Whoever asks again is to be refused again.
        this.hashed![i] = 0
        throw new ProofError(`Cell ${i} is stored with another hash or depth at level ${level} than it has.`)
      }
      slot++
    }
  }
}
