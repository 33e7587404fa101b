import assert from 'node:assert/strict'
import { test } from 'node:test'
import { edgeBlocksQuery } from './findEdgeBlocks.ts'

test('the edges of the newest range are found by the primary keys', () => {
  assert.equal(
    edgeBlocksQuery().compile().sql,
    'select "blocks".* from (select "first_seqno", "last_seqno" from "covered_ranges" order by "first_seqno" desc limit $1) as "newest" inner join "blocks" on blocks.mc_seqno = any(array[newest.first_seqno, newest.last_seqno]) and "blocks"."workchain" = $2 order by "blocks"."mc_seqno"',
  )
})
