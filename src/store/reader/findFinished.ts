import type { Reader } from '../connect/Reader.ts'
import { queryBuilder } from '../queryBuilder.ts'
import { isAnyOf } from './isAnyOf.ts'

export const finishedQuery = (traceIds: readonly Uint8Array[]) =>
  queryBuilder.selectFrom('traces').select('trace_id').where(isAnyOf('trace_id', traceIds))

/** Those of the traces all of whose messages have arrived. */
export const findFinished = async (reader: Reader, traceIds: readonly Uint8Array[]): Promise<Uint8Array[]> =>
  traceIds.length === 0 ? [] : (await reader.read(finishedQuery(traceIds).compile())).map(({ trace_id }) => trace_id)
