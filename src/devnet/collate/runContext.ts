import type { RunContext } from '../../chain/ports.ts'
import { openStateTotals } from '../../codec/tlb/ShardState.ts'
import { previousBlocks } from '../face/previousBlocks.ts'
import type { MasterView } from './MasterView.ts'

/** What contracts see of the network while a block is made on top of a masterchain state. */
export const findRunContext = (
  { id, root, state, rules }: MasterView,
  now: number,
  randomSeed: Uint8Array,
): RunContext => {
  const { libraries } = openStateTotals(state.totals)
  return {
    config: rules.config,
    now,
    randomSeed,
    previousBlocks: previousBlocks(id, root),
    findLibrary: (hash) => libraries.find(hash)?.lib,
  }
}
