import type { BlockIdExt } from '../../primitives/BlockId.ts'

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
