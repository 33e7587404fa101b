import type { Reader } from '../connect/Reader.ts'
import { queryBuilder } from '../queryBuilder.ts'

export const indexedBlockQuery = (mcSeqno: number) =>
  queryBuilder.selectFrom('indexed_blocks').select('mc_seqno').where('mc_seqno', '=', mcSeqno)

/** Whether a masterchain block is in the index, with all that it includes. */
export const isIndexed = async (reader: Reader, mcSeqno: number): Promise<boolean> =>
  (await reader.read(indexedBlockQuery(mcSeqno).compile())).length > 0
