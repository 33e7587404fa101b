import type { CompiledQuery } from 'kysely'
import { STORED_MESSAGE_KIND } from '../schema/codes.ts'
import { receivedColumns, type Sender, type SentRow, unreceivedColumns } from './messageRecord.ts'
import { rawQuery, spanOf } from './sql.ts'

// Sent messages on a cluster. Those that were received are on the workers of their receivers, and are found for all senders by one
// statement that asks every shard; the others are on the shards of their senders.

// The first condition is that of an index. Not a list for each sender: the cluster would take a statement for each.
const RECEIVED = `select ${receivedColumns}, s.lt as sender_lt from transactions as t
    join unnest($1::bytea[], $2::bigint[], $3::integer[], $4::integer[], $5::integer[]) as s(account, lt, out_count, mc_seqno, last_seqno)
    on substring(t.in_source from 27 for 7) = substring(s.account from 27 for 7)
      and t.in_created_lt > s.lt and t.in_created_lt <= s.lt + s.out_count and t.in_source = s.account
      and t.in_bits & 7 = ${STORED_MESSAGE_KIND.internal} and t.mc_seqno >= s.mc_seqno and t.mc_seqno <= s.last_seqno
    where t.in_created_lt is not null and t.in_created_lt > $6 and t.in_created_lt <= $7 and t.mc_seqno >= $8 and t.mc_seqno <= $9`

const UNRECEIVED = `select m.*, s.lt as sender_lt
    from unnest($1::bytea[], $2::bigint[], $3::integer[], $4::integer[]) as s(account, lt, out_count, mc_seqno) cross join lateral (
      select ${unreceivedColumns} from unreceived_messages as u where u.account = s.account and u.created_lt > s.lt
        and u.created_lt <= s.lt + s.out_count and u.mc_seqno = s.mc_seqno and u.mc_seqno >= $5 and u.mc_seqno <= $6
    ) as m`

const listsOf = (senders: readonly Sender[]) => ({
  accounts: senders.map(({ account }) => account),
  lts: senders.map(({ lt }) => lt),
  counts: senders.map(({ out_count }) => out_count),
  seqnos: senders.map(({ mc_seqno }) => mc_seqno),
})

/** `lastSeqnos` are the last blocks in which messages of each were received. */
export const receivedFromQuery = (
  senders: readonly Sender[],
  lastSeqnos: readonly number[],
): CompiledQuery<SentRow> => {
  const { accounts, lts, counts, seqnos } = listsOf(senders)
  const ends = senders.map(({ lt, out_count }) => lt + BigInt(out_count))
  const least = lts.reduce((a, b) => (b < a ? b : a))
  const most = ends.reduce((a, b) => (b > a ? b : a))
  const { first, last } = spanOf([...seqnos, ...lastSeqnos])
  return rawQuery(RECEIVED, [accounts, lts, counts, seqnos, lastSeqnos, least, most, first, last])
}

export const unreceivedFromQuery = (senders: readonly Sender[]): CompiledQuery<SentRow> => {
  const { accounts, lts, counts, seqnos } = listsOf(senders)
  const { first, last } = spanOf(seqnos)
  return rawQuery(UNRECEIVED, [accounts, lts, counts, seqnos, first, last])
}
