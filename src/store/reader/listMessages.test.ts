import assert from 'node:assert/strict'
import { test } from 'node:test'
import { queryBuilder } from '../queryBuilder.ts'
import { foundMessagesQuery, receivedMessagesQuery, receiversWalk } from './listTransactionsByMessage.ts'
import type { MessagesQuestion } from './MessagesQuestion.ts'
import {
  arrivedPageQuery,
  firstSendersQuery,
  messagesPageQuery,
  type Search,
  searchEndQuery,
} from './messageBranches.ts'
import type { Page } from './page.ts'
import { anyLt } from './timeWindow.ts'
import { walkedQuery } from './walkedQuery.ts'

const key = new Uint8Array(33)
const hash = new Uint8Array(32)
const first: Page = { limit: 10, offset: 0, after: undefined }
const any: MessagesQuestion = { time: {}, excludeExternals: false, onlyExternals: false, direction: 'desc' }

const searchOf = (question: Partial<MessagesQuestion>, lead: Search['lead']): Search => ({
  question: { ...any, ...question },
  bounds: { lt: anyLt, time: {} },
  lead,
  order: 'lt',
  after: undefined,
  afterOrder: 'lt',
  depth: 11,
})

const cases = [
  [
    'messages',
    messagesPageQuery(searchOf({}, { kind: 'walked' }), first)!.compile(queryBuilder),
    'select m.* from ((select t.in_created_lt as created_lt, t.in_value as value, t.in_fwd_fee as fwd_fee, t.in_ihr_fee as ihr_fee, t.in_import_fee as import_fee, t.in_created_at as created_at, t.mc_seqno as mc_seqno, t.in_opcode as opcode, t.in_bits as bits, t.in_source as source, t.account as destination, t.in_hash as hash, t.in_hash_norm as hash_norm, t.in_body_hash as body_hash, t.in_init_hash as init_hash, t.in_value_extra as value_extra, t.in_extra_flags as extra_flags, t.large as large, t.hash as received_by from transactions as t where t.in_created_lt is not null order by "t"."in_created_lt" desc, "t"."in_hash" desc limit $1) union all (select u.created_lt, u.value, u.fwd_fee, u.ihr_fee, null::bigint as import_fee, u.created_at, u.mc_seqno, u.opcode, u.bits, u.account as source, u.destination, u.hash, null::bytea as hash_norm, u.body_hash, u.init_hash, u.value_extra, u.extra_flags, u.large, null::bytea as received_by from unreceived_messages as u order by "u"."created_lt" desc, "u"."hash" desc limit $2) union all (select distinct on (substring(t.in_hash from 1 for 8), t.in_hash) t.in_created_lt as created_lt, t.in_value as value, t.in_fwd_fee as fwd_fee, t.in_ihr_fee as ihr_fee, t.in_import_fee as import_fee, t.in_created_at as created_at, t.mc_seqno as mc_seqno, t.in_opcode as opcode, t.in_bits as bits, t.in_source as source, t.account as destination, t.in_hash as hash, t.in_hash_norm as hash_norm, t.in_body_hash as body_hash, t.in_init_hash as init_hash, t.in_value_extra as value_extra, t.in_extra_flags as extra_flags, t.large as large, t.hash as received_by from transactions as t where t.in_created_lt is null and t.in_hash is not null order by substring(t.in_hash from 1 for 8) desc, t.in_hash desc, t.lt desc limit $3)) as m order by coalesce(m.created_lt, 9223372036854775807) desc, m.hash desc limit $4',
  ],
  [
    'further down',
    messagesPageQuery({ ...searchOf({}, { kind: 'walked' }), after: { made: 7n, hash } }, first)!.compile(queryBuilder),
    'select m.* from ((select t.in_created_lt as created_lt, t.in_value as value, t.in_fwd_fee as fwd_fee, t.in_ihr_fee as ihr_fee, t.in_import_fee as import_fee, t.in_created_at as created_at, t.mc_seqno as mc_seqno, t.in_opcode as opcode, t.in_bits as bits, t.in_source as source, t.account as destination, t.in_hash as hash, t.in_hash_norm as hash_norm, t.in_body_hash as body_hash, t.in_init_hash as init_hash, t.in_value_extra as value_extra, t.in_extra_flags as extra_flags, t.large as large, t.hash as received_by from transactions as t where t.in_created_lt is not null and ("t"."in_created_lt", "t"."in_hash") < ($1, $2) order by "t"."in_created_lt" desc, "t"."in_hash" desc limit $3) union all (select u.created_lt, u.value, u.fwd_fee, u.ihr_fee, null::bigint as import_fee, u.created_at, u.mc_seqno, u.opcode, u.bits, u.account as source, u.destination, u.hash, null::bytea as hash_norm, u.body_hash, u.init_hash, u.value_extra, u.extra_flags, u.large, null::bytea as received_by from unreceived_messages as u where ("u"."created_lt", "u"."hash") < ($4, $5) order by "u"."created_lt" desc, "u"."hash" desc limit $6)) as m order by coalesce(m.created_lt, 9223372036854775807) desc, m.hash desc limit $7',
  ],
  [
    'with an opcode',
    messagesPageQuery(searchOf({ opcode: 7, excludeExternals: true }, { kind: 'walked' }), first)!.compile(
      queryBuilder,
    ),
    'select m.* from ((select t.in_created_lt as created_lt, t.in_value as value, t.in_fwd_fee as fwd_fee, t.in_ihr_fee as ihr_fee, t.in_import_fee as import_fee, t.in_created_at as created_at, t.mc_seqno as mc_seqno, t.in_opcode as opcode, t.in_bits as bits, t.in_source as source, t.account as destination, t.in_hash as hash, t.in_hash_norm as hash_norm, t.in_body_hash as body_hash, t.in_init_hash as init_hash, t.in_value_extra as value_extra, t.in_extra_flags as extra_flags, t.large as large, t.hash as received_by from transactions as t where t.in_created_lt is not null and "t"."in_opcode" is not null and ("t"."in_opcode", "t"."in_created_lt") >= ($1, $2) and ("t"."in_opcode", "t"."in_created_lt") <= ($3, $4) order by "t"."in_opcode" desc, "t"."in_created_lt" desc, "t"."in_hash" desc limit $5) union all (select u.created_lt, u.value, u.fwd_fee, u.ihr_fee, null::bigint as import_fee, u.created_at, u.mc_seqno, u.opcode, u.bits, u.account as source, u.destination, u.hash, null::bytea as hash_norm, u.body_hash, u.init_hash, u.value_extra, u.extra_flags, u.large, null::bytea as received_by from unreceived_messages as u where "u"."opcode" is not null and ("u"."opcode", "u"."created_lt") >= ($6, $7) and ("u"."opcode", "u"."created_lt") <= ($8, $9) order by "u"."opcode" desc, "u"."created_lt" desc, "u"."hash" desc limit $10)) as m order by coalesce(m.created_lt, 9223372036854775807) desc, m.hash desc limit $11',
  ],
  [
    'with the empty body',
    messagesPageQuery(
      searchOf({ bodyHash: 'empty', side: 'in', excludeExternals: true }, { kind: 'walked' }),
      first,
    )!.compile(queryBuilder),
    'select m.* from ((select t.in_created_lt as created_lt, t.in_value as value, t.in_fwd_fee as fwd_fee, t.in_ihr_fee as ihr_fee, t.in_import_fee as import_fee, t.in_created_at as created_at, t.mc_seqno as mc_seqno, t.in_opcode as opcode, t.in_bits as bits, t.in_source as source, t.account as destination, t.in_hash as hash, t.in_hash_norm as hash_norm, t.in_body_hash as body_hash, t.in_init_hash as init_hash, t.in_value_extra as value_extra, t.in_extra_flags as extra_flags, t.large as large, t.hash as received_by from (select * from transactions as t where t.in_created_lt is not null order by "t"."in_created_lt" desc, "t"."in_hash" desc limit $1) as "t" where "t"."in_body_hash" is null order by "t"."in_created_lt" desc, "t"."in_hash" desc limit $2)) as m order by coalesce(m.created_lt, 9223372036854775807) desc, m.hash desc limit $3',
  ],
  [
    'where that walk ends',
    searchEndQuery(searchOf({ bodyHash: 'empty', side: 'in', excludeExternals: true }, { kind: 'walked' }))!.compile(
      queryBuilder,
    ),
    '(select 1 as one from transactions as t where t.in_created_lt is not null limit 1 offset $1)',
  ],
  [
    'of a source',
    messagesPageQuery(searchOf({ source: key }, { kind: 'sent' }), first)!.compile(queryBuilder),
    'select m.* from ((select m.* from (select s.account, s.lt, s.out_count::integer as out_count, s.mc_seqno from transactions as s where ("s"."account", "s"."lt") >= ($1, $2) and ("s"."account", "s"."lt") <= ($3, $4) and s.out_count > 0 order by s.account desc, s.lt desc limit $5) as s cross join lateral (select t.in_created_lt as created_lt, t.in_value as value, t.in_fwd_fee as fwd_fee, t.in_ihr_fee as ihr_fee, t.in_import_fee as import_fee, t.in_created_at as created_at, t.mc_seqno as mc_seqno, t.in_opcode as opcode, t.in_bits as bits, t.in_source as source, t.account as destination, t.in_hash as hash, t.in_hash_norm as hash_norm, t.in_body_hash as body_hash, t.in_init_hash as init_hash, t.in_value_extra as value_extra, t.in_extra_flags as extra_flags, t.large as large, t.hash as received_by from transactions as t where t.in_created_lt > s.lt and t.in_created_lt <= s.lt + s.out_count and t.in_source = s.account and t.in_bits & 7 = 1 and t.mc_seqno >= s.mc_seqno and t.mc_seqno <= 2147483647 union all select u.created_lt, u.value, u.fwd_fee, u.ihr_fee, null::bigint as import_fee, u.created_at, u.mc_seqno, u.opcode, u.bits, u.account as source, u.destination, u.hash, null::bytea as hash_norm, u.body_hash, u.init_hash, u.value_extra, u.extra_flags, u.large, null::bytea as received_by from unreceived_messages as u where u.account = s.account and u.created_lt > s.lt and u.created_lt <= s.lt + s.out_count and u.mc_seqno = s.mc_seqno) as m order by s.account desc, s.lt desc, m.created_lt desc, m.hash desc limit $6)) as m order by coalesce(m.created_lt, 9223372036854775807) desc, m.hash desc limit $7',
  ],
  [
    'who sent them first',
    firstSendersQuery(searchOf({ source: key }, { kind: 'sent' }), 11).compile(queryBuilder),
    'select s.account, s.lt, s.out_count, s.mc_seqno, s.hash, s.trace_id from transactions as s where ("s"."account", "s"."lt") >= ($1, $2) and ("s"."account", "s"."lt") <= ($3, $4) and s.out_count > 0 order by s.account desc, s.lt desc limit $5',
  ],
  [
    'to a destination that has had many',
    arrivedPageQuery(
      searchOf({ destination: key, excludeExternals: true, side: 'in' }, { kind: 'arrived', length: 50 }),
      first,
    )!.compile(queryBuilder),
    'with arrived as materialized (select t.lt, t.in_created_lt, t.in_value, t.in_fwd_fee, t.in_ihr_fee, t.in_import_fee, t.in_created_at, t.mc_seqno, t.in_opcode, t.in_bits, t.in_source, t.account, t.in_hash, t.in_hash_norm, t.in_body_hash, t.in_init_hash, t.in_value_extra, t.in_extra_flags, t.large, t.hash from transactions as t where ("t"."account", "t"."lt") >= ($1, $2) and ("t"."account", "t"."lt") <= ($3, $4) order by t.account desc, t.lt desc limit $5) select m.*, (select count(*) from arrived) as count, (select min(lt) from arrived) as lowest, (select max(lt) from arrived) as highest from ((select t.in_created_lt as created_lt, t.in_value as value, t.in_fwd_fee as fwd_fee, t.in_ihr_fee as ihr_fee, t.in_import_fee as import_fee, t.in_created_at as created_at, t.mc_seqno as mc_seqno, t.in_opcode as opcode, t.in_bits as bits, t.in_source as source, t.account as destination, t.in_hash as hash, t.in_hash_norm as hash_norm, t.in_body_hash as body_hash, t.in_init_hash as init_hash, t.in_value_extra as value_extra, t.in_extra_flags as extra_flags, t.large as large, t.hash as received_by from (select * from arrived as t where t.in_created_lt is not null order by "t"."in_created_lt" desc, "t"."in_hash" desc limit $6) as "t" where "t"."account" = $7 order by "t"."in_created_lt" desc, "t"."in_hash" desc limit $8)) as m order by coalesce(m.created_lt, 9223372036854775807) desc, m.hash desc limit $9',
  ],
  [
    'from outside',
    messagesPageQuery(searchOf({ onlyExternals: true }, { kind: 'walked' }), first)!.compile(queryBuilder),
    'select m.* from ((select distinct on (substring(t.in_hash from 1 for 8), t.in_hash) t.in_created_lt as created_lt, t.in_value as value, t.in_fwd_fee as fwd_fee, t.in_ihr_fee as ihr_fee, t.in_import_fee as import_fee, t.in_created_at as created_at, t.mc_seqno as mc_seqno, t.in_opcode as opcode, t.in_bits as bits, t.in_source as source, t.account as destination, t.in_hash as hash, t.in_hash_norm as hash_norm, t.in_body_hash as body_hash, t.in_init_hash as init_hash, t.in_value_extra as value_extra, t.in_extra_flags as extra_flags, t.large as large, t.hash as received_by from transactions as t where t.in_created_lt is null and t.in_hash is not null order by substring(t.in_hash from 1 for 8) desc, t.in_hash desc, t.lt desc limit $1)) as m order by coalesce(m.created_lt, 9223372036854775807) desc, m.hash desc limit $2',
  ],
  [
    'by hash, of transactions',
    foundMessagesQuery({ hashes: [hash], direction: 'desc' }).compile(queryBuilder),
    '(select t.in_hash as hash, t.in_created_lt as created_lt, case when t.in_bits & 7 = 1 then t.in_source end as source, t.account, t.lt, t.mc_seqno from transactions as t where t.in_hash = any($1) limit $2) union all (select t.in_hash as hash, t.in_created_lt as created_lt, case when t.in_bits & 7 = 1 then t.in_source end as source, t.account, t.lt, t.mc_seqno from transactions as t where t.in_hash_norm is not null and t.in_hash_norm = any($3) limit $4) union all (select u.hash, u.created_lt, u.account as source, null::bytea as account, null::bigint as lt, u.mc_seqno from unreceived_messages as u where u.hash = any($5) limit $6)',
  ],
  [
    'by hash, of those that received it',
    receivedMessagesQuery({ direction: 'desc' }, [hash]).compile(queryBuilder),
    '(select t.in_hash as hash, t.in_created_lt as created_lt, case when t.in_bits & 7 = 1 then t.in_source end as source, t.account, t.lt, t.mc_seqno from transactions as t where t.in_hash = any($1) limit $2)',
  ],
  [
    'by opcode, of transactions',
    foundMessagesQuery({ opcode: 7, direction: 'desc' }).compile(queryBuilder),
    '(select t.in_hash as hash, t.in_created_lt as created_lt, case when t.in_bits & 7 = 1 then t.in_source end as source, t.account, t.lt, t.mc_seqno from transactions as t where t.in_opcode = $1 limit $2)',
  ],
  [
    'too many to be collected',
    walkedQuery(receiversWalk({ opcode: 7, direction: 'desc' }, first)).compile(queryBuilder),
    'select "t".* from (select "t".* from transactions as t order by "t"."lt" desc, "t"."account" asc limit $1) as "t" where t.in_opcode = $2 order by "t"."lt" desc, "t"."account" asc limit $3',
  ],
] as const

for (const [name, { sql }, expected] of cases) {
  test(name, () => assert.equal(sql.replace(/\s+/g, ' ').trim(), expected))
}
