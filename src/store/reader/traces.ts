import { type CompiledQuery, sql } from 'kysely'
import { compareBytes } from '../../primitives/bytes.ts'
import type { Reader } from '../connect/Database.ts'
import { batchReads } from '../connect/QueryBatcher.ts'
import type { TraceSpan } from '../schema/codes.ts'
import { idPart, idParts, isAnyId, isId } from '../schema/idParts.ts'
import { queryBuilder, type Tables } from '../schema/tables.ts'
import {
  applyPage,
  cutPage,
  type KeyValue,
  type Order,
  type OrderColumn,
  type Page,
  type Paged,
  toInt4,
  toInt8,
} from './page.ts'
import { isAnyOf, rawQuery } from './sql.ts'
import { inLtOrder, keyText, type TransactionRow } from './TransactionRecord.ts'

/** A finished trace. */
export type TraceRecord = TraceSpan & {
  /** The hash of its first transaction. */
  readonly traceId: Uint8Array
  readonly transactions: number
  readonly messages: number
  /** On a cluster, those of its transactions; `undefined` if they are many, or not read. */
  readonly accounts?: readonly Uint8Array[] | undefined
}

export const traceColumns = [
  'start_lt',
  'end_lt',
  'mc_seqno_start',
  'mc_seqno',
  'start_utime',
  'end_utime',
  'transactions',
  'messages',
  'trace_id',
] as const satisfies readonly (keyof Tables['traces'])[]

type TraceRow = Tables['traces'] & { readonly accounts?: readonly Uint8Array[] | null }

export const toTraceRecord = (row: TraceRow): TraceRecord => ({
  traceId: row.trace_id,
  startLt: row.start_lt,
  endLt: row.end_lt,
  startUtime: row.start_utime,
  endUtime: row.end_utime,
  startSeqno: row.mc_seqno_start,
  endSeqno: row.mc_seqno,
  transactions: row.transactions,
  messages: row.messages,
  ...(row.accounts && { accounts: row.accounts }),
})

/** Window of trace ends, both ends included, and order: by time if the window has times. */
export type TraceWindow = {
  readonly startUtime: number | undefined
  readonly endUtime: number | undefined
  readonly startLt: bigint | undefined
  readonly endLt: bigint | undefined
  readonly direction: 'asc' | 'desc'
}

export const isByTime = ({ startUtime, endUtime }: TraceWindow): boolean =>
  startUtime !== undefined || endUtime !== undefined

export const traceOrder = (window: TraceWindow): Order => {
  const column = (name: string): OrderColumn => ({ column: name, direction: window.direction })
  return isByTime(window)
    ? { name: `traces by time ${window.direction}`, columns: [column('end_utime'), column('trace_id')] }
    : { name: `traces by lt ${window.direction}`, columns: [column('end_lt'), column('trace_id')] }
}

/** Its sort key. */
export const traceKey = (window: TraceWindow, { endLt, endUtime, traceId }: TraceRecord): readonly KeyValue[] => [
  isByTime(window) ? endUtime : endLt,
  traceId,
]

type Bound = { readonly column: 'lt' | 'utime'; readonly operator: '>=' | '<='; readonly value: bigint | number }

/** The conditions of a window on trace ends. */
export const windowBounds = ({ startUtime, endUtime, startLt, endLt }: TraceWindow): Bound[] => [
  ...(startUtime === undefined ? [] : [{ column: 'utime', operator: '>=', value: toInt4(startUtime) } as const]),
  ...(endUtime === undefined ? [] : [{ column: 'utime', operator: '<=', value: toInt4(endUtime) } as const]),
  ...(startLt === undefined ? [] : [{ column: 'lt', operator: '>=', value: toInt8(startLt) } as const]),
  ...(endLt === undefined ? [] : [{ column: 'lt', operator: '<=', value: toInt8(endLt) } as const]),
]

export type BlockTrace = { readonly traceId: Uint8Array; readonly startSeqno: number }

export const blockTracesQuery = (mcSeqno: number) =>
  queryBuilder.selectFrom('traces').select(['trace_id', 'mc_seqno_start']).where('mc_seqno', '=', mcSeqno)

/** The traces that ended in a masterchain block. */
export const findBlockTraces = async (reader: Reader, mcSeqno: number): Promise<BlockTrace[]> => {
  const rows = await reader.read(blockTracesQuery(mcSeqno).compile())
  return rows.map(({ trace_id, mc_seqno_start }) => ({ traceId: trace_id, startSeqno: mc_seqno_start }))
}

export const joinedTracesQuery = (account: Uint8Array, traceIds: readonly Uint8Array[], first: number, last: number) =>
  queryBuilder
    .selectFrom('transactions')
    .select('trace_id')
    .where(sql<boolean>`${sql.raw(idPart('trace_id'))} = any(${sql.val(idParts(traceIds))})`)
    .where(isAnyOf('trace_id', traceIds))
    .where('account', '=', account)
    .where('mc_seqno', '>=', first)
    .where('mc_seqno', '<=', last)

/** The traces of a block in which an account has a transaction. */
export const findJoinedTraces = async (reader: Reader, account: Uint8Array, mcSeqno: number): Promise<Uint8Array[]> => {
  const traces = await findBlockTraces(reader, mcSeqno)
  if (traces.length === 0) return []
  const first = traces.reduce((least, { startSeqno }) => Math.min(least, startSeqno), mcSeqno)
  const ids = traces.map(({ traceId }) => traceId)
  const rows = await reader.read(joinedTracesQuery(account, ids, first, mcSeqno).compile())
  return rows.map(({ trace_id }) => trace_id)
}

/** Reads a few partitions. */
export const traceTransactionsQuery = (traces: readonly TraceRecord[]): CompiledQuery<TransactionRow> => {
  const ids = traces.map(({ traceId }) => traceId)
  return rawQuery(
    `select * from transactions where ${isAnyId('trace_id', '$1', '$4')} and mc_seqno >= $2 and mc_seqno <= $3
    order by lt asc, account asc`,
    [
      ids,
      Math.min(...traces.map(({ startSeqno }) => startSeqno)),
      Math.max(...traces.map(({ endSeqno }) => endSeqno)),
      idParts(ids),
    ],
  )
}

/** The transactions of one trace on a cluster, in any order: the accounts name the workers. */
export const routedTransactionsQuery = (
  { traceId, startSeqno, endSeqno }: TraceRecord,
  accounts: readonly Uint8Array[],
): CompiledQuery<TransactionRow> =>
  rawQuery(
    `select * from transactions where account = any($1::bytea[]) and ${isId('trace_id', '$2::bytea')}
      and mc_seqno >= $3 and mc_seqno <= $4`,
    [accounts, traceId, startSeqno, endSeqno],
  )

/** Several traces have transactions on all workers, and are one statement there. */
const findOnWorkers = async (reader: Reader, traces: readonly TraceRecord[]): Promise<TransactionRow[]> => {
  const [only, ...others] = traces
  const accounts = others.length === 0 ? only!.accounts : undefined
  if (accounts === undefined) return reader.read(traceTransactionsQuery(traces))
  return (await reader.read(routedTransactionsQuery(only!, accounts))).toSorted(inLtOrder('asc'))
}

/** The same in any order, each trace within its own bounds: traces of one batch may be far apart. */
export const scatteredTransactionsQuery = (traces: readonly TraceRecord[]): CompiledQuery<TransactionRow> => {
  const firsts = traces.map(({ startSeqno }) => startSeqno)
  const lasts = traces.map(({ endSeqno }) => endSeqno)
  return rawQuery(
    `select t.* from unnest($1::bytea[], $2::integer[], $3::integer[]) as w(trace_id, first_seqno, last_seqno) cross join lateral (
      select * from transactions as t where ${isId('t.trace_id', 'w.trace_id')} and t.mc_seqno >= w.first_seqno and t.mc_seqno <= w.last_seqno
        and t.mc_seqno >= $4 and t.mc_seqno <= $5 offset 0
    ) as t`,
    [traces.map(({ traceId }) => traceId), firsts, lasts, Math.min(...firsts), Math.max(...lasts)],
  )
}

const readScattered = batchReads<TraceRecord, TransactionRow>(
  {
    queryOf: scatteredTransactionsQuery,
    textOf: ({ traceId }) => keyText(traceId),
    textOfRow: ({ trace_id }) => keyText(trace_id),
  },
  { maxKeys: 64 },
)

/** Up to this many transactions, reads are batched. */
const MAX_SHORT = 64

/** The transactions of traces, by logical time and account. Those of dropped blocks are missing. */
export const findTraceTransactions = async (
  reader: Reader,
  traces: readonly TraceRecord[],
): Promise<TransactionRow[]> => {
  if (traces.length === 0) return []
  if (reader.isDistributed) return findOnWorkers(reader, traces)
  const count = traces.reduce((sum, { transactions }) => sum + transactions, 0)
  if (count > MAX_SHORT) return reader.read(traceTransactionsQuery(traces))
  return (await readScattered(reader, traces)).toSorted(inLtOrder('asc'))
}

export type TraceFilter = {
  readonly traceIds?: readonly Uint8Array[] | undefined
  /** Traces that ended in this masterchain block. */
  readonly mcSeqno?: number | undefined
  readonly window: TraceWindow
}

export const tracesQuery = ({ traceIds, mcSeqno, window }: TraceFilter, page: Page) => {
  let query = queryBuilder.selectFrom('traces').select(traceColumns)
  if (traceIds !== undefined) query = query.where(isAnyOf('trace_id', traceIds))
  if (mcSeqno !== undefined) query = query.where('mc_seqno', '=', mcSeqno)
  for (const { column, operator, value } of windowBounds(window)) {
    query = query.where(sql.ref(`end_${column}`), operator, value)
  }
  if (traceIds === undefined && mcSeqno === undefined) return applyPage(query, traceOrder(window), page)
  // OFFSET 0 separates finding from sorting: otherwise the planner may scan the whole order.
  const found = query.offset(sql.lit(0)).as('found')
  return applyPage(queryBuilder.selectFrom(found).select(traceColumns), traceOrder(window), page)
}

const NAMED = `select ${traceColumns.join(', ')} from traces where trace_id = any($1)`
/** With a column that only a cluster has: see distributed/routedTraces.ts. */
const NAMED_ON_CLUSTER = `select ${traceColumns.join(', ')}, accounts from traces where trace_id = any($1)`

export const namedTracesQuery = (traceIds: readonly Uint8Array[], isDistributed = false): CompiledQuery<TraceRow> =>
  rawQuery(isDistributed ? NAMED_ON_CLUSTER : NAMED, [traceIds])

const readNamedOf = (isDistributed: boolean) =>
  batchReads<Uint8Array, TraceRow>({
    queryOf: (traceIds) => namedTracesQuery(traceIds, isDistributed),
    textOf: keyText,
    textOfRow: ({ trace_id }) => keyText(trace_id),
  })

const readNamed = readNamedOf(false)
const readNamedOnCluster = readNamedOf(true)

/** Up to this many named traces, reads are batched and sorted here. */
const MAX_NAMED = 100

const findRows = async (reader: Reader, filter: TraceFilter, page: Page): Promise<readonly TraceRow[]> => {
  const { traceIds, mcSeqno, window } = filter
  const isNamed = traceIds !== undefined && traceIds.length <= MAX_NAMED && mcSeqno === undefined
  if (!isNamed || page.after !== undefined || windowBounds(window).length > 0) {
    return reader.read(tracesQuery(filter, page).compile())
  }
  const sign = window.direction === 'asc' ? 1 : -1
  const rows = await (reader.isDistributed ? readNamedOnCluster : readNamed)(reader, traceIds)
  return rows
    .toSorted(
      (a, b) => sign * (a.end_lt === b.end_lt ? compareBytes(a.trace_id, b.trace_id) : a.end_lt < b.end_lt ? -1 : 1),
    )
    .slice(page.offset, page.offset + page.limit + 1)
}

/** Finished traces by their end. */
export const listTraces = async (reader: Reader, filter: TraceFilter, page: Page): Promise<Paged<TraceRecord>> => {
  if (filter.traceIds?.length === 0) return { rows: [], next: undefined }
  const rows = await findRows(reader, filter, page)
  const { window } = filter
  return cutPage(rows.map(toTraceRecord), traceOrder(window), page, (trace) => traceKey(window, trace))
}
