import type { Cell } from '../../codec/cell/Cell.ts'
import { openRaw } from '../../codec/cell/CellReader.ts'
import { openMcStateExtra, openMcStateHistory } from '../../codec/tlb/McStateExtra.ts'
import { openOutMsgQueueInfo } from '../../codec/tlb/OutMsgQueueInfo.ts'
import { openShardAccounts } from '../../codec/tlb/ShardAccounts.ts'
import { openStateTotals } from '../../codec/tlb/ShardState.ts'
import { openUnsplit } from './MasterView.ts'

// What is entered here decides how large the state update of a block is, not what it says: below the cells entered it refers
// to the old state, and repeats what it cannot refer to.

/** Enters the cells of a state that every block changes. */
export const visitState = (root: Cell): void => {
  const { outMsgQueueInfo, accounts, totals, custom } = openUnsplit(root)
  openOutMsgQueueInfo(outMsgQueueInfo)
  openShardAccounts(accounts)
  openStateTotals(totals)
  if (custom !== undefined) openMcStateHistory(openMcStateExtra(custom).history)
}

const MAX_DEPTH = 5
const MAX_CELLS = 64

/** Enters the upper cells of an account that has changed, so that its code above all is not repeated. */
export const visitAccount = (account: Cell): void => {
  let cells = 0
  const visit = (cell: Cell, depth: number): void => {
    if (cell.refCount === 0 || cells++ >= MAX_CELLS) return
    openRaw(cell)
    if (depth < MAX_DEPTH) for (let k = 0; k < cell.refCount; k++) visit(cell.ref(k), depth + 1)
  }
  visit(account, 0)
}
