import { sql } from 'kysely'
import type { Reader } from '../connect/Reader.ts'
import { queryBuilder } from '../queryBuilder.ts'
import { isAnyOf } from './isAnyOf.ts'

export const finishedQuery = (traceIds: readonly Uint8Array[]) =>
  queryBuilder
    .selectFrom('traces as t')
    .select(({ exists, selectFrom }) => [
      't.trace_id',
      exists(
        selectFrom('unclassified_blocks as u').select(sql.lit(1).as('one')).whereRef('u.mc_seqno', '=', 't.mc_seqno'),
      ).as('is_waiting'),
    ])
    .where(isAnyOf('t.trace_id', traceIds))

export type FinishedTrace = {
  readonly traceId: Uint8Array
  /** It is said what happened in it, too. */
  readonly isClassified: boolean
}

/** Those of the traces all of whose messages have arrived. */
export const findFinished = async (reader: Reader, traceIds: readonly Uint8Array[]): Promise<FinishedTrace[]> => {
  if (traceIds.length === 0) return []
  const rows = await reader.read(finishedQuery(traceIds).compile())
  return rows.map(({ trace_id: traceId, is_waiting: isWaiting }) => ({ traceId, isClassified: !isWaiting }))
}
