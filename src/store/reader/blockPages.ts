import type { CompiledQuery } from 'kysely'
import { joinReads } from '../connect/joinReads.ts'
import type { Reader } from '../connect/Reader.ts'
import { inLtOrder } from './inLtOrder.ts'
import { pagesByLength } from './pagesByLength.ts'
import { rawQuery } from './rawQuery.ts'
import { spanOf } from './seqnoSpan.ts'
import type { TransactionRow } from './TransactionRecord.ts'

/** The first transactions of masterchain blocks, as many of each as a page takes. */
export const blockPagesQuery = (
  seqnos: readonly number[],
  direction: 'asc' | 'desc',
  length: number,
): CompiledQuery<TransactionRow> => {
  const { first, last } = spanOf(seqnos)
  const blocks =
    '(select start_lt, end_lt from blocks where mc_seqno = w.mc_seqno and mc_seqno >= $2 and mc_seqno <= $3 offset 0) as b'
  return rawQuery(
    `select t.* from unnest($1::integer[]) as w(mc_seqno) cross join lateral (
      select * from transactions as t where t.mc_seqno = w.mc_seqno and t.mc_seqno >= $2 and t.mc_seqno <= $3
        and t.lt >= (select min(b.start_lt) from ${blocks}) and t.lt <= (select max(b.end_lt) from ${blocks})
      order by t.lt ${direction}, t.account asc limit ${Math.trunc(length)}
    ) as t`,
    [seqnos, first, last],
  )
}

const readBlockPages = pagesByLength((direction, length) =>
  joinReads<number, TransactionRow>({
    queryOf: (seqnos) => blockPagesQuery(seqnos, direction, length),
    textOf: String,
    textOfRow: ({ mc_seqno }) => String(mc_seqno),
  }),
)

/** The first transactions of a masterchain block, by logical time and account, in one statement with what others ask. */
export const readBlockPage = async (
  reader: Reader,
  mcSeqno: number,
  direction: 'asc' | 'desc',
  length: number,
): Promise<TransactionRow[]> => {
  const rows = await readBlockPages(direction, length)(reader, [mcSeqno])
  return rows.toSorted(inLtOrder(direction))
}
