import { type BlockIdExt, formatBlockIdExt } from '../../primitives/BlockId.ts'
import { LruCache } from '../../primitives/LruCache.ts'

/** Enough for the units that are fetched at once, and for those that come next to them. */
const MAX_KNOWN = 1024

/** Masterchain blocks of which the id is known from a head or from the block after, and those whose list of shards was read. */
export class KnownMasters {
  private readonly ids = new LruCache<BlockIdExt, number>(MAX_KNOWN)
  private readonly tops = new LruCache<Promise<readonly BlockIdExt[]>>(MAX_KNOWN)

  findId(seqno: number): BlockIdExt | undefined {
    return this.ids.find(seqno)
  }

  addId(id: BlockIdExt): void {
    if (id.seqno > 0) this.ids.set(id.seqno, id)
  }

  add(id: BlockIdExt, tops: readonly BlockIdExt[]): void {
    this.addId(id)
    this.tops.set(formatBlockIdExt(id), Promise.resolve(tops))
  }

  /** The shards of a block: known, being read for another, or read now. */
  getTops(id: BlockIdExt, read: () => Promise<readonly BlockIdExt[]>): Promise<readonly BlockIdExt[]> {
    const key = formatBlockIdExt(id)
    const before = this.tops.find(key)
    // Whoever reads it may give up where this caller would not.
    if (before !== undefined) return before.catch(() => this.getTops(id, read))
    const reading = read()
    this.tops.set(key, reading)
    reading.catch(() => {
      if (this.tops.find(key) === reading) this.tops.delete(key)
    })
    return reading
  }

  /** Forgets a block and the one before it. */
  forget(seqno: number): void {
    for (const each of [seqno, seqno - 1]) {
      const id = this.ids.find(each)
      if (id !== undefined) this.tops.delete(formatBlockIdExt(id))
      this.ids.delete(each)
    }
  }

  clear(): void {
    this.ids.clear()
    this.tops.clear()
  }
}
