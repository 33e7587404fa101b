import { queryBuilder } from '../queryBuilder.ts'

/** The newest masterchain block in the index. */
export const indexHeadQuery = () =>
  queryBuilder
    .selectFrom('indexed_blocks')
    .select(['mc_seqno', 'gen_utime', 'committed_at'])
    .orderBy('mc_seqno', 'desc')
    .limit(1)
