import type { BlockIdExt } from '../../primitives/BlockId.ts'
import { getI32LE, getU32LE, getU64LE, putU32LE, putU64LE } from '../../primitives/bytes.ts'

/** What is known of a block without opening it. */
export type StoredBlock = {
  readonly id: BlockIdExt
  readonly genUtime: number
  readonly startLt: bigint
  readonly endLt: bigint
  readonly isKeyBlock: boolean
  readonly prevKeyBlockSeqno: number
  /** The block before; both halves after a merge, left one first. */
  readonly prev: readonly BlockIdExt[]
  /** The masterchain block that was the first to include it; its own seqno for a masterchain block. */
  readonly masterSeqno: number
}

// A block in the commit log: fields at fixed offsets, little endian. The shard and seqno of the block before and its hashes are last; the
// second previous block of a merge is stored elsewhere in the same form. In memory a row ends before them.
const WORKCHAIN = 0
const SHARD = 4
const SEQNO = 12
const ROOT_HASH = 16
const FILE_HASH = 48
const GEN_UTIME = 80
const START_LT = 84
const END_LT = 92
const PREV_KEY_BLOCK = 100
const MASTER_SEQNO = 104
const FLAGS = 108
const PREV = 112

/** Shard, seqno, hash of the root and of the file. */
export const PREV_BYTES = 76
export const BLOCK_ROW_BYTES = PREV + PREV_BYTES
/** Without the block before it, which mostly is another row. */
export const OWN_ROW_BYTES = PREV

const IS_KEY_BLOCK = 1
const IS_MERGED = 2

export const encodeBlockRow = ({ id, prev, ...block }: StoredBlock): Uint8Array => {
  const row = new Uint8Array(BLOCK_ROW_BYTES)
  putU32LE(row, WORKCHAIN, id.workchain)
  putU64LE(row, SHARD, id.shard)
  putU32LE(row, SEQNO, id.seqno)
  row.set(id.rootHash, ROOT_HASH)
  row.set(id.fileHash, FILE_HASH)
  putU32LE(row, GEN_UTIME, block.genUtime)
  putU64LE(row, START_LT, block.startLt)
  putU64LE(row, END_LT, block.endLt)
  putU32LE(row, PREV_KEY_BLOCK, block.prevKeyBlockSeqno)
  putU32LE(row, MASTER_SEQNO, block.masterSeqno)
  row[FLAGS] = (block.isKeyBlock ? IS_KEY_BLOCK : 0) | (prev.length === 2 ? IS_MERGED : 0)
  row.set(encodePrev(prev[0]!), PREV)
  return row
}

/** A block before another, in the same workchain. */
export const encodePrev = ({ shard, seqno, rootHash, fileHash }: BlockIdExt): Uint8Array => {
  const bytes = new Uint8Array(PREV_BYTES)
  putU64LE(bytes, 0, shard)
  putU32LE(bytes, 8, seqno)
  bytes.set(rootHash, 12)
  bytes.set(fileHash, 44)
  return bytes
}

const readPrev = (workchain: number, bytes: Uint8Array, at: number): BlockIdExt => ({
  workchain,
  shard: getU64LE(bytes, at),
  seqno: getU32LE(bytes, at + 8),
  rootHash: bytes.slice(at + 12, at + 44),
  fileHash: bytes.slice(at + 44, at + 76),
})

/** The block before, as a row of the log names it. */
export const prevOf = (bytes: Uint8Array, at: number): Uint8Array => bytes.slice(at + PREV, at + PREV + PREV_BYTES)

/** Whether the block before, as a row of the log names it, is the one in another row. */
export const followsRow = (bytes: Uint8Array, at: number, other: Uint8Array, otherAt: number): boolean => {
  const prev = at + PREV
  for (let k = 0; k < 12; k++) if (bytes[prev + k] !== other[otherAt + SHARD + k]) return false
  for (let k = 0; k < 64; k++) if (bytes[prev + 12 + k] !== other[otherAt + ROOT_HASH + k]) return false
  return true
}

const readId = (bytes: Uint8Array, at: number): BlockIdExt => ({
  workchain: workchainOf(bytes, at),
  shard: getU64LE(bytes, at + SHARD),
  seqno: seqnoOf(bytes, at),
  rootHash: bytes.slice(at + ROOT_HASH, at + ROOT_HASH + 32),
  fileHash: bytes.slice(at + FILE_HASH, at + FILE_HASH + 32),
})

/** Where the id of a block stands: in a row, or in the form of a block before another. */
export type PrevPosition = { readonly bytes: Uint8Array; readonly at: number; readonly isRow: boolean }

/** What a row says, copied out of it, and the blocks before it. */
export const readBlockRow = (bytes: Uint8Array, at: number, prev: readonly PrevPosition[]): StoredBlock => {
  const workchain = workchainOf(bytes, at)
  return {
    id: readId(bytes, at),
    genUtime: genUtimeOf(bytes, at),
    startLt: getU64LE(bytes, at + START_LT),
    endLt: endLtOf(bytes, at),
    isKeyBlock: isKeyBlock(bytes, at),
    prevKeyBlockSeqno: getU32LE(bytes, at + PREV_KEY_BLOCK),
    prev: prev.map((each) => (each.isRow ? readId(each.bytes, each.at) : readPrev(workchain, each.bytes, each.at))),
    masterSeqno: getU32LE(bytes, at + MASTER_SEQNO),
  }
}

export const workchainOf = (bytes: Uint8Array, at: number): number => getI32LE(bytes, at + WORKCHAIN)

/** The halves of the shard, which tell shards apart without making a bigint. */
export const shardLowOf = (bytes: Uint8Array, at: number): number => getI32LE(bytes, at + SHARD)
export const shardHighOf = (bytes: Uint8Array, at: number): number => getI32LE(bytes, at + SHARD + 4)

export const shardOf = (bytes: Uint8Array, at: number): bigint => getU64LE(bytes, at + SHARD)

export const seqnoOf = (bytes: Uint8Array, at: number): number => getU32LE(bytes, at + SEQNO)

export const endLtOf = (bytes: Uint8Array, at: number): bigint => getU64LE(bytes, at + END_LT)

export const genUtimeOf = (bytes: Uint8Array, at: number): number => getU32LE(bytes, at + GEN_UTIME)

export const masterSeqnoOf = (bytes: Uint8Array, at: number): number => getU32LE(bytes, at + MASTER_SEQNO)

export const isKeyBlock = (bytes: Uint8Array, at: number): boolean => (bytes[at + FLAGS]! & IS_KEY_BLOCK) !== 0

/** Whether a second block comes before it. */
export const isMerged = (bytes: Uint8Array, at: number): boolean => (bytes[at + FLAGS]! & IS_MERGED) !== 0

export const hasHashes = (bytes: Uint8Array, at: number, { rootHash, fileHash }: BlockIdExt): boolean => {
  for (let k = 0; k < 32; k++) {
    if (bytes[at + ROOT_HASH + k] !== rootHash[k] || bytes[at + FILE_HASH + k] !== fileHash[k]) return false
  }
  return true
}

/** A power of two, so that finding a row is a shift and a mask. */
const ROWS_PER_CHUNK = 4096
const SHIFT = 12

/** Rows of equal length in few large arrays: what a long chain has millions of would not fit into memory as objects. */
export class RowTable {
  private readonly rowBytes: number
  private readonly chunks: Uint8Array[] = []
  private used = 0

  constructor(rowBytes: number) {
    this.rowBytes = rowBytes
  }

  get count(): number {
    return this.used
  }

  /** The array that holds a row, from {@link offsetOf} on. */
  chunkOf(row: number): Uint8Array {
    return this.chunks[row >>> SHIFT]!
  }

  offsetOf(row: number): number {
    return (row & (ROWS_PER_CHUNK - 1)) * this.rowBytes
  }

  /** Takes a copy of a row; its number is the count before. */
  push(from: Uint8Array, at: number): void {
    const row = this.used++
    if (row >>> SHIFT === this.chunks.length) this.chunks.push(new Uint8Array(ROWS_PER_CHUNK * this.rowBytes))
    const to = this.chunkOf(row)
    const start = this.offsetOf(row)
    for (let k = 0; k < this.rowBytes; k++) to[start + k] = from[at + k]!
  }

  /** Forgets all rows from this number on. */
  cutTo(count: number): void {
    this.used = Math.min(this.used, count)
    this.chunks.length = (this.used + ROWS_PER_CHUNK - 1) >>> SHIFT
  }
}
