import type { BlockIdExt } from '../primitives/BlockId.ts'

/** Where raw blocks come from: liteservers, or a node's archive files. */
export interface BlockSource {
  /** The newest masterchain block whose shard blocks are all there too. */
  getHead(signal?: AbortSignal): Promise<BlockIdExt>
  /** The id of a masterchain block; throws BlockNotFoundError where this source does not have it. */
  getMasterchainBlockId(seqno: number, signal?: AbortSignal): Promise<BlockIdExt>
  /** The exact bytes of a block, checked against both hashes of its id. */
  getRawBlock(id: BlockIdExt, signal?: AbortSignal): Promise<Uint8Array>
  /** Each new head as it appears, the present one first. Heads may be skipped over, never repeated or taken back. */
  watchHeads(signal: AbortSignal): AsyncIterable<BlockIdExt>
}
