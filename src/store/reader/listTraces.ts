import { type CompiledQuery, sql } from 'kysely'
import { compareBytes } from '../../primitives/bytes.ts'
import { joinReads } from '../connect/joinReads.ts'
import type { Reader } from '../connect/Reader.ts'
import { queryBuilder } from '../queryBuilder.ts'
import type { Tables } from '../tables.ts'
import { isAnyOf } from './isAnyOf.ts'
import { keyText } from './keyText.ts'
import { applyPage, cutPage, type Page, type Paged } from './page.ts'
import { rawQuery } from './rawQuery.ts'
import {
  type TraceRecord,
  type TraceWindow,
  toTraceRecord,
  traceColumns,
  traceKey,
  traceOrder,
  windowBounds,
} from './TraceRecord.ts'

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
  // They are found first and put in order then: the server may not go through all there are because that is the order.
  const found = query.offset(sql.lit(0)).as('found')
  return applyPage(queryBuilder.selectFrom(found).select(traceColumns), traceOrder(window), page)
}

const NAMED = `select ${traceColumns.join(', ')} from traces where trace_id = any($1)`

export const namedTracesQuery = (traceIds: readonly Uint8Array[]): CompiledQuery<Tables['traces']> =>
  rawQuery(NAMED, [traceIds])

const readNamed = joinReads<Uint8Array, Tables['traces']>({
  queryOf: namedTracesQuery,
  textOf: keyText,
  textOfRow: ({ trace_id }) => keyText(trace_id),
})

/** So few that are named are read together with those that others name, and put in order here. */
const MAX_NAMED = 100

const findRows = async (reader: Reader, filter: TraceFilter, page: Page): Promise<readonly Tables['traces'][]> => {
  const { traceIds, mcSeqno, window } = filter
  const isNamed = traceIds !== undefined && traceIds.length <= MAX_NAMED && mcSeqno === undefined
  if (!isNamed || page.after !== undefined || windowBounds(window).length > 0) {
    return reader.read(tracesQuery(filter, page).compile())
  }
  const sign = window.direction === 'asc' ? 1 : -1
  const rows = await readNamed(reader, traceIds)
  return rows
    .toSorted(
      (a, b) => sign * (a.end_lt === b.end_lt ? compareBytes(a.trace_id, b.trace_id) : a.end_lt < b.end_lt ? -1 : 1),
    )
    .slice(page.offset, page.offset + page.limit + 1)
}

/** Finished traces, by when they ended. */
export const listTraces = async (reader: Reader, filter: TraceFilter, page: Page): Promise<Paged<TraceRecord>> => {
  if (filter.traceIds?.length === 0) return { rows: [], next: undefined }
  const rows = await findRows(reader, filter, page)
  const { window } = filter
  return cutPage(rows.map(toTraceRecord), traceOrder(window), page, (trace) => traceKey(window, trace))
}
