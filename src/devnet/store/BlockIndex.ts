import { type BlockIdExt, masterchain } from '../../primitives/BlockId.ts'
import { shardContains, wholeShard } from '../../primitives/shard.ts'
import {
  encodeBlockRow,
  encodePrev,
  endLtOf,
  followsRow,
  genUtimeOf,
  hasHashes,
  isKeyBlock,
  OWN_ROW_BYTES,
  type PrevPosition,
  prevOf,
  RowTable,
  readBlockRow,
  type StoredBlock,
  seqnoOf,
  shardHighOf,
  shardLowOf,
  shardOf,
  workchainOf,
} from './blockRow.ts'

/** Blocks of one shard in the order of their seqnos, which has gaps where the shard was split or merged away. */
type ShardChain = {
  readonly workchain: number
  readonly shard: bigint
  readonly shardLow: number
  readonly shardHigh: number
  /** Their numbers in the order in which they were taken up. */
  readonly numbers: number[]
}

/**
 * Finds blocks by id, by number, and as the first of their shard to reach a logical time or a time. They are numbered in the
 * order of arrival, from 0: the shard blocks of a masterchain block, then the block itself.
 */
export class BlockIndex {
  private readonly rows = new RowTable(OWN_ROW_BYTES)
  /** Of blocks that do not follow the one before them in their chain: after a split, a merge, a first state. */
  private readonly firsts = new Map<number, Uint8Array>()
  private readonly seconds = new Map<number, Uint8Array>()
  private readonly chains: ShardChain[] = []
  /** The number of each masterchain block. */
  private readonly masters: number[] = []
  private readonly keyBlocks: number[] = []

  get count(): number {
    return this.rows.count
  }

  /** How many masterchain blocks there are. */
  get steps(): number {
    return this.masters.length
  }

  /** Seqnos of the key blocks, ascending. */
  get keyBlockSeqnos(): readonly number[] {
    return this.keyBlocks
  }

  /** Takes a block; those of one shard must come in order. */
  add(block: StoredBlock): void {
    const second = block.prev[1]
    this.addRow(encodeBlockRow(block), 0, second === undefined ? undefined : encodePrev(second))
  }

  /** The same for a block that stands in a row; `second` is its second block before, where there is one. */
  addRow(row: Uint8Array, at: number, second: Uint8Array | undefined): void {
    const number = this.rows.count
    this.rows.push(row, at)
    const { numbers } = this.chainOf(row, at)
    const before = numbers.at(-1)
    if (before === undefined || !followsRow(row, at, this.rows.chunkOf(before), this.rows.offsetOf(before)))
      this.firsts.set(number, prevOf(row, at))
    if (second !== undefined) this.seconds.set(number, second)
    numbers.push(number)
    if (workchainOf(row, at) !== masterchain) return
    this.masters.push(number)
    if (isKeyBlock(row, at)) this.keyBlocks.push(seqnoOf(row, at))
  }

  /** Forgets all that came after this many masterchain blocks. */
  cutTo(steps: number): void {
    const count = this.countAt(steps)
    for (const { numbers } of this.chains) while (numbers.length > 0 && numbers.at(-1)! >= count) numbers.pop()
    for (const known of [this.firsts, this.seconds]) {
      for (const number of known.keys()) if (number >= count) known.delete(number)
    }
    while (this.keyBlocks.length > 0 && this.keyBlocks.at(-1)! > steps) this.keyBlocks.pop()
    this.masters.length = Math.min(this.masters.length, steps)
    this.rows.cutTo(count)
  }

  /** How many blocks there were when there were this many masterchain blocks. */
  countAt(steps: number): number {
    return steps <= 0 ? 0 : this.masters[Math.min(steps, this.masters.length) - 1]! + 1
  }

  get(number: number): StoredBlock {
    const bytes = this.rows.chunkOf(number)
    const at = this.rows.offsetOf(number)
    const second = this.seconds.get(number)
    const prev = [this.locatePrev(number, bytes, at)]
    if (second !== undefined) prev.push({ bytes: second, at: 0, isRow: false })
    return readBlockRow(bytes, at, prev)
  }

  private locatePrev(number: number, row: Uint8Array, at: number): PrevPosition {
    const first = this.firsts.get(number)
    if (first !== undefined) return { bytes: first, at: 0, isRow: false }
    const chain = this.chainOf(row, at)
    const seqno = seqnoOf(row, at)
    const before = chain.numbers[this.firstIndex(chain, (other, otherAt) => seqnoOf(other, otherAt) >= seqno) - 1]!
    return { bytes: this.rows.chunkOf(before), at: this.rows.offsetOf(before), isRow: true }
  }

  find(id: BlockIdExt): StoredBlock | undefined {
    const number = this.findNumber(id)
    return number === undefined ? undefined : this.get(number)
  }

  findNumber(id: BlockIdExt): number | undefined {
    const chain = this.chains.find(({ workchain, shard }) => workchain === id.workchain && shard === id.shard)
    if (chain === undefined) return undefined
    const number = chain.numbers[this.firstIndex(chain, (row, at) => seqnoOf(row, at) >= id.seqno)]
    if (number === undefined) return undefined
    const row = this.rows.chunkOf(number)
    const at = this.rows.offsetOf(number)
    return seqnoOf(row, at) === id.seqno && hasHashes(row, at, id) ? number : undefined
  }

  /** The seqno of the newest block of a shard; -1 where there is none. */
  newestSeqno({ workchain, shard }: BlockIdExt): number {
    const chain = this.chains.find((each) => each.workchain === workchain && each.shard === shard)
    const number = chain?.numbers.at(-1)
    return number === undefined ? -1 : seqnoOf(this.rows.chunkOf(number), this.rows.offsetOf(number))
  }

  /** The shard blocks that a masterchain block was the first to include. */
  listIncluded(masterSeqno: number): readonly StoredBlock[] {
    const own = this.masters[masterSeqno - 1]
    if (own === undefined) return []
    const included: StoredBlock[] = []
    for (let number = this.countAt(masterSeqno - 1); number < own; number++) included.push(this.get(number))
    return included
  }

  findMaster(seqno: number): StoredBlock | undefined {
    const number = this.masters[seqno - 1]
    return number === undefined ? undefined : this.get(number)
  }

  /** The block with this seqno whose shard holds the account prefix (or equals, or covers, the shard given in its place). */
  findBySeqno(workchain: number, prefix: bigint, seqno: number): StoredBlock | undefined {
    if (workchain === masterchain && prefix === wholeShard) return this.findMaster(seqno)
    const found = this.findFirst(workchain, prefix, (row, at) => seqnoOf(row, at) >= seqno)
    return found?.id.seqno === seqno ? found : undefined
  }

  /** The first block of that place whose end reaches the logical time. */
  findByLt(workchain: number, prefix: bigint, lt: bigint): StoredBlock | undefined {
    return this.findFirst(workchain, prefix, (row, at) => endLtOf(row, at) >= lt)
  }

  /** The first block of that place made at the time or later. */
  findByUtime(workchain: number, prefix: bigint, utime: number): StoredBlock | undefined {
    return this.findFirst(workchain, prefix, (row, at) => genUtimeOf(row, at) >= utime)
  }

  /** A property that stays once it is reached: the first block to have it, over all shards that ever held the prefix. */
  private findFirst(workchain: number, prefix: bigint, reached: RowTest): StoredBlock | undefined {
    let best: number | undefined
    let bestSeqno = 0
    for (const chain of this.chains) {
      if (chain.workchain !== workchain || !shardContains(chain.shard, prefix)) continue
      const found = chain.numbers[this.firstIndex(chain, reached)]
      if (found === undefined) continue
      const seqno = seqnoOf(this.rows.chunkOf(found), this.rows.offsetOf(found))
      if (best !== undefined && seqno >= bestSeqno) continue
      best = found
      bestSeqno = seqno
    }
    return best === undefined ? undefined : this.get(best)
  }

  /** Where in a chain the property begins to hold, or its length. */
  private firstIndex({ numbers }: ShardChain, holds: RowTest): number {
    let low = 0
    let high = numbers.length
    while (low < high) {
      const middle = (low + high) >> 1
      const number = numbers[middle]!
      if (holds(this.rows.chunkOf(number), this.rows.offsetOf(number))) high = middle
      else low = middle + 1
    }
    return low
  }

  private chainOf(row: Uint8Array, at: number): ShardChain {
    const workchain = workchainOf(row, at)
    const shardLow = shardLowOf(row, at)
    const shardHigh = shardHighOf(row, at)
    for (const chain of this.chains) {
      if (chain.workchain === workchain && chain.shardHigh === shardHigh && chain.shardLow === shardLow) return chain
    }
    const chain = { workchain, shard: shardOf(row, at), shardLow, shardHigh, numbers: [] }
    this.chains.push(chain)
    return chain
  }
}

type RowTest = (row: Uint8Array, at: number) => boolean
