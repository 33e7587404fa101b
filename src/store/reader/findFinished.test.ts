import assert from 'node:assert/strict'
import { test } from 'node:test'
import { finishedQuery } from './findFinished.ts'

const hash = new Uint8Array(32)

test('which are finished', () => {
  assert.equal(
    finishedQuery([hash]).compile().sql,
    'select "t"."trace_id", exists (select 1 as "one" from "unclassified_blocks" as "u" where "u"."mc_seqno" = "t"."mc_seqno") as "is_waiting" from "traces" as "t" where "t"."trace_id" = any($1)',
  )
})
