import type { Cell } from '../../codec/cell/Cell.ts'
import { MAX_MERKLE_DEPTH, measureTrees } from './cellTrees.ts'
import { countPublicLibraries } from './dictionaries.ts'
import type { TransactionState } from './TransactionState.ts'

const isSame = (a: Cell | undefined, b: Cell | undefined): boolean =>
  a === undefined || b === undefined ? a === b : a.equals(b)

/** Whether code, data and libraries have become too large for an account. */
export const exceedsStateLimits = (tx: TransactionState, maxPublicLibraries: number): boolean => {
  const { original, version, isMasterchain } = tx
  const old = original?.state.kind === 'active' ? original.state.init : undefined
  const keepsLibrary = isSame(old?.library, tx.library)
  if (keepsLibrary && isSame(old?.code, tx.code) && isSame(old?.data, tx.data)) return false
  const { limits } = tx.config
  const maxCells = isMasterchain && version >= 12 ? limits.maxMcAccountStateCells : limits.maxAccountStateCells
  const trees = measureTrees([tx.code, tx.data, tx.library], maxCells)
  if (trees.isOverLimit || trees.merkleDepth > MAX_MERKLE_DEPTH) return true
  return isMasterchain && !keepsLibrary && countPublicLibraries(tx.library) > maxPublicLibraries
}
