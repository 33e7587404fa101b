import type { Cell } from '../../../codec/cell/Cell.ts'
import { visitEntries } from '../../../codec/cell/Dict.ts'
import { encodeBoc } from '../../../codec/cell/encodeBoc.ts'
import { openMcStateHistory } from '../../../codec/tlb/McStateExtra.ts'
import type { LiteFunction } from '../LiteFunction.ts'
import { LiteRefusal, REQUEST_ERROR } from '../LiteRefusal.ts'
import { proveState } from '../merkle.ts'
import { openMasterExtra, openState } from '../openState.ts'
import { loadMasterBlockAndState } from '../referenceBlock.ts'
import { proveStateRoot } from '../stateRootProof.ts'

const START_AFTER = 1
/** The key to start after is a part of the page itself. */
const INCLUSIVE = 2
/** A time to filter by is taken, and has no effect. */
const MODIFIED_AFTER = 4
const MAX_ENTRIES = 1000

type Page = { readonly count: number; readonly complete: boolean }

/** Who made how many blocks: a page by the creators' keys. It is complete only where its end was seen. */
export const getValidatorStats: LiteFunction<'liteServer.getValidatorStats'> = ({ store }, args) => {
  const { mode, id, limit, startAfter } = args
  if (limit <= 0) throw new LiteRefusal(REQUEST_ERROR, 'requested entry count limit must be positive')
  if ((mode & ~(START_AFTER | INCLUSIVE | MODIFIED_AFTER)) !== 0) {
    throw new LiteRefusal(REQUEST_ERROR, 'unknown flags set in mode')
  }
  const { root, state } = loadMasterBlockAndState(store, id)
  const { value: page, proof } = proveState(state, (stateRoot) =>
    readPage(stateRoot, startAfter, (mode & INCLUSIVE) !== 0, Math.min(limit, MAX_ENTRIES)),
  )
  return { mode, id, ...page, stateProof: encodeBoc([proveStateRoot(root)]), dataProof: encodeBoc([proof]) }
}

const readPage = (state: Cell, start: Uint8Array | undefined, inclusive: boolean, limit: number): Page => {
  const { blockCreateStats } = openMcStateHistory(openMasterExtra(openState(state)).history)
  if (blockCreateStats?.kind !== 'plain') {
    throw new LiteRefusal(REQUEST_ERROR, 'cannot extract block create stats from mc state')
  }
  const { creators } = blockCreateStats
  let count = inclusive && start !== undefined && creators.find(start) !== undefined ? 1 : 0
  if (count === limit) return { count, complete: false }
  const complete = visitEntries(creators, start === undefined ? {} : { after: start }, () => ++count < limit)
  return { count, complete }
}
