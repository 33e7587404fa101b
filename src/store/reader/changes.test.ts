import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blockSizesQuery, endedTracesQuery, lastTransactionsQuery } from './changes.ts'

test('what changed in blocks is found by their logical times', () => {
  const blocks = '(select start_lt, end_lt from blocks where mc_seqno >= $1 and mc_seqno <= $2 offset 0) as b'
  assert.equal(
    lastTransactionsQuery(1, 5).sql.replace(/\s+/g, ' '),
    `select distinct on (t.mc_seqno, t.account) t.mc_seqno, t.account, t.lt, t.hash from transactions as t where t.mc_seqno >= $1 and t.mc_seqno <= $2 and t.lt >= (select min(b.start_lt) from ${blocks}) and t.lt <= (select max(b.end_lt) from ${blocks}) order by t.mc_seqno, t.account, t.lt desc`,
  )
  assert.equal(
    endedTracesQuery(1, 5).compile().sql,
    'select "mc_seqno", "trace_id" from "traces" where "mc_seqno" >= $1 and "mc_seqno" <= $2 order by "mc_seqno", "end_lt", "trace_id"',
  )
  assert.equal(
    blockSizesQuery(1, 5).compile().sql,
    'select "mc_seqno", "gen_utime", "tx_count" from "indexed_blocks" where "mc_seqno" >= $1 and "mc_seqno" <= $2 order by "mc_seqno"',
  )
})
