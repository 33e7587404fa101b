import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scatteredTransactionsQuery, traceTransactionsQuery } from './findTraceTransactions.ts'

const hash = new Uint8Array(32)
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
    'select t.* from unnest($1::bytea[], $2::integer[], $3::integer[]) as w(trace_id, first_seqno, last_seqno) cross join lateral ( select * from transactions as t where t.trace_id = w.trace_id and t.mc_seqno >= w.first_seqno and t.mc_seqno <= w.last_seqno and t.mc_seqno >= $4 and t.mc_seqno <= $5 offset 0 ) as t',
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
    traceTransactionsQuery([trace]).sql,
    'select * from transactions where trace_id = any($1) and mc_seqno >= $2 and mc_seqno <= $3 order by lt asc, account asc',
  )
})
