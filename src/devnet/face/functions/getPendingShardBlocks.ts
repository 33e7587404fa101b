import type { LiteFunction } from '../LiteFunction.ts'

/** Shard blocks on their way into the masterchain: none are shown here before they have arrived. */
export const getPendingShardBlocks: LiteFunction<'liteServer.nonfinal.getPendingShardBlocks'> = () => ({
  signedBlocks: [],
  candidates: [],
})
