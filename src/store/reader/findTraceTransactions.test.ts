import assert from 'node:assert/strict'
import { test } from 'node:test'
import { traceTransactionsQuery } from './findTraceTransactions.ts'

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

test('the transactions of traces', () => {
  assert.equal(
    traceTransactionsQuery([trace]).sql,
    'select * from transactions where trace_id = any($1) and mc_seqno >= $2 and mc_seqno <= $3 order by lt asc, account asc',
  )
})
