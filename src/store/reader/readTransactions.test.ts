import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PartitionMap } from '../schema/PartitionMap.ts'
import { accountPagesQuery } from './accountTransactions.ts'
import { eventTransactionsQuery } from './events.ts'
import {
  hashPositionsQuery,
  previousQuery,
  relatedQuery,
  rootsQuery,
  traceIdsQuery,
  transactionsAtQuery,
} from './findTransactions.ts'
import { contentsInPartitionQuery, contentsInPartitionsQuery } from './messageContents.ts'
import { sendersQuery, sentInTracesQuery, sentMessagesQuery, traceSender } from './messageEnds.ts'
import { transactionsByKeyQuery } from './readTransactions.ts'
import { blockPagesQuery } from './transactions.ts'
import { namedMessagesQuery } from './transactionsByMessage.ts'

const key = new Uint8Array(33)
const hash = new Uint8Array(32)
const partitions = new PartitionMap([{ start: 0, end: 500 }])

const cases = [
  [
    'by key',
    transactionsByKeyQuery([{ account: key, lt: 1n, mcSeqno: 1 }]),
    'select t.* from unnest($1::bytea[], $2::bigint[], $3::integer[]) as k(account, lt, mc_seqno) cross join lateral ( select * from transactions as t where t.account = k.account and t.lt = k.lt and t.mc_seqno = k.mc_seqno and t.mc_seqno >= $4 and t.mc_seqno <= $5 limit 1 ) as t',
  ],
  [
    'places of hashes',
    hashPositionsQuery([hash]),
    'select w.hash, l.lt, l.mc_seqno, l.account from unnest($1::bytea[], $2::bigint[]) as w(hash, hash_key) join transaction_lookup as l on l.hash_key = w.hash_key',
  ],
  [
    'what others want to know',
    relatedQuery([hash]),
    'select t.* from ( select w.hash, l.lt, l.mc_seqno from unnest($1::bytea[], $2::bigint[]) as w(hash, hash_key) join transaction_lookup as l on l.hash_key = w.hash_key offset 0 ) as l cross join lateral ( select t.hash, t.in_bits, t.in_hash, t.state_after, t.end_status, t.balance, t.balance_extra, t.large, t.frozen_hash, t.data_hash, t.code_hash from transactions as t where t.lt = l.lt and t.mc_seqno = l.mc_seqno and t.hash = l.hash limit 1 ) as t',
  ],
  [
    'the one before',
    previousQuery([{ account: key, lt: 1n, hash, firstSeqno: 0, lastSeqno: 1 }]),
    'select t.* from unnest($1::bytea[], $2::bigint[], $3::integer[], $4::integer[]) as k(account, lt, first_seqno, last_seqno) cross join lateral ( select t.hash, t.in_bits, t.in_hash, t.state_after, t.end_status, t.balance, t.balance_extra, t.large, t.frozen_hash, t.data_hash, t.code_hash from transactions as t where t.account = k.account and t.lt = k.lt and t.mc_seqno >= k.first_seqno and t.mc_seqno <= k.last_seqno and t.mc_seqno >= $5 and t.mc_seqno <= $6 limit 1 ) as t',
  ],
  [
    'by hash',
    transactionsAtQuery([{ hash, lt: 1n, mc_seqno: 1, account: null }]),
    'select t.* from unnest($1::bytea[], $2::bigint[], $3::integer[]) as l(hash, lt, mc_seqno) cross join lateral ( select * from transactions as t where t.lt = l.lt and t.mc_seqno = l.mc_seqno and t.hash = l.hash and t.mc_seqno >= $4 and t.mc_seqno <= $5 limit 1 ) as t',
  ],
  [
    'what was sent',
    sentMessagesQuery([{ account: key, lt: 1n, out_count: 1, mc_seqno: 1, trace_id: hash }], 256),
    'select m.*, s.lt as sender_lt from unnest($1::bytea[], $2::bigint[], $3::integer[], $4::integer[], $5::integer[]) as s(account, lt, out_count, mc_seqno, last_seqno) cross join lateral (select t.in_created_lt as created_lt, t.in_value as value, t.in_fwd_fee as fwd_fee, t.in_ihr_fee as ihr_fee, t.in_import_fee as import_fee, t.in_created_at as created_at, t.mc_seqno as mc_seqno, t.in_opcode as opcode, t.in_bits as bits, t.in_source as source, t.account as destination, t.in_hash as hash, t.in_hash_norm as hash_norm, t.in_body_hash as body_hash, t.in_init_hash as init_hash, t.in_value_extra as value_extra, t.in_extra_flags as extra_flags, t.large as large, t.hash as received_by from transactions as t where t.in_created_lt > s.lt and t.in_created_lt <= s.lt + s.out_count and t.in_source = s.account and t.in_bits & 7 = 1 and t.mc_seqno >= s.mc_seqno and t.mc_seqno <= s.last_seqno and t.mc_seqno >= $6 and t.mc_seqno <= $7 union all select u.created_lt, u.value, u.fwd_fee, u.ihr_fee, null::bigint as import_fee, u.created_at, u.mc_seqno, u.opcode, u.bits, u.account as source, u.destination, u.hash, null::bytea as hash_norm, u.body_hash, u.init_hash, u.value_extra, u.extra_flags, u.large, null::bytea as received_by from unreceived_messages as u where u.account = s.account and u.created_lt > s.lt and u.created_lt <= s.lt + s.out_count and u.mc_seqno = s.mc_seqno and u.mc_seqno >= $6 and u.mc_seqno <= $7) as m',
  ],
  [
    'what was sent within a trace',
    sentInTracesQuery([traceSender({ account: key, lt: 1n, out_count: 1, mc_seqno: 1, trace_id: hash }, partitions)]),
    'select m.*, s.lt as sender_lt from unnest($1::bytea[], $2::bigint[], $3::integer[], $4::integer[], $5::integer[], $8::integer[], $9::bytea[]) as s(account, lt, out_count, mc_seqno, first_seqno, last_seqno, trace_id) cross join lateral ( select t.in_created_lt as created_lt, t.in_value as value, t.in_fwd_fee as fwd_fee, t.in_ihr_fee as ihr_fee, t.in_import_fee as import_fee, t.in_created_at as created_at, t.mc_seqno as mc_seqno, t.in_opcode as opcode, t.in_bits as bits, t.in_source as source, t.account as destination, t.in_hash as hash, t.in_hash_norm as hash_norm, t.in_body_hash as body_hash, t.in_init_hash as init_hash, t.in_value_extra as value_extra, t.in_extra_flags as extra_flags, t.large as large, t.hash as received_by from ( select t.in_created_lt, t.in_value, t.in_fwd_fee, t.in_ihr_fee, t.in_import_fee, t.in_created_at, t.mc_seqno, t.in_opcode, t.in_bits, t.in_source, t.account, t.in_hash, t.in_hash_norm, t.in_body_hash, t.in_init_hash, t.in_value_extra, t.in_extra_flags, t.large, t.hash from transactions as t where substring(t.trace_id from 1 for 7) = substring(s.trace_id from 1 for 7) and t.trace_id = s.trace_id and t.mc_seqno >= s.first_seqno and t.mc_seqno <= s.last_seqno and t.mc_seqno >= $6 and t.mc_seqno <= $7 limit 100 ) as t where t.in_created_lt > s.lt and t.in_created_lt <= s.lt + s.out_count and t.in_source = s.account and t.in_bits & 7 = 1 union all select u.created_lt, u.value, u.fwd_fee, u.ihr_fee, null::bigint as import_fee, u.created_at, u.mc_seqno, u.opcode, u.bits, u.account as source, u.destination, u.hash, null::bytea as hash_norm, u.body_hash, u.init_hash, u.value_extra, u.extra_flags, u.large, null::bytea as received_by from unreceived_messages as u where u.account = s.account and u.created_lt > s.lt and u.created_lt <= s.lt + s.out_count and u.mc_seqno = s.mc_seqno and u.mc_seqno >= $6 and u.mc_seqno <= $7 ) as m',
  ],
  [
    'traces of hashes',
    traceIdsQuery([hash]),
    'select t.* from ( select w.hash, l.lt, l.mc_seqno from unnest($1::bytea[], $2::bigint[]) as w(hash, hash_key) join transaction_lookup as l on l.hash_key = w.hash_key offset 0 ) as l cross join lateral ( select t.hash, t.trace_id from transactions as t where t.lt = l.lt and t.mc_seqno = l.mc_seqno and t.hash = l.hash limit 1 ) as t',
  ],
  [
    'who sent it',
    sendersQuery([{ source: key, createdLt: 2n, mcSeqno: 1 }]),
    'select m.account, m.created_lt, t.lt, t.mc_seqno, t.hash from unnest($1::bytea[], $2::bigint[], $3::integer[]) as m(account, created_lt, mc_seqno) cross join lateral ( select t.lt, t.mc_seqno, t.hash, t.out_count from transactions as t where t.account = m.account and t.lt < m.created_lt and t.lt >= m.created_lt - 32768 and t.mc_seqno <= m.mc_seqno and t.mc_seqno >= $4 and t.mc_seqno <= $5 order by t.lt desc limit 1 ) as t where m.created_lt <= t.lt + t.out_count',
  ],
  [
    'contents in their partitions',
    contentsInPartitionsQuery([{ hash, start: 1 }]),
    'select w.hash, w.start, c.content from unnest($1::bytea[], $2::integer[]) as w(hash, start) cross join lateral ( select c.content from message_contents as c where substring(c.hash from 1 for 7) = substring(w.hash from 1 for 7) and c.hash = w.hash and c.mc_seqno = w.start and c.mc_seqno >= $3 and c.mc_seqno <= $4 limit 1 ) as c',
  ],
  [
    'contents in one partition',
    contentsInPartitionQuery([hash], 1),
    'select hash, mc_seqno as start, content from message_contents where substring(hash from 1 for 7) = any($1::bytea[]) and mc_seqno = $2',
  ],
  [
    'first ones of traces',
    rootsQuery([{ traceId: hash, partitions }]),
    'select t.* from ( select w.hash, width_bucket(l.mc_seqno, $3::integer[]) as k from unnest($1::bytea[], $2::bigint[]) as w(hash, hash_key) join transaction_lookup as l on l.hash_key = w.hash_key offset 0 ) as l cross join lateral ( select t.hash, t.in_bits, t.in_hash from ( select t.hash, t.in_bits, t.in_hash from transactions as t where substring(t.trace_id from 1 for 7) = substring(l.hash from 1 for 7) and t.trace_id = l.hash and t.mc_seqno >= ($3::integer[])[l.k] and t.mc_seqno <= ($4::integer[])[l.k] limit 100 ) as t where t.hash = l.hash limit 1 ) as t',
  ],
  [
    'of events',
    eventTransactionsQuery([{ account: key, lt: 1n, mc_seqno: 1 }]),
    'select t.* from unnest($1::bytea[], $2::bigint[], $3::integer[]) as e(account, lt, mc_seqno) cross join lateral ( select t.account, t.lt, t.mc_seqno, t.hash, t.trace_id from transactions as t where t.account = e.account and t.lt = e.lt and t.mc_seqno = e.mc_seqno and t.mc_seqno >= $4 and t.mc_seqno <= $5 limit 1 ) as t',
  ],
  [
    'pages of blocks',
    blockPagesQuery([1], 'desc', 11),
    'select t.* from unnest($1::integer[]) as w(mc_seqno) cross join lateral ( select * from transactions as t where t.mc_seqno = w.mc_seqno and t.mc_seqno >= $2 and t.mc_seqno <= $3 and t.lt >= (select min(b.start_lt) from (select start_lt, end_lt from blocks where mc_seqno = w.mc_seqno and mc_seqno >= $2 and mc_seqno <= $3 offset 0) as b) and t.lt <= (select max(b.end_lt) from (select start_lt, end_lt from blocks where mc_seqno = w.mc_seqno and mc_seqno >= $2 and mc_seqno <= $3 offset 0) as b) order by t.lt desc, t.account asc limit 11 ) as t',
  ],
  [
    'by messages that were received',
    namedMessagesQuery([hash]),
    'select m.* from unnest($1::bytea[]) as w(hash) cross join lateral ( select t.in_hash as hash, t.in_created_lt as created_lt, case when t.in_bits & 7 = 1 then t.in_source end as source, t.account, t.lt, t.mc_seqno from transactions as t where t.in_hash = w.hash limit 50001 ) as m',
  ],
  [
    'pages of accounts',
    accountPagesQuery([{ account: key, lt: { from: 1n, to: 2n }, fromTime: 1, toTime: 2 }], 'desc', 11),
    'select w.place::integer as place, t.* from unnest($1::bytea[], $2::bigint[], $3::bigint[], $4::integer[], $5::integer[]) with ordinality as w(account, first_lt, last_lt, first_now, last_now, place) cross join lateral ( select * from transactions as t where (t.account, t.lt) >= (w.account, w.first_lt) and (t.account, t.lt) <= (w.account, w.last_lt) and t.now >= w.first_now and t.now <= w.last_now order by t.account desc, t.lt desc limit 11 ) as t',
  ],
] as const

for (const [name, { sql }, expected] of cases) {
  test(name, () => assert.equal(sql.replace(/\s+/g, ' ').trim(), expected))
}
