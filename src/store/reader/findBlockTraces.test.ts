import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blockTracesQuery, joinedTracesQuery } from './findBlockTraces.ts'

const hash = new Uint8Array(32)
const account = new Uint8Array(33)

test('traces that ended in a block', () => {
  assert.equal(
    blockTracesQuery(5).compile().sql,
    'select "trace_id", "mc_seqno_start" from "traces" where "mc_seqno" = $1',
  )
})

test('those with an account', () => {
  assert.equal(
    joinedTracesQuery(account, [hash], 1, 5).compile().sql,
    'select "trace_id" from "transactions" where "trace_id" = any($1) and "account" = $2 and "mc_seqno" >= $3 and "mc_seqno" <= $4',
  )
})
