import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  blockActionsQuery,
  blockBeforeQuery,
  blockStatusQuery,
  indexedRangesQuery,
  jettonBalancesQuery,
  masterchainHashesQuery,
  queuedBlocksQuery,
  traceBeginningQuery,
  walletFactsQuery,
} from './eventRows.ts'

const flat = (sql: string): string => sql.replace(/\s+/g, ' ')

test('what is indexed, and whether a block is still the same', () => {
  assert.equal(
    flat(indexedRangesQuery(5).sql),
    'select r.first_seqno, r.last_seqno, (select b.root_hash from blocks as b where b.mc_seqno = $1 and b.workchain = -1 limit 1) as root_hash from covered_ranges as r order by r.first_seqno desc',
  )
  assert.equal(
    flat(blockStatusQuery(5).sql),
    'select b.mc_seqno, b.root_hash, i.committed_at, i.gen_utime, exists (select 1 from unclassified_blocks as u where u.mc_seqno = b.mc_seqno) as is_queued from blocks as b join indexed_blocks as i on i.mc_seqno = b.mc_seqno where b.mc_seqno >= $1 and b.mc_seqno <= $2 and i.mc_seqno >= $1 and i.mc_seqno <= $2 and b.workchain = -1 order by b.mc_seqno desc',
  )
  assert.deepEqual(blockStatusQuery(5).parameters, [4, 5])
  assert.equal(
    masterchainHashesQuery(1, 5).compile().sql,
    'select "mc_seqno", "root_hash" from "blocks" where "mc_seqno" >= $1 and "mc_seqno" <= $2 and "workchain" = $3 order by "mc_seqno" desc',
  )
  assert.equal(
    queuedBlocksQuery(1, 5).compile().sql,
    'select distinct "mc_seqno" from "unclassified_blocks" where "mc_seqno" >= $1 and "mc_seqno" <= $2',
  )
})

test('the block before a time', () => {
  const { sql, parameters } = blockBeforeQuery(0xffff_ffff).compile()
  assert.equal(
    sql,
    'select "mc_seqno" from "blocks" where "workchain" = $1 and "gen_utime" <= $2 order by "gen_utime" desc, "mc_seqno" desc limit $3',
  )
  assert.deepEqual(parameters, [-1, 0x7fff_ffff, 1])
})

test('the rows of a block: actions, balances, wallets, and the beginning of a large trace', () => {
  assert.match(
    blockActionsQuery(5, 1n, 2n).compile().sql,
    /from "actions" where "mc_seqno" = \$1 and "trace_end_lt" >= \$2 and "trace_end_lt" <= \$3 order by "start_lt" asc, "end_lt" asc, "action_id" asc$/,
  )
  assert.equal(
    jettonBalancesQuery(5).compile().sql,
    'select "address", "lt", "balance" from "jetton_balances" where "mc_seqno" = $1',
  )
  assert.equal(
    walletFactsQuery([]).compile().sql,
    'select "address", "owner", "jetton", "since_lt" from "jetton_wallets" where "address" = any($1)',
  )
  const trace = { traceId: new Uint8Array(32), startSeqno: 1, endSeqno: 2, transactions: 9, messages: 9 }
  const times = { startLt: 1n, endLt: 2n, startUtime: 1, endUtime: 2 }
  assert.equal(
    flat(traceBeginningQuery({ ...trace, ...times }, 3).sql),
    'select * from transactions where substring(trace_id from 1 for 7) = substring($1::bytea from 1 for 7) and trace_id = $1::bytea and mc_seqno >= $2 and mc_seqno <= $3 order by lt asc, account asc limit $4',
  )
})
