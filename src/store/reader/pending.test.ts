import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changedAccountsQuery, finishedQuery, otherExternalQuery, receivedQuery } from './pending.ts'

const hash = new Uint8Array(32)

test('which are finished', () => {
  assert.equal(
    finishedQuery([hash]).compile().sql,
    'select "t"."trace_id", exists (select 1 as "one" from "unclassified_blocks" as "u" where "u"."mc_seqno" = "t"."mc_seqno") as "is_waiting" from "traces" as "t" where "t"."trace_id" = any($1)',
  )
})

test('which were received', () => {
  assert.equal(receivedQuery([hash]).compile().sql, 'select "in_hash" from "transactions" where "in_hash" = any($1)')
})

test('the newest transaction of each account', () => {
  const { sql, parameters } = changedAccountsQuery([{ account: new Uint8Array(33), lt: 5n }], 70).compile()
  assert.equal(
    sql.replaceAll(/\s+/g, ' '),
    'select "t".* from unnest( $1::bytea[], $2::bigint[] ) as k(account, lt) inner join lateral ' +
      '(select "t"."account", "t"."lt", "t"."mc_seqno" from "transactions" as "t" where "t"."account" = "k"."account" ' +
      'and "t"."lt" > "k"."lt" and "t"."mc_seqno" >= $3 order by "t"."lt" desc limit $4) as "t" on true',
  )
  assert.deepEqual(parameters, [[new Uint8Array(33)], [5n], 70, 1])
})

test('another external-in message of an account', () => {
  const { sql, parameters } = otherExternalQuery(new Uint8Array(33), 5n, [hash]).compile()
  assert.equal(
    sql,
    'select "in_hash" from "transactions" where "account" = $1 and "lt" > $2 and "in_created_lt" is null and "in_hash" is not null and not "in_hash" = any($3) limit $4',
  )
  assert.deepEqual(parameters, [new Uint8Array(33), 5n, [hash], 1])
})
