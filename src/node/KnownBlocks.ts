import { type BlockId, type BlockIdExt, masterchain } from '../primitives/BlockId.ts'
import { LruCache } from '../primitives/LruCache.ts'
import { blockIdsEqual } from './proofs/unwrapProof.ts'

const MAX_KNOWN = 16_384

/** Ids of proven blocks by their seqno: what was proven once need not be looked up again. */
export class KnownBlocks {
  private readonly ids = new LruCache<BlockIdExt>(MAX_KNOWN)

  find({ workchain, shard, seqno }: BlockId): BlockIdExt | undefined {
    return this.ids.find(keyOf(workchain, shard, seqno))
  }

  has(id: BlockIdExt): boolean {
    const known = this.find(id)
    return known !== undefined && blockIdsEqual(known, id)
  }

  /** `asked` is the shard or account prefix by which the block was found, where that is not its own shard. */
  add(id: BlockIdExt, asked: bigint = id.shard): void {
    const key = keyOf(id.workchain, asked, id.seqno)
    if (this.ids.find(key) === undefined) this.ids.set(key, id)
  }

  /** Zerostates are left out: no block is there to be looked up. */
  addAll(ids: readonly BlockIdExt[]): void {
    for (const id of ids) if (id.seqno > 0) this.add(id)
  }
}

const keyOf = (workchain: number, shard: bigint, seqno: number): string =>
  workchain === masterchain ? `${seqno}` : `${workchain}:${shard}:${seqno}`
