import { BlockNotFoundError, NodeAnswerError } from '../../chain/errors.ts'
import { listNewShardBlocks } from '../../chain/shardBlocks.ts'
import type { BlockIdExt } from '../../primitives/BlockId.ts'
import { toHex } from '../../primitives/hex.ts'
import { LruCache } from '../../primitives/LruCache.ts'
import type { ArchiveFolder } from './ArchiveFolder.ts'
import { type BlockFacts, readBlockFacts } from './blockFacts.ts'
import type { BlockStatus } from './findNewestHead.ts'

/** A masterchain block that may be a head: it and every shard block it includes were read and checked. */
export type ArchiveHead = { readonly id: BlockIdExt; readonly previous: BlockIdExt }

const MAX_FACTS_BYTES = 16 * 1024 * 1024
const ID_BYTES = 320

/** Tells which masterchain blocks have all their shard blocks in the archive. */
export class ArchiveHeads {
  private readonly folder: ArchiveFolder
  private readonly facts = new LruCache<BlockFacts>(MAX_FACTS_BYTES)

  constructor(folder: ArchiveFolder) {
    this.folder = folder
  }

  async findSeqnoUpTo(seqno: number): Promise<number | undefined> {
    return (await this.folder.findMasterchainBlock(seqno))?.seqno
  }

  /** `unknown` where the block or the one before it is absent, so that nobody can say what it includes. */
  async getStatus(seqno: number): Promise<BlockStatus> {
    const examined = await this.examine(seqno)
    return typeof examined === 'string' ? examined : 'complete'
  }

  async findHead(seqno: number): Promise<ArchiveHead | undefined> {
    const examined = await this.examine(seqno)
    return typeof examined === 'string' ? undefined : examined
  }

  private async examine(seqno: number): Promise<ArchiveHead | Exclude<BlockStatus, 'complete'>> {
    const id = await this.folder.findMasterchainBlock(seqno)
    if (id?.seqno !== seqno) return 'unknown'
    try {
      const { previous, shardTops } = await this.getFacts(id, seqno)
      const [before] = previous
      if (before === undefined) return 'unknown'
      // The zero state has no list of shards: all that the first block includes is new.
      const tops = before.seqno === 0 ? [] : (await this.findPreviousFacts(before))?.shardTops
      if (tops === undefined) return 'unknown'
      await listNewShardBlocks(tops, shardTops, async (block) => (await this.getFacts(block, seqno)).previous)
      return { id, previous: before }
    } catch (error) {
      // Not there yet, or not all of it: a later look may find more.
      if (error instanceof BlockNotFoundError || error instanceof NodeAnswerError) return 'incomplete'
      throw error
    }
  }

  private async findPreviousFacts(id: BlockIdExt): Promise<BlockFacts | undefined> {
    try {
      return await this.getFacts(id, id.seqno)
    } catch (error) {
      if (error instanceof BlockNotFoundError) return undefined
      throw error
    }
  }

  private async getFacts(id: BlockIdExt, near: number): Promise<BlockFacts> {
    const key = toHex(id.fileHash)
    const known = this.facts.find(key)
    // That it was there once is not enough: a package may have been cut since.
    if (known !== undefined && (await this.folder.hasBlock(id, near))) return known
    const facts = await this.folder.findEntry(
      'block',
      id,
      (bytes) => readBlockFacts(id, bytes, this.folder.fileHashOnly),
      {
        near,
      },
    )
    if (facts === undefined) throw new BlockNotFoundError(id)
    this.facts.set(key, facts, ID_BYTES * (1 + facts.previous.length + facts.shardTops.length))
    return facts
  }
}
