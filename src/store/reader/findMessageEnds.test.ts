import assert from 'node:assert/strict'
import { test } from 'node:test'
import { queryBuilder } from '../queryBuilder.ts'
import { messageEndsQuery } from './findMessageEnds.ts'

const hash = new Uint8Array(32)

test('who received a message, and who sent it', () => {
  assert.equal(
    messageEndsQuery([hash]).compile(queryBuilder).sql.replaceAll(/\s+/g, ' '),
    'select t.trace_id, t.message_hash, t.hash as receiver, s.hash as sender from ( select trace_id, "in_hash" as message_hash, hash, mc_seqno, in_created_lt, case when in_bits & 7 = 1 then in_source end as in_source from transactions where "in_hash" is not null and "in_hash" = any($1) ) as t left join lateral ( select s.hash, s.lt + s.out_count as last_lt from transactions as s where s.account = "t"."in_source" and s.lt < "t"."in_created_lt" and s.mc_seqno <= "t"."mc_seqno" order by s.lt desc limit 1 ) as s on s.last_lt >= "t"."in_created_lt" union all select t.trace_id, t.message_hash, t.hash as receiver, s.hash as sender from ( select trace_id, "in_hash_norm" as message_hash, hash, mc_seqno, in_created_lt, case when in_bits & 7 = 1 then in_source end as in_source from transactions where "in_hash_norm" is not null and "in_hash_norm" = any($2) ) as t left join lateral ( select s.hash, s.lt + s.out_count as last_lt from transactions as s where s.account = "t"."in_source" and s.lt < "t"."in_created_lt" and s.mc_seqno <= "t"."mc_seqno" order by s.lt desc limit 1 ) as s on s.last_lt >= "t"."in_created_lt" union all select u.trace_id, u.hash, null, s.hash from unreceived_messages as u left join lateral ( select s.hash, s.lt + s.out_count as last_lt from transactions as s where s.account = "u"."account" and s.lt < "u"."created_lt" and s.mc_seqno <= "u"."mc_seqno" order by s.lt desc limit 1 ) as s on s.last_lt >= "u"."created_lt" where "u"."hash" = any($3)',
  )
})
