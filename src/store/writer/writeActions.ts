import type pg from 'pg'
import { toHex } from '../../primitives/hex.ts'
import { HASH_START_BYTES } from '../codes/hashStart.ts'
import { packDetails } from '../codes/packDetails.ts'
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

const toRow = (action: ActionRecord): CopyRow<typeof tables.actions> => {
  const accounts = distinct(action.accounts)
  return {
    ...sharedColumns(action),
    trace_id: action.traceId,
    action_id: action.actionId,
    start_lt: action.startLt,
    start_utime: action.startUtime,
    success: action.success,
    shown_type: action.shownType,
    transactions: action.transactions,
    accounts,
    details: packDetails(action.details, accounts),
    raw_action: action.rawAction,
  }
}

const toAccountRows = (action: ActionRecord): CopyRow<typeof tables.action_accounts>[] => {
  const starts = { trace_start: startOf(action.traceId), action_start: startOf(action.actionId) }
  return distinct(action.accounts).map((account) => ({ ...sharedColumns(action), ...starts, account }))
}

const sharedColumns = (action: ActionRecord) => ({
  end_lt: action.endLt,
  end_utime: action.endUtime,
  trace_end_lt: action.traceEndLt,
  trace_end_utime: action.traceEndUtime,
  mc_seqno: action.traceEndSeqno,
  type: action.type,
  ancestor_types: action.ancestorTypes.length === 0 ? null : action.ancestorTypes,
})

/** As much of a hash as tells it from others, and puts it in order among them. */
const startOf = (hash: Uint8Array): Uint8Array => hash.slice(0, HASH_START_BYTES)

/** An account that is named twice would have the action twice in its history. */
const distinct = (accounts: readonly Uint8Array[]): Uint8Array[] => [
  ...new Map(accounts.map((account) => [toHex(account), account])).values(),
]
