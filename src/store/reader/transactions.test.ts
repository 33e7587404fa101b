import assert from 'node:assert/strict'
import { test } from 'node:test'
import { queryBuilder } from '../schema/tables.ts'
import { reachQuery, transactionsOfAccountsQuery } from './accountTransactions.ts'
import { scanEndQuery, scanQuery } from './indexScan.ts'
import { anyLt, type Page } from './page.ts'
import {
  shardSpanQuery,
  type TransactionFilter,
  transactionsOfShardQuery,
  workchainsQuery,
} from './transactionFilter.ts'
import {
  accountsQueryOf,
  transactionsByLtScan,
  transactionsByTimeQuery,
  transactionsOfBlocksQuery,
  transactionsOfHashesQuery,
} from './transactions.ts'

const key = new Uint8Array(33)
const hash = new Uint8Array(32)
const first: Page = { limit: 10, offset: 0, after: undefined }
const newest: TransactionFilter = { time: {}, direction: 'desc' }

const cases = [
  [
    'the newest',
    scanQuery(transactionsByLtScan(newest, first), 2000).compile(queryBuilder),
    'select "t".* from transactions as t order by "t"."lt" desc, "t"."account" asc limit $1',
  ],
  [
    'further down',
    scanQuery(
      transactionsByLtScan(newest, { ...first, after: { order: 'transactions by lt desc', key: [5n, key] } }),
      2000,
    ).compile(queryBuilder),
    'select "t".* from transactions as t where "t"."lt" <= $1 and ("t"."lt" < $2 or "t"."lt" = $3 and ("t"."account" > $4)) order by "t"."lt" desc, "t"."account" asc limit $5',
  ],
  [
    'with an offset',
    scanQuery(transactionsByLtScan({ ...newest, direction: 'asc' }, { ...first, offset: 20 }), 2000).compile(
      queryBuilder,
    ),
    'select "t".* from transactions as t order by "t"."lt" asc, "t"."account" asc limit $1 offset $2',
  ],
  [
    'in a window',
    scanQuery(transactionsByLtScan({ ...newest, startLt: 3n, endLt: 9n }, first), 2000).compile(queryBuilder),
    'select "t".* from transactions as t where "t"."lt" >= $1 and "t"."lt" <= $2 order by "t"."lt" desc, "t"."account" asc limit $3',
  ],
  [
    'without some accounts',
    scanQuery(transactionsByLtScan({ ...newest, excludedAccounts: [key], workchain: -1 }, first), 2000).compile(
      queryBuilder,
    ),
    'select "t".* from (select "t".* from transactions as t where (get_byte(t.account, 0), t.lt) >= ($1, $2) and (get_byte(t.account, 0), t.lt) <= ($3, $4) order by get_byte(t.account, 0) desc, "t"."lt" desc, "t"."account" asc limit $5) as "t" where t.account <> all($6) order by "t"."lt" desc, "t"."account" asc limit $7',
  ],
  [
    'where that walk ends',
    scanEndQuery(transactionsByLtScan({ ...newest, excludedAccounts: [key] }, first), 2000).compile(queryBuilder),
    'select 1 as one from transactions as t order by "t"."lt" desc, "t"."account" asc limit 1 offset $1',
  ],
  [
    'of a workchain',
    scanQuery(transactionsByLtScan({ ...newest, workchain: 0 }, first), 2000).compile(queryBuilder),
    'select "t".* from transactions as t where (get_byte(t.account, 0), t.lt) >= ($1, $2) and (get_byte(t.account, 0), t.lt) <= ($3, $4) order by get_byte(t.account, 0) desc, "t"."lt" desc, "t"."account" asc limit $5',
  ],
  [
    'of a workchain by time, further down',
    transactionsByTimeQuery(
      { ...newest, workchain: -1, time: { from: 5 } },
      { ...first, after: { order: 'transactions by time desc', key: [8, 5n, key] } },
    ).compile(queryBuilder),
    'select t.* from blocks as b cross join lateral (select * from transactions as t where t.mc_seqno = b.mc_seqno and t.lt >= b.start_lt and t.lt <= b.end_lt and t.block_seqno = b.seqno and t.block_shard = b.shard and get_byte(t.account, 0) = (b.workchain & 255) offset 0) as t where b.tx_count > 0 and (b.workchain, b.gen_utime) >= ($1, $2) and (b.workchain, b.gen_utime) <= ($3, $4) and "b"."gen_utime" <= $5 and ("b"."gen_utime" < $6 or "b"."gen_utime" = $7 and ("t"."lt" < $8 or "t"."lt" = $9 and ("t"."account" > $10))) order by "b"."workchain" desc, "b"."gen_utime" desc, "t"."lt" desc, "t"."account" asc limit $11',
  ],
  [
    'of a shard of a workchain',
    transactionsOfShardQuery({ ...newest, shard: 1n << 63n, time: { to: 9 } }, [0], anyLt, first).compile(queryBuilder),
    'select t.* from blocks as b cross join lateral (select * from transactions as t where t.mc_seqno = b.mc_seqno and t.lt >= b.start_lt and t.lt <= b.end_lt and t.block_seqno = b.seqno and t.block_shard = b.shard and get_byte(t.account, 0) = (b.workchain & 255) offset 0) as t where b.tx_count > 0 and (b.workchain, b.shard, b.start_lt) >= ($1, $2, $3) and (b.workchain, b.shard, b.start_lt) <= ($4, $5, $6) and "b"."gen_utime" <= $7 order by b.workchain desc, b.shard desc, b.start_lt desc, t.lt desc, t.account asc limit $8',
  ],
  [
    'of a shard of any workchain',
    transactionsOfShardQuery({ ...newest, shard: 1n << 63n, direction: 'asc' }, [-1, 0], anyLt, {
      ...first,
      offset: 5,
    }).compile(queryBuilder),
    'select t.* from unnest($1::integer[]) as w(workchain) cross join lateral (select t.* from blocks as b cross join lateral (select * from transactions as t where t.mc_seqno = b.mc_seqno and t.lt >= b.start_lt and t.lt <= b.end_lt and t.block_seqno = b.seqno and t.block_shard = b.shard and get_byte(t.account, 0) = (b.workchain & 255) offset 0) as t where b.tx_count > 0 and (b.workchain, b.shard, b.start_lt) >= (w.workchain, $2, $3) and (b.workchain, b.shard, b.start_lt) <= (w.workchain, $4, $5) order by b.workchain asc, b.shard asc, b.start_lt asc, t.lt asc, t.account asc limit $6) as t order by "t"."lt" asc, "t"."account" asc limit $7 offset $8',
  ],
  [
    'which workchains there are',
    workchainsQuery(),
    'with recursive found as ( (select b.workchain from blocks as b order by b.workchain limit 1) union all select (select b.workchain from blocks as b where b.workchain > found.workchain order by b.workchain limit 1) from found where found.workchain is not null ) select found.workchain from found where found.workchain is not null',
  ],
  [
    'how long a shard was there',
    shardSpanQuery(0, 1n << 62n).compile(queryBuilder),
    'select (select b.start_lt from blocks as b where b.tx_count > 0 and b.workchain = $1 and b.shard = $2 order by b.workchain, b.shard, b.start_lt limit 1) as "from", (select b.end_lt from blocks as b where b.tx_count > 0 and b.workchain = $3 and b.shard = $4 order by b.workchain desc, b.shard desc, b.start_lt desc limit 1) as "to"',
  ],
  [
    'of a masterchain block',
    scanQuery(transactionsByLtScan({ ...newest, mcSeqno: 7 }, first), 2000).compile(queryBuilder),
    'select "t".* from transactions as t where t.mc_seqno = $1 and t.lt >= (select min(own.start_lt) from (select start_lt, end_lt from blocks where mc_seqno = $2 offset 0) as own) and t.lt <= (select max(own.end_lt) from (select start_lt, end_lt from blocks where mc_seqno = $3 offset 0) as own) order by "t"."lt" desc, "t"."account" asc limit $4',
  ],
  [
    'at a logical time',
    scanQuery(transactionsByLtScan({ ...newest, lt: 7n }, first), 2000).compile(queryBuilder),
    'select "t".* from transactions as t where "t"."lt" = $1 order by "t"."account" desc limit $2',
  ],
  [
    'by time',
    transactionsByTimeQuery({ ...newest, time: { from: 5, to: 9 } }, first).compile(queryBuilder),
    'select t.* from blocks as b cross join lateral (select * from transactions as t where t.mc_seqno = b.mc_seqno and t.lt >= b.start_lt and t.lt <= b.end_lt and t.block_seqno = b.seqno and t.block_shard = b.shard and get_byte(t.account, 0) = (b.workchain & 255) offset 0) as t where b.tx_count > 0 and "b"."gen_utime" >= $1 and "b"."gen_utime" <= $2 order by "b"."gen_utime" desc, "t"."lt" desc, "t"."account" asc limit $3',
  ],
  [
    'of a block',
    transactionsOfBlocksQuery({ ...newest, workchain: 0, shard: 1n << 63n, seqno: 7 }, first).compile(queryBuilder),
    'select t.* from blocks as b cross join lateral (select * from transactions as t where t.mc_seqno = b.mc_seqno and t.lt >= b.start_lt and t.lt <= b.end_lt and t.block_seqno = b.seqno and t.block_shard = b.shard and get_byte(t.account, 0) = (b.workchain & 255) offset 0) as t where b.seqno = $1 and b.workchain = $2 and b.shard = $3 order by "t"."lt" desc, "t"."account" asc limit $4',
  ],
  [
    'by hash',
    transactionsOfHashesQuery(
      { ...newest, hashes: [hash] },
      [{ hash, lt: 1n, mc_seqno: 1, account: null }],
      first,
    ).compile(queryBuilder),
    'select t.* from ( select distinct w.hash, w.lt, w.mc_seqno from unnest($1::bytea[], $2::bigint[], $3::integer[]) as w(hash, lt, mc_seqno) ) as l cross join lateral ( select * from transactions as t where t.lt = l.lt and t.mc_seqno = l.mc_seqno and t.hash = l.hash and t.mc_seqno >= $4 and t.mc_seqno <= $5 limit 1 ) as t order by "t"."hash" desc limit $6',
  ],
  [
    'of an account',
    transactionsOfAccountsQuery(accountsQueryOf({ ...newest, accounts: [key] }, anyLt, first)).compile(queryBuilder),
    'select t.* from transactions as t where (t.account, t.lt) >= ($1, $2) and (t.account, t.lt) <= ($3, $4) order by t.account desc, t.lt desc limit $5',
  ],
  [
    'of accounts',
    transactionsOfAccountsQuery(accountsQueryOf({ ...newest, accounts: [key, key] }, anyLt, first)).compile(
      queryBuilder,
    ),
    'select t.* from ( select t.account, t.lt, t.mc_seqno from unnest($1::bytea[]) as a(account) cross join lateral (select t.account, t.lt, t.mc_seqno from transactions as t where t.account = a.account order by t.lt desc limit $2) as t order by "t"."lt" desc, "t"."account" asc limit $3 ) as k cross join lateral ( select * from transactions as t where t.account = k.account and t.lt = k.lt and t.mc_seqno = k.mc_seqno limit 1 ) as t order by "t"."lt" desc, "t"."account" asc',
  ],
  [
    'of accounts in a shard',
    transactionsOfAccountsQuery(
      accountsQueryOf({ ...newest, accounts: [key], shard: 1n << 63n }, anyLt, first, 2000),
    ).compile(queryBuilder),
    'select t.* from ( select t.account, t.lt, t.mc_seqno from unnest($1::bytea[]) as a(account) cross join lateral (select t.account, t.lt, t.mc_seqno from (select * from transactions as t where t.account = a.account order by t.lt desc limit $2) as t where t.block_shard = $3 order by t.lt desc limit $4) as t order by "t"."lt" desc limit $5 ) as k cross join lateral ( select * from transactions as t where t.account = k.account and t.lt = k.lt and t.mc_seqno = k.mc_seqno limit 1 ) as t order by "t"."lt" desc',
  ],
  [
    'how far a page of accounts reaches',
    reachQuery(accountsQueryOf({ ...newest, accounts: [key, key] }, anyLt, first), 20).compile(queryBuilder),
    'select t.now, t.lt from unnest($1::bytea[]) as a(account) cross join lateral (select t.now, t.lt, t.account from transactions as t where t.account = a.account order by t.lt desc limit $2) as t order by "t"."lt" desc, "t"."account" asc limit 1 offset $3',
  ],
] as const

for (const [name, { sql }, expected] of cases) {
  test(name, () => assert.equal(sql.replace(/\s+/g, ' ').trim(), expected))
}
