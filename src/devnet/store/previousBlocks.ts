import type { PreviousBlocks } from '../../chain/ports.ts'
import { readPreviousBlocks } from '../../chain/shardBlocks.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { findConfigParam } from '../../codec/tlb/config/configParams.ts'
import { openMcStateExtra, openMcStateHistory } from '../../codec/tlb/McStateExtra.ts'
import { openShardState } from '../../codec/tlb/ShardState.ts'
import type { BlockIdExt } from '../../primitives/BlockId.ts'
import { LruCache } from '../../primitives/LruCache.ts'
import { ChainDataError } from './errors.ts'

// One state serves many runs: callers that get the same list again can cache what they derive from it. That is 70 KB for each state, and
// the store keeps a thousand of them.
const known = new LruCache<{ readonly blocks: PreviousBlocks | undefined }, Cell>(8)

/** The masterchain blocks that code may ask for in a run after this one, which is the newest of them. */
export const previousBlocks = (id: BlockIdExt, state: Cell): PreviousBlocks | undefined => {
  const before = known.find(state)
  if (before !== undefined) return before.blocks
  const opened = openShardState(state)
  if (opened.kind !== 'unsplit' || opened.custom === undefined) {
    throw new ChainDataError('Expected the state of a masterchain block, but it has no masterchain part.')
  }
  const { history, config } = openMcStateExtra(opened.custom)
  const version = findConfigParam(config.config, 8)?.version ?? 0
  const blocks = readPreviousBlocks(id, openMcStateHistory(history), version)
  known.set(state, { blocks })
  return blocks
}
