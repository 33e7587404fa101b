import type { PreviousBlocks } from '../../chain/ports.ts'
import { readPreviousBlocks } from '../../chain/shardBlocks.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { findConfigParam } from '../../codec/tlb/config/configParams.ts'
import { openMcStateHistory } from '../../codec/tlb/McStateExtra.ts'
import type { BlockIdExt } from '../../primitives/BlockId.ts'
import { openMasterExtra, openState } from './openState.ts'

// A state serves many runs, and whoever gets the same list again can keep what was made of it.
const known = new WeakMap<Cell, { readonly blocks: PreviousBlocks | undefined }>()

/** The masterchain blocks that code may ask for in a run after this one, which is the newest of them. */
export const previousBlocks = (id: BlockIdExt, state: Cell): PreviousBlocks | undefined => {
  const before = known.get(state)
  if (before !== undefined) return before.blocks
  const { history, config } = openMasterExtra(openState(state))
  const version = findConfigParam(config.config, 8)?.version ?? 0
  const blocks = readPreviousBlocks(id, openMcStateHistory(history), version)
  known.set(state, { blocks })
  return blocks
}
