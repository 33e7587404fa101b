import type pg from 'pg'
import { toHex } from '../../primitives/hex.ts'
import { copyRows } from '../copy/copyRows.ts'
import type { ActionRecord } from '../reader/ActionRecord.ts'
import type { CopyRow } from '../Table.ts'
import type { tables } from '../tables.ts'

/**
 * Adds actions, with the accounts in whose history they are. Their traces are finished, and have none yet; the partitions of
 * the blocks in which they ended are there.
 */
export const writeActions = async (client: pg.ClientBase, actions: readonly ActionRecord[]): Promise<void> => {
  if (actions.length === 0) return
  await copyRows(client, 'actions', actions.map(toRow))
  await copyRows(client, 'action_accounts', actions.flatMap(toAccountRows))
}

const toRow = (action: ActionRecord): CopyRow<typeof tables.actions> => ({
  ...sharedColumns(action),
  start_lt: action.startLt,
  start_utime: action.startUtime,
  success: action.success,
  shown_type: action.shownType,
  transactions: action.transactions,
  accounts: distinct(action.accounts),
  details: action.details,
  raw_action: action.rawAction,
})

const toAccountRows = (action: ActionRecord): CopyRow<typeof tables.action_accounts>[] =>
  distinct(action.accounts).map((account) => ({ ...sharedColumns(action), account }))

const sharedColumns = (action: ActionRecord) => ({
  end_lt: action.endLt,
  end_utime: action.endUtime,
  trace_end_lt: action.traceEndLt,
  trace_end_utime: action.traceEndUtime,
  mc_seqno: action.traceEndSeqno,
  trace_id: action.traceId,
  action_id: action.actionId,
  type: action.type,
  ancestor_types: action.ancestorTypes.length === 0 ? null : action.ancestorTypes,
})

/** An account that is named twice would have the action twice in its history. */
const distinct = (accounts: readonly Uint8Array[]): Uint8Array[] => [
  ...new Map(accounts.map((account) => [toHex(account), account])).values(),
]
