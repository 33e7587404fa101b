import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Shards } from './Shards.ts'
import { placeAnywhere, placeOnShard, splitByWorker } from './workerStatements.ts'

const [one, other] = [
  { host: 'a', port: 1, group: 1 },
  { host: 'b', port: 2, group: 2 },
]
const tables = ['transactions', 'unreceived_messages', 'jetton_wallets']
const bounds = new Map(tables.map((table) => [table, [-(2 ** 31), -(2 ** 30), 0]]))
const places = new Map(
  tables.map((table, k) => [table, [one, one, other].map((worker, shard) => ({ id: `${k}${shard}`, worker }))]),
)
const shards = new Shards(bounds, places, new Map([['codes', '99']]))
const keys = Array.from({ length: 40 }, (_, k) => Uint8Array.of(k))
const on = (...wanted: number[]) => keys.filter((key) => wanted.includes(shards.find('transactions', key)!))
const guard = (id: string, group: number) =>
  `(select 1 / count(*) from pg_dist_placement where shardid = ${id} and groupid = ${group}) = 1`

const split = (sql: string, ...parameters: unknown[]) =>
  splitByWorker({ sql, parameters }, shards)?.map(({ sql: text, ...rest }) => ({ ...rest, sql: text.trim() }))

test('a select by one key is for the table of its shard, and fails there once that has moved', () => {
  const [key] = on(2)
  const sql =
    'select t.hash from transactions as t where t.lt > $1 and t.account = $2::bytea order by t.lt desc limit 5'
  assert.deepEqual(split(sql, 7n, key), [
    {
      worker: other,
      sql: `select t.hash from transactions_02 as t where ${guard('02', 2)} and t.lt > $1 and t.account = $2::bytea order by t.lt desc limit 5`,
      parameters: [7n, key],
    },
  ])
  // What moved has another guard.
  const moved = new Shards(
    bounds,
    new Map([['transactions', places.get('transactions')!.map(({ id }) => ({ id, worker: one }))]]),
  )
  assert.match(splitByWorker({ sql, parameters: [7n, key] }, moved)![0]!.sql, /groupid = 1\)/)
})

test('a select by several keys is one for each worker, with its keys', () => {
  const sql = 'select "lt" from "transactions" where "account" = any($1)'
  const armOf = (id: string, group: number) =>
    `select "lt" from transactions_${id} as transactions where ${guard(id, group)} and "account" = any($1)`
  const found = split(sql, [...on(0), ...on(1), ...on(2)])
  assert.deepEqual(found, [
    { worker: one, sql: `${armOf('00', 1)}  union all ${armOf('01', 1)}`, parameters: [[...on(0), ...on(1)]] },
    { worker: other, sql: armOf('02', 2), parameters: [on(2)] },
  ])
  assert.deepEqual(split(sql, on(1)), [{ worker: one, sql: armOf('01', 1), parameters: [on(1)] }])
  // Without a key all shards are asked.
  assert.deepEqual(
    split('select lt from transactions where hash = $1', 5)!.map(({ worker }) => worker),
    [one, other],
  )
})

test('what single shards cannot answer is for the coordinator', () => {
  for (const sql of [
    'select * from transactions where account = any($1) order by lt limit 3',
    'select count(*) from transactions where account = any($1)',
    'select lt from transactions where account = any($1) or lt = 5 limit 1',
    'select $1 as asked, lt from transactions where account = any($1)',
    'select lt from transactions where account = any($1) and lt in (select lt from blocks)',
    'select lt from transactions as t join codes as c on c.code_hash = t.code_hash where t.account = any($1)',
    'select lt from blocks where account = any($1)',
  ]) {
    assert.equal(split(sql, keys), undefined, sql)
  }
  const unknown = new Shards(bounds)
  const statement = { sql: 'select lt from transactions where account = $1', parameters: [keys[0]] }
  assert.equal(splitByWorker(statement, unknown), undefined)
})

test('statements of one shard, or of what every worker has, keep their form', () => {
  const joined = {
    sql: `select m.* from unnest($1::bytea[]) as s(account) cross join lateral (
      select u.hash from unreceived_messages as u where u.account = s.account limit 1) as m`,
    parameters: [on(2)],
  }
  const placed = placeOnShard(joined, 2, shards)!
  assert.equal(placed.worker, other)
  assert.match(
    placed.sql,
    /^select \* from \(select m\.\*.* from unreceived_messages_12 as u where .*\) as placed where \(select 1 /s,
  )
  assert.equal(placeOnShard({ ...joined, sql: `${joined.sql} join blocks as b on true` }, 2, shards), undefined)
  const codes = { sql: 'select c.code from codes as c where c.code_hash = any($1)', parameters: [[]] }
  const workers = [placeAnywhere(codes, shards)!.worker, placeAnywhere(codes, shards)!.worker]
  assert.deepEqual(new Set(workers), new Set([one, other]))
  assert.match(placeAnywhere(codes, shards)!.sql, /from codes_99 as c where/)
  assert.equal(placeAnywhere({ ...codes, sql: `${codes.sql} order by c.code` }, shards), undefined)
  assert.equal(placeAnywhere({ ...codes, sql: 'select * from blocks' }, shards), undefined)
})
