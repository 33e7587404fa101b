import type { Cell } from '../../codec/cell/Cell.ts'
import type { ExtBlkRef } from '../../codec/tlb/BlockInfo.ts'
import {
  type McStateExtra,
  type McStateHistory,
  openMcStateExtra,
  openMcStateHistory,
} from '../../codec/tlb/McStateExtra.ts'
import { openShardState, type ShardStateUnsplit } from '../../codec/tlb/ShardState.ts'
import { type BlockIdExt, formatBlockId } from '../../primitives/BlockId.ts'
import type { ChainStore } from '../store/ChainStore.ts'
import { ChainDataError } from '../store/errors.ts'
import { type NetworkRules, readNetworkRules } from './NetworkRules.ts'

/** The newest masterchain state, opened as far as making the next blocks needs. */
export type MasterView = {
  readonly id: BlockIdExt
  /** How blocks that build on it name it. */
  readonly ref: ExtBlkRef
  readonly root: Cell
  readonly state: ShardStateUnsplit
  readonly extra: McStateExtra
  readonly history: McStateHistory
  readonly rules: NetworkRules
  /** The newest key block up to and including this one. */
  readonly keyBlockSeqno: number
}

export const openMasterView = (store: ChainStore): MasterView => {
  const id = store.head?.id ?? store.zeroState
  const root = getState(store, id)
  const state = openUnsplit(root)
  if (state.custom === undefined) throw new ChainDataError(`The state of ${formatBlockId(id)} is not a masterchain's.`)
  const extra = openMcStateExtra(state.custom)
  const history = openMcStateHistory(extra.history)
  return {
    id,
    ref: { endLt: state.genLt, seqno: id.seqno, rootHash: id.rootHash, fileHash: id.fileHash },
    root,
    state,
    extra,
    history,
    rules: readNetworkRules(extra.config.config),
    keyBlockSeqno: history.afterKeyBlock ? id.seqno : (history.lastKeyBlock?.seqno ?? 0),
  }
}

export const getState = (store: ChainStore, id: BlockIdExt): Cell => {
  const root = store.findState(id)
  if (root === undefined) throw new ChainDataError(`The state of ${formatBlockId(id)} is not in the store.`)
  return root
}

export const openUnsplit = (root: Cell): ShardStateUnsplit => {
  const state = openShardState(root)
  if (state.kind !== 'unsplit') throw new ChainDataError('The state of a block is never a pair of states.')
  return state
}
