import assert from 'node:assert/strict'
import { test } from 'node:test'
import { namedTracesQuery, tracesQuery } from './listTraces.ts'

const hash = new Uint8Array(32)
const none = { startUtime: undefined, endUtime: undefined, startLt: undefined, endLt: undefined }
const first = { limit: 10, offset: 0, after: undefined }
const desc = { ...none, direction: 'desc' } as const

test('all of them', () => {
  assert.equal(
    tracesQuery({ window: desc }, { ...first, offset: 5 }).compile().sql,
    'select "start_lt", "end_lt", "mc_seqno_start", "mc_seqno", "start_utime", "end_utime", "transactions", "messages", "trace_id" from "traces" order by "end_lt" desc, "trace_id" desc limit $1 offset $2',
  )
})

test('some, in a window, after a place', () => {
  assert.equal(
    tracesQuery(
      { traceIds: [hash], mcSeqno: 5, window: { ...none, startUtime: 1, endLt: 5n, direction: 'asc' } },
      { ...first, after: { order: 'traces by time asc', key: [1, hash] } },
    ).compile().sql,
    'select "start_lt", "end_lt", "mc_seqno_start", "mc_seqno", "start_utime", "end_utime", "transactions", "messages", "trace_id" from (select "start_lt", "end_lt", "mc_seqno_start", "mc_seqno", "start_utime", "end_utime", "transactions", "messages", "trace_id" from "traces" where "trace_id" = any($1) and "mc_seqno" = $2 and "end_utime" >= $3 and "end_lt" <= $4 offset 0) as "found" where ("end_utime", "trace_id") > ($5, $6) order by "end_utime" asc, "trace_id" asc limit $7',
  )
})

test('some, and nothing else is asked', () => {
  assert.equal(
    namedTracesQuery([hash]).sql,
    'select start_lt, end_lt, mc_seqno_start, mc_seqno, start_utime, end_utime, transactions, messages, trace_id from traces where trace_id = any($1)',
  )
})
