import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shardTopsQuery } from './findShardTops.ts'

test('for each shard one look at the place of its newest block', () => {
  assert.equal(
    shardTopsQuery(5).compile().sql,
    'select * from "blocks" where "mc_seqno" = $1 and "workchain" = $2 union all select "top".* from "shard_tops" inner join lateral (select "blocks".* from "blocks" where "blocks"."seqno" = "shard_tops"."seqno" and "blocks"."workchain" = "shard_tops"."workchain" and "blocks"."shard" = "shard_tops"."shard" and "blocks"."mc_seqno" <= $3 limit $4) as "top" on true where "shard_tops"."mc_seqno" = $5 order by workchain, shard, seqno',
  )
})
