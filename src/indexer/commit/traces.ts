import type pg from 'pg'
import { toHex } from '../../primitives/hex.ts'
import { isLongTrace, STORED_MESSAGE_KIND } from '../../store/schema/codes.ts'
import type { CopyRow } from '../../store/schema/columns.ts'
import { idParts, isAnyId } from '../../store/schema/idParts.ts'
import type { Tables, tables } from '../../store/schema/tables.ts'
import { addUnclassified } from '../../store/writer/actions.ts'
import { copyRows } from '../../store/writer/copyRows.ts'
import type { IndexBatch, LinkedTraces, OpenMessage, OpenTrace, OpenTraces, Trace } from '../IndexBatch.ts'
import { StaleIndexError } from './indexState.ts'

type FinishedRow = CopyRow<typeof tables.traces>
type OpenRow = CopyRow<typeof tables.open_traces>

const sharedColumns = (trace: Trace) => ({
  start_lt: trace.startLt,
  end_lt: trace.endLt,
  mc_seqno_start: trace.startSeqno,
  start_utime: trace.startUtime,
  end_utime: trace.endUtime,
  transactions: trace.transactions,
  messages: trace.messages,
  trace_id: trace.traceId,
})

export const toFinishedRow = (trace: Trace): FinishedRow => ({ ...sharedColumns(trace), mc_seqno: trace.endSeqno })

export const toOpenRow = (trace: OpenTrace): OpenRow => ({
  ...sharedColumns(trace),
  mc_seqno_end: trace.endSeqno,
  pending: trace.pending,
  orphan_hash: trace.orphanHash,
})

const toOpenTrace = (row: Tables['open_traces']): OpenTrace => ({
  startLt: row.start_lt,
  endLt: row.end_lt,
  startSeqno: row.mc_seqno_start,
  endSeqno: row.mc_seqno_end,
  startUtime: row.start_utime,
  endUtime: row.end_utime,
  transactions: row.transactions,
  messages: row.messages,
  traceId: row.trace_id,
  pending: row.pending,
  orphanHash: row.orphan_hash ?? undefined,
})

/** Updates stored traces for a batch, other than the rows of the batch itself. */
export const changeTraces = async (
  client: pg.ClientBase,
  { blockSets, linked }: Pick<IndexBatch, 'blockSets' | 'linked'>,
): Promise<void> => {
  const { finished, touched, arrived, renamed } = linked
  const [firstSeqno, lastSeqno] = [blockSets[0]!.seqno, blockSets.at(-1)!.seqno]
  await deleteArrived(client, arrived)
  await rename(client, renamed)
  // Traces that started in the batch were never stored as open.
  const others = [...finished, ...touched].filter(({ startSeqno: at }) => at < firstSeqno || at > lastSeqno)
  const gone = others.map(({ traceId }) => traceId).concat(renamed.map(({ from }) => from))
  if (gone.length > 0) await client.query('DELETE FROM open_traces WHERE trace_id = ANY ($1::bytea[])', [gone])
  if (touched.length > 0) await copyRows(client, 'open_traces', touched.map(toOpenRow))
  if (finished.length === 0) return
  await addUnclassified(
    client,
    finished.map(({ endSeqno }) => endSeqno),
  )
}

/** A received message is stored with its transaction instead. */
const deleteArrived = async (client: pg.ClientBase, arrived: LinkedTraces['arrived']): Promise<void> => {
  if (arrived.length === 0) return
  const seqnos = arrived.map(({ seqno }) => seqno)
  // Not a join: without statistics the planner may start with the wrong table. By lt, since the index takes a list of those; the
  // bounds prune partitions.
  const { rowCount } = await client.query(
    `DELETE FROM unreceived_messages
     WHERE created_lt = ANY ($1::bigint[]) AND hash = ANY ($2::bytea[]) AND mc_seqno BETWEEN $3 AND $4`,
    [
      arrived.map(({ createdLt }) => createdLt),
      arrived.map(({ hash }) => hash),
      seqnos.reduce((a, b) => Math.min(a, b)),
      seqnos.reduce((a, b) => Math.max(a, b)),
    ],
  )
  if (rowCount === arrived.length) return
  throw new StaleIndexError(`Of ${arrived.length} received messages, ${rowCount} were pending.`)
}

/** Gives the transactions and pending messages of orphans the id of their trace. */
const rename = async (client: pg.ClientBase, renamed: LinkedTraces['renamed']): Promise<void> => {
  if (renamed.length === 0) return
  const names = Object.fromEntries(renamed.map(({ from, to }) => [toHex(from), toHex(to)]))
  const values = [renamed.map(({ from }) => from), JSON.stringify(names)]
  const { rowCount } = await client.query(renameStatement('transactions', isAnyId('trace_id', '$1', '$3')), [
    ...values,
    idParts(renamed.map(({ from }) => from)),
  ])
  if ((rowCount ?? 0) < renamed.length) {
    throw new StaleIndexError(`Of ${renamed.length} merged orphan traces, only ${rowCount} transactions were found.`)
  }
  await client.query(renameStatement('unreceived_messages', 'trace_id = ANY ($1::bytea[])'), values)
}

// Not a join either.
const renameStatement = (table: string, condition: string): string =>
  `UPDATE ${table} SET trace_id = decode($2::jsonb ->> encode(trace_id, 'hex'), 'hex') WHERE ${condition}`

/** The accounts of traces, by the hexadecimal trace id. */
export type TraceAccounts = ReadonlyMap<string, readonly Uint8Array[]>

/** The accounts of traces whose transactions are all indexed. */
export const findTraceAccounts = async (client: pg.ClientBase, traces: readonly Trace[]): Promise<TraceAccounts> => {
  const ids = traces.map(({ traceId }) => traceId)
  const { rows } = await client.query<{ trace_id: Uint8Array; account: Uint8Array }>(
    `SELECT DISTINCT trace_id, account FROM transactions
     WHERE ${isAnyId('trace_id', '$1', '$4')} AND mc_seqno BETWEEN $2 AND $3`,
    [
      ids,
      traces.reduce((least, { startSeqno }) => Math.min(least, startSeqno), Number.POSITIVE_INFINITY),
      traces.reduce((most, { endSeqno }) => Math.max(most, endSeqno), 0),
      idParts(ids),
    ],
  )
  const accounts = new Map<string, Uint8Array[]>()
  for (const { trace_id, account } of rows) {
    const id = toHex(trace_id)
    const others = accounts.get(id)
    if (others === undefined) accounts.set(id, [account])
    else others.push(account)
  }
  return accounts
}

/** Stores long traces by the accounts of their transactions, which are all indexed. */
export const copyLongTraces = async (
  client: pg.ClientBase,
  finished: readonly Trace[],
  known?: TraceAccounts,
): Promise<void> => {
  const long = finished.filter(isLongTrace)
  if (long.length === 0) return
  const accounts = known ?? (await findTraceAccounts(client, long))
  await copyRows(
    client,
    'long_traces',
    long.flatMap((trace) =>
      (accounts.get(toHex(trace.traceId)) ?? []).map((account) => ({ ...toFinishedRow(trace), account })),
    ),
  )
}

/**
 * The open traces and orphans of a covered range, with their pending messages. A batch that joins two ranges needs those of both:
 * from the start of the lower to the end of the upper one.
 */
export const loadOpenTraces = async (
  client: pg.ClientBase,
  { firstSeqno, lastSeqno }: { readonly firstSeqno: number; readonly lastSeqno: number },
): Promise<OpenTraces> => {
  const { rows: traces } = await client.query<Tables['open_traces']>(
    'SELECT * FROM open_traces WHERE mc_seqno_end BETWEEN $1 AND $2 ORDER BY start_lt, trace_id',
    [firstSeqno, lastSeqno],
  )
  const pending = traces.filter((trace) => trace.pending > 0)
  const messages: MessageRow[] = []
  for (let at = 0; at < pending.length; at += STEP) {
    const traceIds = pending.slice(at, at + STEP).map(({ trace_id }) => trace_id)
    for (const row of await readMessages(client, traceIds)) messages.push(row)
  }
  return { traces: traces.map(toOpenTrace), messages: messages.map(toOpenMessage) }
}

const STEP = 5000

type MessageRow = Pick<Tables['unreceived_messages'], 'hash' | 'trace_id' | 'account' | 'created_lt' | 'mc_seqno'>

const readMessages = async (client: pg.ClientBase, traceIds: readonly Uint8Array[]): Promise<MessageRow[]> => {
  const { rows } = await client.query<MessageRow>(
    `SELECT u.hash, u.trace_id, u.account, u.created_lt, u.mc_seqno FROM unreceived_messages u, index_state s
     WHERE u.trace_id = ANY ($1::bytea[]) AND u.bits & 7 = ${STORED_MESSAGE_KIND.internal}
       AND (s.watched_accounts IS NULL OR u.destination = ANY (s.watched_accounts))
     ORDER BY u.created_lt, u.account`,
    [traceIds],
  )
  return rows
}

const toOpenMessage = (row: MessageRow): OpenMessage => ({
  hash: row.hash,
  traceId: row.trace_id,
  account: row.account,
  createdLt: row.created_lt,
  seqno: row.mc_seqno,
})
