import { type BlockIdExt, masterchain } from '../../primitives/BlockId.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import { shardContains } from '../../primitives/shard.ts'
import type { StoredBlock } from './StoredBlock.ts'

/** Blocks of one shard in the order of their seqnos, which has gaps where the shard was split or merged away. */
type ShardChain = { readonly workchain: number; readonly shard: bigint; readonly blocks: StoredBlock[] }

/** Finds blocks by id, by number, and as the first of their shard to reach a logical time or a time. */
export class BlockIndex {
  private readonly chains = new Map<string, ShardChain>()
  private readonly included = new Map<number, StoredBlock[]>()
  private size = 0

  get count(): number {
    return this.size
  }

  /** Takes a block; those of one shard must come in order. */
  add(block: StoredBlock): void {
    const { workchain, shard } = block.id
    const key = `${workchain}:${shard}`
    let chain = this.chains.get(key)
    if (chain === undefined) {
      chain = { workchain, shard, blocks: [] }
      this.chains.set(key, chain)
    }
    chain.blocks.push(block)
    this.size++
    if (workchain === masterchain) return
    const siblings = this.included.get(block.masterSeqno)
    if (siblings === undefined) this.included.set(block.masterSeqno, [block])
    else siblings.push(block)
  }

  find(id: BlockIdExt): StoredBlock | undefined {
    const blocks = this.chains.get(`${id.workchain}:${id.shard}`)?.blocks ?? []
    const found = blocks[firstIndex(blocks, ({ id: { seqno } }) => seqno >= id.seqno)]
    if (found?.id.seqno !== id.seqno) return undefined
    const isSame = bytesEqual(found.id.rootHash, id.rootHash) && bytesEqual(found.id.fileHash, id.fileHash)
    return isSame ? found : undefined
  }

  /** The shard blocks that a masterchain block was the first to include. */
  listIncluded(masterSeqno: number): readonly StoredBlock[] {
    return this.included.get(masterSeqno) ?? []
  }

  /** The block with this seqno whose shard holds the account prefix (or equals, or covers, the shard given in its place). */
  findBySeqno(workchain: number, prefix: bigint, seqno: number): StoredBlock | undefined {
    const found = this.findFirst(workchain, prefix, ({ id }) => id.seqno >= seqno)
    return found?.id.seqno === seqno ? found : undefined
  }

  /** The first block of that place whose end reaches the logical time. */
  findByLt(workchain: number, prefix: bigint, lt: bigint): StoredBlock | undefined {
    return this.findFirst(workchain, prefix, ({ endLt }) => endLt >= lt)
  }

  /** The first block of that place made at the time or later. */
  findByUtime(workchain: number, prefix: bigint, utime: number): StoredBlock | undefined {
    return this.findFirst(workchain, prefix, ({ genUtime }) => genUtime >= utime)
  }

  /** A property that stays once it is reached: the first block to have it, over all shards that ever held the prefix. */
  private findFirst(
    workchain: number,
    prefix: bigint,
    reached: (block: StoredBlock) => boolean,
  ): StoredBlock | undefined {
    let best: StoredBlock | undefined
    for (const chain of this.chains.values()) {
      if (chain.workchain !== workchain || !shardContains(chain.shard, prefix)) continue
      const found = chain.blocks[firstIndex(chain.blocks, reached)]
      if (found !== undefined && (best === undefined || found.id.seqno < best.id.seqno)) best = found
    }
    return best
  }
}

/** Where the property begins to hold, or the length. */
const firstIndex = (blocks: readonly StoredBlock[], holds: (block: StoredBlock) => boolean): number => {
  let low = 0
  let high = blocks.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(blocks[middle]!)) high = middle
    else low = middle + 1
  }
  return low
}
