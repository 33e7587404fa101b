import { type BlockIdExt, formatBlockIdExt } from '../../primitives/BlockId.ts'

/** Enough for the units that are fetched at once, and for those that come next to them. */
const MAX_KNOWN = 1024

/** Masterchain blocks of which the id is known from a head or from the block after, and those whose list of shards was read. */
export class KnownMasters {
  private readonly ids = new Map<number, BlockIdExt>()
  private readonly tops = new Map<string, Promise<readonly BlockIdExt[]>>()

  findId(seqno: number): BlockIdExt | undefined {
    return this.ids.get(seqno)
  }

  addId(id: BlockIdExt): void {
    if (id.seqno === 0) return
    this.ids.delete(id.seqno)
    this.ids.set(id.seqno, id)
    dropOldest(this.ids)
  }

  add(id: BlockIdExt, tops: readonly BlockIdExt[]): void {
    this.addId(id)
    this.keepTops(formatBlockIdExt(id), Promise.resolve(tops))
  }

  /** The shards of a block: known, being read for another, or read now. */
  getTops(id: BlockIdExt, read: () => Promise<readonly BlockIdExt[]>): Promise<readonly BlockIdExt[]> {
    const key = formatBlockIdExt(id)
    const before = this.tops.get(key)
    // Whoever reads it may give up where this caller would not.
    if (before !== undefined) return before.catch(() => this.getTops(id, read))
    const reading = read()
    this.keepTops(key, reading)
    reading.catch(() => {
      if (this.tops.get(key) === reading) this.tops.delete(key)
    })
    return reading
  }

  /** Forgets a block and the one before it. */
  forget(seqno: number): void {
    for (const each of [seqno, seqno - 1]) {
      const id = this.ids.get(each)
      if (id !== undefined) this.tops.delete(formatBlockIdExt(id))
      this.ids.delete(each)
    }
  }

  clear(): void {
    this.ids.clear()
    this.tops.clear()
  }

  private keepTops(key: string, tops: Promise<readonly BlockIdExt[]>): void {
    this.tops.delete(key)
    this.tops.set(key, tops)
    dropOldest(this.tops)
  }
}

const dropOldest = (entries: Map<unknown, unknown>): void => {
  if (entries.size <= MAX_KNOWN) return
  for (const key of entries.keys()) {
    entries.delete(key)
    return
  }
}
