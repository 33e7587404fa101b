import assert from 'node:assert/strict'
import { test } from 'node:test'
import { queryBuilder } from '../schema/tables.ts'
import { scanQuery } from './indexScan.ts'
import { messagesPageQuery, NO_LT, type Search, searchEndQuery } from './messageBranches.ts'
import { messageEndsQuery } from './messageEnds.ts'
import type { MessageKey } from './messageKeys.ts'
import type { MessageFilter } from './messageRecord.ts'
import { anyLt, type Page } from './page.ts'
import { foundMessagesQuery, receivedMessagesQuery, receiversScan } from './transactionsByMessage.ts'

const key = new Uint8Array(33)
const hash = new Uint8Array(32)
const first: Page = { limit: 10, offset: 0, after: undefined }
const any: MessageFilter = { time: {}, excludeExternals: false, onlyExternals: false, direction: 'desc' }

const searchOf = (filter: Partial<MessageFilter>, accessPath: Search['accessPath']): Search => ({
  filter: { ...any, ...filter },
  bounds: { lt: anyLt, time: {} },
  accessPath,
  order: 'lt',
  after: undefined,
  afterOrder: 'lt',
  depth: 11,
})

const walked = (by: MessageKey, length: number | undefined = 2000) => ({ kind: 'scanned', by, length }) as const
const pageOf = (filter: Partial<MessageFilter>, by: MessageKey, more: Partial<Search> = {}) =>
  messagesPageQuery({ ...searchOf(filter, walked(by)), ...more }, first)!.compile(queryBuilder)

const cases = [
  [
    'messages',
    pageOf({}, 'lt'),
    'select m.* from ((select t.in_created_lt as created_lt, t.in_value as value, t.in_fwd_fee as fwd_fee, t.in_ihr_fee as ihr_fee, t.in_import_fee as import_fee, t.in_created_at as created_at, t.mc_seqno as mc_seqno, t.in_opcode as opcode, t.in_bits as bits, t.in_source as source, t.account as destination, t.in_hash as hash, t.in_hash_norm as hash_norm, t.in_body_hash as body_hash, t.in_init_hash as init_hash, t.in_value_extra as value_extra, t.in_extra_flags as extra_flags, t.large as large, t.hash as received_by from transactions as t where t.in_created_lt is not null order by "t"."in_created_lt" desc, "t"."in_hash" desc limit $1) union all (select u.created_lt, u.value, u.fwd_fee, u.ihr_fee, null::bigint as import_fee, u.created_at, u.mc_seqno, u.opcode, u.bits, u.account as source, u.destination, u.hash, null::bytea as hash_norm, u.body_hash, u.init_hash, u.value_extra, u.extra_flags, u.large, null::bytea as received_by from unreceived_messages as u order by "u"."created_lt" desc, "u"."hash" desc limit $2) union all (select distinct on (t.hash_part, t.in_hash) t.in_created_lt as created_lt, t.in_value as value, t.in_fwd_fee as fwd_fee, t.in_ihr_fee as ihr_fee, t.in_import_fee as import_fee, t.in_created_at as created_at, t.mc_seqno as mc_seqno, t.in_opcode as opcode, t.in_bits as bits, t.in_source as source, t.account as destination, t.in_hash as hash, t.in_hash_norm as hash_norm, t.in_body_hash as body_hash, t.in_init_hash as init_hash, t.in_value_extra as value_extra, t.in_extra_flags as extra_flags, t.large as large, t.hash as received_by from (select t.*, substring(t.in_hash from 1 for 8) as hash_part from transactions as t where t.in_created_lt is null and t.in_hash is not null order by substring(t.in_hash from 1 for 8) desc, t.in_hash desc, t.lt desc limit $3) as t order by t.hash_part desc, t.in_hash desc, t.lt desc limit $4)) as m order by coalesce(m.created_lt, 9223372036854775807) desc, m.hash desc limit $5',
  ],
  [
    'further down',
    pageOf({}, 'lt', { after: { made: 7n, hash } }),
    'select m.* from ((select t.in_created_lt as created_lt, t.in_value as value, t.in_fwd_fee as fwd_fee, t.in_ihr_fee as ihr_fee, t.in_import_fee as import_fee, t.in_created_at as created_at, t.mc_seqno as mc_seqno, t.in_opcode as opcode, t.in_bits as bits, t.in_source as source, t.account as destination, t.in_hash as hash, t.in_hash_norm as hash_norm, t.in_body_hash as body_hash, t.in_init_hash as init_hash, t.in_value_extra as value_extra, t.in_extra_flags as extra_flags, t.large as large, t.hash as received_by from transactions as t where t.in_created_lt is not null and ("t"."in_created_lt", "t"."in_hash") < ($1, $2) order by "t"."in_created_lt" desc, "t"."in_hash" desc limit $3) union all (select u.created_lt, u.value, u.fwd_fee, u.ihr_fee, null::bigint as import_fee, u.created_at, u.mc_seqno, u.opcode, u.bits, u.account as source, u.destination, u.hash, null::bytea as hash_norm, u.body_hash, u.init_hash, u.value_extra, u.extra_flags, u.large, null::bytea as received_by from unreceived_messages as u where ("u"."created_lt", "u"."hash") < ($4, $5) order by "u"."created_lt" desc, "u"."hash" desc limit $6)) as m order by coalesce(m.created_lt, 9223372036854775807) desc, m.hash desc limit $7',
  ],
  [
    'with an opcode',
    pageOf({ opcode: 7, excludeExternals: true }, 'opcode'),
    'select m.* from ((select t.in_created_lt as created_lt, t.in_value as value, t.in_fwd_fee as fwd_fee, t.in_ihr_fee as ihr_fee, t.in_import_fee as import_fee, t.in_created_at as created_at, t.mc_seqno as mc_seqno, t.in_opcode as opcode, t.in_bits as bits, t.in_source as source, t.account as destination, t.in_hash as hash, t.in_hash_norm as hash_norm, t.in_body_hash as body_hash, t.in_init_hash as init_hash, t.in_value_extra as value_extra, t.in_extra_flags as extra_flags, t.large as large, t.hash as received_by from transactions as t where t.in_created_lt is not null and "t"."in_opcode" is not null and ("t"."in_opcode", "t"."in_created_lt") >= ($1, $2) and ("t"."in_opcode", "t"."in_created_lt") <= ($3, $4) and coalesce("t"."in_opcode" = $5, false) order by "t"."in_opcode" desc, "t"."in_created_lt" desc, "t"."in_hash" desc limit $6) union all (select u.created_lt, u.value, u.fwd_fee, u.ihr_fee, null::bigint as import_fee, u.created_at, u.mc_seqno, u.opcode, u.bits, u.account as source, u.destination, u.hash, null::bytea as hash_norm, u.body_hash, u.init_hash, u.value_extra, u.extra_flags, u.large, null::bytea as received_by from unreceived_messages as u where "u"."opcode" is not null and ("u"."opcode", "u"."created_lt") >= ($7, $8) and ("u"."opcode", "u"."created_lt") <= ($9, $10) and coalesce("u"."opcode" = $11, false) order by "u"."opcode" desc, "u"."created_lt" desc, "u"."hash" desc limit $12)) as m order by coalesce(m.created_lt, 9223372036854775807) desc, m.hash desc limit $13',
  ],
  [
    'with the empty body',
    pageOf({ bodyHash: 'empty', side: 'in' }, 'body'),
    `select m.* from ((select t.in_created_lt as created_lt, t.in_value as value, t.in_fwd_fee as fwd_fee, t.in_ihr_fee as ihr_fee, t.in_import_fee as import_fee, t.in_created_at as created_at, t.mc_seqno as mc_seqno, t.in_opcode as opcode, t.in_bits as bits, t.in_source as source, t.account as destination, t.in_hash as hash, t.in_hash_norm as hash_norm, t.in_body_hash as body_hash, t.in_init_hash as init_hash, t.in_value_extra as value_extra, t.in_extra_flags as extra_flags, t.large as large, t.hash as received_by from transactions as t where t.in_created_lt is not null and t.in_hash is not null and (coalesce(substring("t"."in_body_hash" from 1 for 7), '\\x'), "t"."in_created_lt") >= (coalesce(substring($1::bytea from 1 for 7), '\\x'), $2) and (coalesce(substring("t"."in_body_hash" from 1 for 7), '\\x'), "t"."in_created_lt") <= (coalesce(substring($3::bytea from 1 for 7), '\\x'), $4) and coalesce("t"."in_body_hash" is null, false) order by coalesce(substring("t"."in_body_hash" from 1 for 7), '\\x') desc, "t"."in_created_lt" desc, "t"."in_hash" desc limit $5) union all (select distinct on (t.hash_part, t.in_hash) t.in_created_lt as created_lt, t.in_value as value, t.in_fwd_fee as fwd_fee, t.in_ihr_fee as ihr_fee, t.in_import_fee as import_fee, t.in_created_at as created_at, t.mc_seqno as mc_seqno, t.in_opcode as opcode, t.in_bits as bits, t.in_source as source, t.account as destination, t.in_hash as hash, t.in_hash_norm as hash_norm, t.in_body_hash as body_hash, t.in_init_hash as init_hash, t.in_value_extra as value_extra, t.in_extra_flags as extra_flags, t.large as large, t.hash as received_by from (select t.*, substring(t.in_hash from 1 for 8) as hash_part from (select * from transactions as t where t.in_created_lt is null and t.in_hash is not null and coalesce(substring("t"."in_body_hash" from 1 for 7), '\\x') = coalesce(substring($6::bytea from 1 for 7), '\\x') offset 0) as t where t.in_created_lt is null and t.in_hash is not null and coalesce("t"."in_body_hash" is null, false) order by substring(t.in_hash from 1 for 8) desc, t.in_hash desc, t.lt desc limit $7) as t order by t.hash_part desc, t.in_hash desc, t.lt desc limit $8)) as m order by coalesce(m.created_lt, 9223372036854775807) desc, m.hash desc limit $9`,
  ],
  [
    'of a source',
    pageOf({ source: key }, 'source'),
    'select m.* from ((select t.in_created_lt as created_lt, t.in_value as value, t.in_fwd_fee as fwd_fee, t.in_ihr_fee as ihr_fee, t.in_import_fee as import_fee, t.in_created_at as created_at, t.mc_seqno as mc_seqno, t.in_opcode as opcode, t.in_bits as bits, t.in_source as source, t.account as destination, t.in_hash as hash, t.in_hash_norm as hash_norm, t.in_body_hash as body_hash, t.in_init_hash as init_hash, t.in_value_extra as value_extra, t.in_extra_flags as extra_flags, t.large as large, t.hash as received_by from transactions as t where t.in_created_lt is not null and (substring("t"."in_source" from 27 for 7), "t"."in_created_lt") >= (substring($1::bytea from 27 for 7), $2) and (substring("t"."in_source" from 27 for 7), "t"."in_created_lt") <= (substring($3::bytea from 27 for 7), $4) and coalesce("t"."in_source" = $5, false) order by substring("t"."in_source" from 27 for 7) desc, "t"."in_created_lt" desc, "t"."in_hash" desc limit $6) union all (select u.created_lt, u.value, u.fwd_fee, u.ihr_fee, null::bigint as import_fee, u.created_at, u.mc_seqno, u.opcode, u.bits, u.account as source, u.destination, u.hash, null::bytea as hash_norm, u.body_hash, u.init_hash, u.value_extra, u.extra_flags, u.large, null::bytea as received_by from unreceived_messages as u where "u"."account" is not null and ("u"."account", "u"."created_lt") >= ($7, $8) and ("u"."account", "u"."created_lt") <= ($9, $10) and coalesce("u"."account" = $11, false) order by "u"."account" desc, "u"."created_lt" desc, "u"."hash" desc limit $12)) as m order by coalesce(m.created_lt, 9223372036854775807) desc, m.hash desc limit $13',
  ],
  [
    'to a destination',
    pageOf({ destination: key, side: 'in' }, 'destination'),
    'select m.* from ((select t.in_created_lt as created_lt, t.in_value as value, t.in_fwd_fee as fwd_fee, t.in_ihr_fee as ihr_fee, t.in_import_fee as import_fee, t.in_created_at as created_at, t.mc_seqno as mc_seqno, t.in_opcode as opcode, t.in_bits as bits, t.in_source as source, t.account as destination, t.in_hash as hash, t.in_hash_norm as hash_norm, t.in_body_hash as body_hash, t.in_init_hash as init_hash, t.in_value_extra as value_extra, t.in_extra_flags as extra_flags, t.large as large, t.hash as received_by from transactions as t where t.in_created_lt is not null and (substring("t"."account" from 27 for 7), "t"."in_created_lt") >= (substring($1::bytea from 27 for 7), $2) and (substring("t"."account" from 27 for 7), "t"."in_created_lt") <= (substring($3::bytea from 27 for 7), $4) and coalesce("t"."account" = $5, false) order by substring("t"."account" from 27 for 7) desc, "t"."in_created_lt" desc, "t"."in_hash" desc limit $6) union all (select distinct on (t.key_part, t.hash_part, t.in_hash) t.in_created_lt as created_lt, t.in_value as value, t.in_fwd_fee as fwd_fee, t.in_ihr_fee as ihr_fee, t.in_import_fee as import_fee, t.in_created_at as created_at, t.mc_seqno as mc_seqno, t.in_opcode as opcode, t.in_bits as bits, t.in_source as source, t.account as destination, t.in_hash as hash, t.in_hash_norm as hash_norm, t.in_body_hash as body_hash, t.in_init_hash as init_hash, t.in_value_extra as value_extra, t.in_extra_flags as extra_flags, t.large as large, t.hash as received_by from (select t.*, substring("t"."account" from 27 for 7) as key_part, substring(t.in_hash from 1 for 8) as hash_part from transactions as t where t.in_created_lt is null and t.in_hash is not null and (substring("t"."account" from 27 for 7), substring(t.in_hash from 1 for 8)) >= (substring($7::bytea from 27 for 7), substring($8::bytea from 1 for 8)) and (substring("t"."account" from 27 for 7), substring(t.in_hash from 1 for 8)) <= (substring($9::bytea from 27 for 7), substring($10::bytea from 1 for 8)) and coalesce("t"."account" = $11, false) order by substring("t"."account" from 27 for 7) desc, substring(t.in_hash from 1 for 8) desc, t.in_hash desc, t.lt desc limit $12) as t order by t.key_part desc, t.hash_part desc, t.in_hash desc, t.lt desc limit $13)) as m order by coalesce(m.created_lt, 9223372036854775807) desc, m.hash desc limit $14',
  ],
  [
    'to a destination, further down among those from outside',
    pageOf({ destination: key, side: 'in' }, 'destination', { after: { made: NO_LT, hash } }),
    'select m.* from ((select t.in_created_lt as created_lt, t.in_value as value, t.in_fwd_fee as fwd_fee, t.in_ihr_fee as ihr_fee, t.in_import_fee as import_fee, t.in_created_at as created_at, t.mc_seqno as mc_seqno, t.in_opcode as opcode, t.in_bits as bits, t.in_source as source, t.account as destination, t.in_hash as hash, t.in_hash_norm as hash_norm, t.in_body_hash as body_hash, t.in_init_hash as init_hash, t.in_value_extra as value_extra, t.in_extra_flags as extra_flags, t.large as large, t.hash as received_by from transactions as t where t.in_created_lt is not null and (substring("t"."account" from 27 for 7), "t"."in_created_lt") >= (substring($1::bytea from 27 for 7), $2) and (substring("t"."account" from 27 for 7), "t"."in_created_lt") <= (substring($3::bytea from 27 for 7), $4) and coalesce("t"."account" = $5, false) and ("t"."in_created_lt", "t"."in_hash") < ($6, $7) order by substring("t"."account" from 27 for 7) desc, "t"."in_created_lt" desc, "t"."in_hash" desc limit $8) union all (select distinct on (t.key_part, t.hash_part, t.in_hash) t.in_created_lt as created_lt, t.in_value as value, t.in_fwd_fee as fwd_fee, t.in_ihr_fee as ihr_fee, t.in_import_fee as import_fee, t.in_created_at as created_at, t.mc_seqno as mc_seqno, t.in_opcode as opcode, t.in_bits as bits, t.in_source as source, t.account as destination, t.in_hash as hash, t.in_hash_norm as hash_norm, t.in_body_hash as body_hash, t.in_init_hash as init_hash, t.in_value_extra as value_extra, t.in_extra_flags as extra_flags, t.large as large, t.hash as received_by from (select t.*, substring("t"."account" from 27 for 7) as key_part, substring(t.in_hash from 1 for 8) as hash_part from transactions as t where t.in_created_lt is null and t.in_hash is not null and (substring("t"."account" from 27 for 7), substring(t.in_hash from 1 for 8)) >= (substring($9::bytea from 27 for 7), substring($10::bytea from 1 for 8)) and (substring("t"."account" from 27 for 7), substring(t.in_hash from 1 for 8)) <= (substring($11::bytea from 27 for 7), substring($12::bytea from 1 for 8)) and substring(t.in_hash from 1 for 8) <= substring($13::bytea from 1 for 8) and t.in_hash < $14 and coalesce("t"."account" = $15, false) order by substring("t"."account" from 27 for 7) desc, substring(t.in_hash from 1 for 8) desc, t.in_hash desc, t.lt desc limit $16) as t order by t.key_part desc, t.hash_part desc, t.in_hash desc, t.lt desc limit $17)) as m order by coalesce(m.created_lt, 9223372036854775807) desc, m.hash desc limit $18',
  ],
  [
    'to a destination with an opcode',
    pageOf({ destination: key, opcode: 7, onlyExternals: true }, 'destination'),
    'select m.* from ((select distinct on (t.key_part, t.hash_part, t.in_hash) t.in_created_lt as created_lt, t.in_value as value, t.in_fwd_fee as fwd_fee, t.in_ihr_fee as ihr_fee, t.in_import_fee as import_fee, t.in_created_at as created_at, t.mc_seqno as mc_seqno, t.in_opcode as opcode, t.in_bits as bits, t.in_source as source, t.account as destination, t.in_hash as hash, t.in_hash_norm as hash_norm, t.in_body_hash as body_hash, t.in_init_hash as init_hash, t.in_value_extra as value_extra, t.in_extra_flags as extra_flags, t.large as large, t.hash as received_by from (select t.*, substring("t"."account" from 27 for 7) as key_part, substring(t.in_hash from 1 for 8) as hash_part from (select * from transactions as t where t.in_created_lt is null and t.in_hash is not null and (substring("t"."account" from 27 for 7), substring(t.in_hash from 1 for 8)) >= (substring($1::bytea from 27 for 7), substring($2::bytea from 1 for 8)) and (substring("t"."account" from 27 for 7), substring(t.in_hash from 1 for 8)) <= (substring($3::bytea from 27 for 7), substring($4::bytea from 1 for 8)) and coalesce("t"."account" = $5, false) order by substring("t"."account" from 27 for 7) desc, substring(t.in_hash from 1 for 8) desc, t.in_hash desc, t.lt desc limit $6) as "t" where "t"."in_opcode" = $7 order by substring("t"."account" from 27 for 7) desc, substring(t.in_hash from 1 for 8) desc, t.in_hash desc, t.lt desc limit $8) as t order by t.key_part desc, t.hash_part desc, t.in_hash desc, t.lt desc limit $9)) as m order by coalesce(m.created_lt, 9223372036854775807) desc, m.hash desc limit $10',
  ],
  [
    'where that walk ends',
    searchEndQuery(searchOf({ destination: key, opcode: 7, onlyExternals: true }, walked('destination')))!.compile(
      queryBuilder,
    ),
    '(select 1 as one from transactions as t where t.in_created_lt is null and t.in_hash is not null and (substring("t"."account" from 27 for 7), substring(t.in_hash from 1 for 8)) >= (substring($1::bytea from 27 for 7), substring($2::bytea from 1 for 8)) and (substring("t"."account" from 27 for 7), substring(t.in_hash from 1 for 8)) <= (substring($3::bytea from 27 for 7), substring($4::bytea from 1 for 8)) and coalesce("t"."account" = $5, false) order by substring("t"."account" from 27 for 7) desc, substring(t.in_hash from 1 for 8) desc, t.in_hash desc, t.lt desc limit $6 offset $7)',
  ],
  [
    'from outside',
    pageOf({ onlyExternals: true }, 'lt'),
    'select m.* from ((select distinct on (t.hash_part, t.in_hash) t.in_created_lt as created_lt, t.in_value as value, t.in_fwd_fee as fwd_fee, t.in_ihr_fee as ihr_fee, t.in_import_fee as import_fee, t.in_created_at as created_at, t.mc_seqno as mc_seqno, t.in_opcode as opcode, t.in_bits as bits, t.in_source as source, t.account as destination, t.in_hash as hash, t.in_hash_norm as hash_norm, t.in_body_hash as body_hash, t.in_init_hash as init_hash, t.in_value_extra as value_extra, t.in_extra_flags as extra_flags, t.large as large, t.hash as received_by from (select t.*, substring(t.in_hash from 1 for 8) as hash_part from transactions as t where t.in_created_lt is null and t.in_hash is not null order by substring(t.in_hash from 1 for 8) desc, t.in_hash desc, t.lt desc limit $1) as t order by t.hash_part desc, t.in_hash desc, t.lt desc limit $2)) as m order by coalesce(m.created_lt, 9223372036854775807) desc, m.hash desc limit $3',
  ],
  [
    'by hash, of transactions',
    foundMessagesQuery({ direction: 'desc' }, [hash]).compile(queryBuilder),
    '(select t.in_hash as hash, t.in_created_lt as created_lt, case when t.in_bits & 7 = 1 then t.in_source end as source, t.account, t.lt, t.mc_seqno from transactions as t where t.in_hash = any($1) limit $2) union all (select t.in_hash as hash, t.in_created_lt as created_lt, case when t.in_bits & 7 = 1 then t.in_source end as source, t.account, t.lt, t.mc_seqno from transactions as t where t.in_hash_norm is not null and t.in_hash_norm = any($3) limit $4) union all (select u.hash, u.created_lt, u.account as source, null::bytea as account, null::bigint as lt, u.mc_seqno from unreceived_messages as u where u.hash = any($5) limit $6)',
  ],
  [
    'by hash, of those that received it',
    receivedMessagesQuery({ direction: 'desc' }, [hash]).compile(queryBuilder),
    '(select t.in_hash as hash, t.in_created_lt as created_lt, case when t.in_bits & 7 = 1 then t.in_source end as source, t.account, t.lt, t.mc_seqno from transactions as t where t.in_hash = any($1) limit $2)',
  ],
  [
    'who received an opcode',
    scanQuery(receiversScan({ opcode: 7, direction: 'desc' }, 'opcode', first), 2000).compile(queryBuilder),
    'select "t".* from transactions as t where t.in_opcode is not null and (t.in_opcode::bigint, t.lt) >= ($1::bigint, $2) and (t.in_opcode::bigint, t.lt) <= ($3::bigint, $4) and coalesce(t.in_opcode = $5, false) order by t.in_opcode::bigint desc, "t"."lt" desc, "t"."account" asc limit $6',
  ],
  [
    'who received a body at a destination',
    scanQuery(receiversScan({ bodyHash: hash, destination: key, direction: 'asc' }, 'body', first), undefined).compile(
      queryBuilder,
    ),
    `select "t".* from transactions as t where t.in_hash is not null and (coalesce(substring(t.in_body_hash from 8 for 7), '\\x'), t.lt) >= (coalesce(substring($1::bytea from 8 for 7), '\\x'), $2) and (coalesce(substring(t.in_body_hash from 8 for 7), '\\x'), t.lt) <= (coalesce(substring($3::bytea from 8 for 7), '\\x'), $4) and coalesce(t.in_body_hash = $5, false) and coalesce(t.account = $6, false) order by coalesce(substring(t.in_body_hash from 8 for 7), '\\x') asc, "t"."lt" asc, "t"."account" asc limit $7`,
  ],
] as const

for (const [name, { sql }, expected] of cases) {
  test(name, () => assert.equal(sql.replace(/\s+/g, ' ').trim(), expected))
}

test('who received a message, and who sent it', () => {
  assert.equal(
    messageEndsQuery([hash]).compile(queryBuilder).sql.replaceAll(/\s+/g, ' '),
    'select t.trace_id, t.message_hash, t.hash as receiver, s.hash as sender from ( select trace_id, "in_hash" as message_hash, hash, mc_seqno, in_created_lt, case when in_bits & 7 = 1 then in_source end as in_source from transactions where "in_hash" is not null and "in_hash" = any($1) ) as t left join lateral ( select s.hash, s.lt + s.out_count as last_lt from transactions as s where s.account = "t"."in_source" and s.lt < "t"."in_created_lt" and s.mc_seqno <= "t"."mc_seqno" order by s.lt desc limit 1 ) as s on s.last_lt >= "t"."in_created_lt" union all select t.trace_id, t.message_hash, t.hash as receiver, s.hash as sender from ( select trace_id, "in_hash_norm" as message_hash, hash, mc_seqno, in_created_lt, case when in_bits & 7 = 1 then in_source end as in_source from transactions where "in_hash_norm" is not null and "in_hash_norm" = any($2) ) as t left join lateral ( select s.hash, s.lt + s.out_count as last_lt from transactions as s where s.account = "t"."in_source" and s.lt < "t"."in_created_lt" and s.mc_seqno <= "t"."mc_seqno" order by s.lt desc limit 1 ) as s on s.last_lt >= "t"."in_created_lt" union all select u.trace_id, u.hash, null, s.hash from unreceived_messages as u left join lateral ( select s.hash, s.lt + s.out_count as last_lt from transactions as s where s.account = "u"."account" and s.lt < "u"."created_lt" and s.mc_seqno <= "u"."mc_seqno" order by s.lt desc limit 1 ) as s on s.last_lt >= "u"."created_lt" where "u"."hash" = any($3)',
  )
})
