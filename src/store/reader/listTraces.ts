import { sql } from 'kysely'
import type { Reader } from '../connect/Reader.ts'
import { queryBuilder } from '../queryBuilder.ts'
import { isAnyOf } from './isAnyOf.ts'
import { applyPage, cutPage, type Page, type Paged } from './page.ts'
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

/** Finished traces, by when they ended. */
export const listTraces = async (reader: Reader, filter: TraceFilter, page: Page): Promise<Paged<TraceRecord>> => {
  if (filter.traceIds?.length === 0) return { rows: [], next: undefined }
  const rows = await reader.read(tracesQuery(filter, page).compile())
  const { window } = filter
  return cutPage(rows.map(toTraceRecord), traceOrder(window), page, (trace) => traceKey(window, trace))
}
