import type { BlockIdExt } from '../primitives/BlockId.ts'

export type RawBlock = { readonly id: BlockIdExt; readonly bytes: Uint8Array }

/** What is indexed at once: a masterchain block and the shard blocks that it is the first to include, as they came. */
export type RawUnit = {
  readonly seqno: number
  readonly masterchain: RawBlock
  /** Such that a block comes after those it follows. */
  readonly shards: readonly RawBlock[]
  /** The newest block of every shard as the masterchain block names them. */
  readonly tops: readonly BlockIdExt[]
  /** The bytes of the blocks are nobody else's: whoever decodes the unit may take them away. */
  readonly isOwn?: boolean
}
