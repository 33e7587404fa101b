import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  blockTracesQuery,
  joinedTracesQuery,
  namedTracesQuery,
  scatteredTransactionsQuery,
  tracesQuery,
  traceTransactionsQuery,
} from './traces.ts'

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
    'select "trace_id" from "transactions" where substring(trace_id from 1 for 7) = any($1) and "trace_id" = any($2) and "account" = $3 and "mc_seqno" >= $4 and "mc_seqno" <= $5',
  )
})

const trace = {
  traceId: hash,
  startLt: 1n,
  endLt: 2n,
  startUtime: 1,
  endUtime: 2,
  startSeqno: 1,
  endSeqno: 2,
  transactions: 1,
  messages: 1,
}

test('the transactions of traces that may be far from each other', () => {
  assert.equal(
    scatteredTransactionsQuery([trace]).sql.replace(/\s+/g, ' '),
    'select t.* from unnest($1::bytea[], $2::integer[], $3::integer[]) as w(trace_id, first_seqno, last_seqno) cross join lateral ( select * from transactions as t where substring(t.trace_id from 1 for 7) = substring(w.trace_id from 1 for 7) and t.trace_id = w.trace_id and t.mc_seqno >= w.first_seqno and t.mc_seqno <= w.last_seqno and t.mc_seqno >= $4 and t.mc_seqno <= $5 offset 0 ) as t',
  )
  assert.deepEqual(scatteredTransactionsQuery([trace, { ...trace, endSeqno: 9 }]).parameters, [
    [hash, hash],
    [1, 1],
    [2, 9],
    1,
    9,
  ])
})

test('the transactions of traces', () => {
  assert.equal(
    traceTransactionsQuery([trace]).sql.replace(/\s+/g, ' '),
    'select * from transactions where substring(trace_id from 1 for 7) = any($4::bytea[]) and trace_id = any($1::bytea[]) and mc_seqno >= $2 and mc_seqno <= $3 order by lt asc, account asc',
  )
})

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
