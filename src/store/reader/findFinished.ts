import { sql } from 'kysely'
import type { Reader } from '../connect/Reader.ts'
import { queryBuilder } from '../queryBuilder.ts'
import { isAnyOf } from './isAnyOf.ts'

export const finishedQuery = (traceIds: readonly Uint8Array[]) =>
  queryBuilder
    .selectFrom('traces as t')
    .select('t.trace_id')
    .where(isAnyOf('t.trace_id', traceIds))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('unclassified_blocks as u').select(sql.lit(1).as('one')).whereRef('u.mc_seqno', '=', 't.mc_seqno'),
        ),
      ),
    )

/** Those of the traces all of whose messages have arrived, and of which it is said what happened in them. */
export const findFinished = async (reader: Reader, traceIds: readonly Uint8Array[]): Promise<Uint8Array[]> =>
  traceIds.length === 0 ? [] : (await reader.read(finishedQuery(traceIds).compile())).map(({ trace_id }) => trace_id)
