import type { CompiledQuery } from 'kysely'
import { bytesEqual } from '../../primitives/bytes.ts'
import { STORED_MESSAGE_KIND } from '../schema/codes.ts'
import { type MessageRow, receivedColumns, type Sender, type SentRow, unreceivedColumns } from './messageRecord.ts'
import { rawQuery, spanOf } from './sql.ts'
import { keyText } from './TransactionRecord.ts'

// Sent messages on a cluster. Those that were received are on the workers of their receivers, and are found for all senders by one
// statement that asks every shard; the others are on the shards of their senders.

/** Few messages are asked for one by one, without a join: that takes the coordinator a third of the time. */
const MAX_LISTED_SENDERS = 16
const MAX_LISTED_MESSAGES = 64

export const listedLimits = { maxOwn: MAX_LISTED_SENDERS, maxKeys: MAX_LISTED_SENDERS }

export const areFew = (senders: readonly Sender[]): boolean =>
  senders.length <= MAX_LISTED_SENDERS &&
  senders.reduce((sum, { out_count }) => sum + out_count, 0) <= MAX_LISTED_MESSAGES

const LISTED = `select ${receivedColumns} from transactions as t
    where substring(t.in_source from 27 for 7) = any($1::bytea[]) and t.in_created_lt = any($2::bigint[]) and t.in_created_lt is not null
      and t.in_source = any($3::bytea[]) and t.in_bits & 7 = ${STORED_MESSAGE_KIND.internal} and t.mc_seqno >= $4 and t.mc_seqno <= $5`

/** Like {@link receivedFromQuery}, for {@link areFew few} messages; {@link senderOf} finds the sender of each. */
export const listedFromQuery = (
  senders: readonly Sender[],
  lastSeqnos: readonly number[],
): CompiledQuery<MessageRow> => {
  const accounts = [...new Map(senders.map(({ account }) => [keyText(account), account])).values()]
  const lts = senders.flatMap(({ lt, out_count }) => Array.from({ length: out_count }, (_, k) => lt + BigInt(k + 1)))
  const { first, last } = spanOf([...senders.map(({ mc_seqno }) => mc_seqno), ...lastSeqnos])
  return rawQuery(LISTED, [
    accounts.map((account) => account.subarray(26, 33)),
    [...new Set(lts)],
    accounts,
    first,
    last,
  ])
}

/** The one of the senders that sent a message; `undefined` if an account sent it that others of its messages were asked for. */
export const senderOf = ({ source, created_lt }: MessageRow, senders: readonly Sender[]): Sender | undefined =>
  senders.find(
    ({ account, lt, out_count }) =>
      created_lt! > lt && created_lt! <= lt + BigInt(out_count) && bytesEqual(account, source!),
  )

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
