import type { Cell } from '../../codec/cell/Cell.ts'
import { type McStateExtra, openMcStateExtra, openMcStateHistory } from '../../codec/tlb/McStateExtra.ts'
import {
  openShardState,
  openStateTotals,
  type ShardStateUnsplit,
  type StateTotals,
} from '../../codec/tlb/ShardState.ts'
import { LiteRefusal, REQUEST_ERROR } from './LiteRefusal.ts'

/** A state as a node unpacks it: with its totals, which its proofs therefore hold. */
export type OpenedState = ShardStateUnsplit & { readonly opened: StateTotals }

export const openState = (root: Cell): OpenedState => {
  const state = openShardState(root)
  if (state.kind !== 'unsplit') throw new LiteRefusal(REQUEST_ERROR, 'cannot unpack state header')
  return { ...state, opened: openStateTotals(state.totals) }
}

/** What only a masterchain state has, again as a node unpacks it: with its history. */
export const openMasterExtra = ({ custom }: ShardStateUnsplit): McStateExtra => {
  if (custom === undefined) throw new LiteRefusal(REQUEST_ERROR, 'cannot extract ShardHashes from last mc state')
  const extra = openMcStateExtra(custom)
  openMcStateHistory(extra.history)
  return extra
}
