import type { BlockIdExt } from '../../primitives/BlockId.ts'
import { toHex } from '../../primitives/hex.ts'
import type { BlockFacts } from './blockFacts.ts'

// Counted in block ids, at some 300 bytes each: what is kept of a masterchain block is as large as its list of shards.
const MAX_IDS = 50_000

const sizeOf = ({ previous, shardTops }: BlockFacts): number => 1 + previous.length + shardTops.length

/** Facts about blocks that were read and checked lately. */
export class FactsCache {
  private readonly facts = new Map<string, BlockFacts>()
  private ids = 0

  find(id: BlockIdExt): BlockFacts | undefined {
    const key = toHex(id.fileHash)
    const found = this.facts.get(key)
    if (found !== undefined) {
      this.facts.delete(key)
      this.facts.set(key, found)
    }
    return found
  }

  add(id: BlockIdExt, facts: BlockFacts): void {
    const key = toHex(id.fileHash)
    if (this.facts.has(key)) return
    this.facts.set(key, facts)
    this.ids += sizeOf(facts)
    for (const [oldest, old] of this.facts) {
      if (this.ids <= MAX_IDS) break
      this.facts.delete(oldest)
      this.ids -= sizeOf(old)
    }
  }
}
