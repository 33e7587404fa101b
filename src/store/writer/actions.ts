import type pg from 'pg'
import { toHex } from '../../primitives/hex.ts'
import type { ActionRecord } from '../reader/actions.ts'
import { HASH_START_BYTES, packDetails } from '../schema/codes.ts'
import type { CopyRow } from '../schema/columns.ts'
import type { tables } from '../schema/tables.ts'
import { copyRows } from './copyRows.ts'

/** Queues the traces that ended in these masterchain blocks for classification. */
export const addUnclassified = async (client: pg.ClientBase, seqnos: Iterable<number>): Promise<void> => {
  const distinct = [...new Set(seqnos)]
  if (distinct.length === 0) return
  await client.query('INSERT INTO unclassified_blocks SELECT unnest($1::int[])', [distinct])
}

/** Queues all indexed blocks of a range in which traces ended, and returns how many. */
export const addUnclassifiedRange = async (client: pg.ClientBase, from: number, to: number): Promise<number> => {
  const { rowCount } = await client.query(
    'INSERT INTO unclassified_blocks SELECT DISTINCT mc_seqno FROM traces WHERE mc_seqno BETWEEN $1 AND $2',
    [from, to],
  )
  return rowCount ?? 0
}

/** Queued blocks, and the ids of their queue rows. */
export type Unclassified = { readonly seqnos: readonly number[]; readonly rows: readonly string[] }

/** The newest queued blocks, at most `limit`. */
export const listUnclassified = async (client: pg.ClientBase, limit: number): Promise<Unclassified> => {
  const { rows } = await client.query<{ mc_seqno: number; row: string }>(
    `SELECT mc_seqno, ctid::text AS row FROM unclassified_blocks WHERE mc_seqno IN
       (SELECT DISTINCT mc_seqno FROM unclassified_blocks ORDER BY mc_seqno DESC LIMIT $1)`,
    [limit],
  )
  return { seqnos: [...new Set(rows.map(({ mc_seqno }) => mc_seqno))], rows: rows.map(({ row }) => row) }
}

/** Removes these queue rows, and none added since. */
export const removeUnclassified = async (client: pg.ClientBase, { rows }: Unclassified): Promise<void> => {
  await client.query('DELETE FROM unclassified_blocks WHERE ctid = ANY ($1::tid[])', [rows])
}

/** Notes why the classifier fails, with the time of the first failure, or that it works again. */
export const noteClassifier = async (client: pg.ClientBase, failure: string | undefined): Promise<void> => {
  if (failure === undefined) {
    await client.query(
      `UPDATE index_state SET classifier_failing_since = NULL, classifier_failure = NULL
       WHERE classifier_failing_since IS NOT NULL`,
    )
  } else {
    await client.query(
      `UPDATE index_state SET classifier_failing_since = coalesce(classifier_failing_since, now()), classifier_failure = $1`,
      [failure],
    )
  }
}

/** Adds actions and their account history. Their traces are finished and have no actions yet; the partitions exist. */
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

/** A prefix that identifies a hash and keeps the order of hashes. */
const startOf = (hash: Uint8Array): Uint8Array => hash.slice(0, HASH_START_BYTES)

/** An account named twice would have the action twice in its history. */
const distinct = (accounts: readonly Uint8Array[]): Uint8Array[] => [
  ...new Map(accounts.map((account) => [toHex(account), account])).values(),
]
