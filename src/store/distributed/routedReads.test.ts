import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CompiledQuery } from 'kysely'
import { ownerItemsQuery } from '../reader/distributedItems.ts'
import { jettonWalletsQuery, ownerWalletsQuery } from '../reader/jettons.ts'
import { contentsInPartitionsQuery } from '../reader/messageContents.ts'
import { nftItemsQuery } from '../reader/nftItems.ts'
import { rawQuery } from '../reader/sql.ts'
import { queryBuilder } from '../schema/tables.ts'
import { createRoutedReader } from './routedReads.ts'
import { Shards } from './Shards.ts'

type Sent = { readonly sql: string; readonly parameters: readonly unknown[] }

/** What reaches the server for a query; `rows` are the answers in turn. */
const send = async (sql: string, parameters: readonly unknown[], rows: object[][] = []): Promise<Sent[]> =>
  (await sendTo(undefined, sql, parameters, rows)).sent

const sendTo = async (shards: Shards | undefined, sql: string, parameters: readonly unknown[], rows: object[][]) => {
  const sent: Sent[] = []
  const reader = createRoutedReader(
    {
      read: async <Row>(query: CompiledQuery<Row>) => {
        sent.push({ sql: query.sql.replace(/\s+/g, ' ').trim(), parameters: query.parameters })
        return (rows.shift() ?? []) as Row[]
      },
    },
    { shards: () => shards },
  )
  return { found: await reader.read(rawQuery(sql, parameters)), sent }
}

test('a list for each of some keys is read key by key', async () => {
  const sent = await send(
    `select w.hash, w.place::integer as place, t.* from unnest($1::bytea[], $2::bigint[]) with ordinality as w(hash, lt, place)
    cross join lateral (select * from transactions as t where t.account = w.hash and t.lt < w.lt - 5 and t.mc_seqno > $3 limit 1) as t
    where w.lt <= t.lt`,
    [['a', 'b'], [1n, 2n], 7],
  )
  const sql =
    'select $1::bytea as hash, $2::bigint::integer as place, t.* from (select * from transactions as t where t.account = $1::bytea and t.lt < $3::bigint - 5 and t.mc_seqno > $4 limit 1) as t where $3::bigint <= t.lt'
  assert.deepEqual(sent, [
    { sql, parameters: ['a', 1n, 1n, 7] },
    { sql, parameters: ['b', 2n, 2n, 7] },
  ])
})

test('the lists of all keys of a shard are one statement, and come back in the order of the keys', async () => {
  const shards = new Shards(new Map([['transactions', [-(2 ** 31), 0]]]))
  const keys = Array.from({ length: 20 }, (_, k) => Uint8Array.of(k))
  const shardOf = (key: Uint8Array) => shards.find('transactions', key)
  const first = keys.filter((key) => shardOf(key) === shardOf(keys[0]!))
  const second = keys.filter((key) => shardOf(key) !== shardOf(keys[0]!))
  assert.ok(first.length > 1 && second.length > 1)
  const placesOf = (some: typeof keys) => some.map((key) => keys.indexOf(key))
  const answer = (some: typeof keys) => placesOf(some).map((place) => ({ hash: place, row_place: place }))
  const { sent, found } = await sendTo(
    shards,
    `select t.hash from unnest($1::bytea[], $2::bigint[]) as w(account, lt) cross join lateral
    (select t.hash from transactions as t where t.account = w.account and t.lt < w.lt and t.mc_seqno > $3 limit 1) as t`,
    [keys, keys.map((_, k) => BigInt(k)), 7],
    [answer(first), answer(second)],
  )
  const sql =
    'select t.hash, w."row_place" from unnest($1::bytea[], $2::bigint[], $3::integer[]) as w("account", "lt", "row_place") cross join lateral (select t.hash from transactions as t where t.account = any($1::bytea[]) and t.account = w.account and t.lt < w.lt and t.mc_seqno > $4 limit 1) as t'
  const valuesOf = (some: typeof keys) => [some, placesOf(some).map(BigInt), placesOf(some), 7]
  assert.deepEqual(sent, [
    { sql, parameters: valuesOf(first) },
    { sql, parameters: valuesOf(second) },
  ])
  assert.deepEqual(
    found,
    keys.map((_, hash) => ({ hash })),
  )
  // By another column it is not known where the rows are.
  const others =
    'select t.hash from unnest($1::bytea[]) as w(id) cross join lateral (select t.hash from transactions as t where t.trace_id = w.id) as t'
  assert.equal((await sendTo(shards, others, [keys], [])).sent.length, keys.length)
})

test('lists of at most one row are one statement without a join, and its rows are matched with the keys', async () => {
  const [a, b] = [Uint8Array.of(1), Uint8Array.of(2)]
  const rowOf = (account: Uint8Array, lt: bigint, seqno: number, now: number) => ({
    now,
    compared_account: account,
    compared_lt: lt,
    compared_mc_seqno: seqno,
  })
  const { sent, found } = await sendTo(
    undefined,
    `select w.lt, t.* from unnest($1::bytea[], $2::bigint[], $4::integer[]) as w(account, lt, first) cross join lateral
    (select t.now from transactions as t where t.account = w.account and t.lt = w.lt and t.mc_seqno >= w.first and t.mc_seqno > $3 limit 1) as t`,
    [[b, a, a, b], [6n, 5n, 5n, 5n], 7, [0, 0, 9, 0]],
    // The pair (1, 6) was not asked for, and the last row is in a later block than the second but not than the third one asks.
    [[rowOf(a, 6n, 8, 1), rowOf(b, 6n, 8, 2), rowOf(a, 5n, 8, 3)]],
  )
  assert.deepEqual(sent, [
    {
      sql: 'select t.now, t.account as compared_account, t.lt as compared_lt, t.mc_seqno as compared_mc_seqno from transactions as t where t.account = any($1::bytea[]) and t.lt = any($2::bigint[]) and t.mc_seqno > $3',
      parameters: [[b, a], [6n, 5n], 7],
    },
  ])
  assert.deepEqual(found, [
    { lt: 6n, now: 2 },
    { lt: 5n, now: 3 },
  ])
  // A lookup may have several rows for a key.
  const lookup = await sendTo(
    undefined,
    `select w.hash, l.lt from unnest($1::bytea[], $2::bigint[]) as w(hash, hash_key) join transaction_lookup as l on l.hash_key = w.hash_key`,
    [
      [a, b],
      [1n, 2n],
    ],
    [
      [
        { hash_key: 2n, lt: 4n },
        { hash_key: 2n, lt: 5n },
      ],
    ],
  )
  assert.deepEqual(lookup.found, [
    { hash: b, lt: 4n },
    { hash: b, lt: 5n },
  ])
  assert.deepEqual(
    lookup.sent.map(({ sql }) => sql),
    ['select l.* from transaction_lookup as l where l.hash_key = any($1::bigint[])'],
  )
})

test('the indexed part of a key is a list of its own, which stays whole where the keys are split by worker', async () => {
  const [a, b] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)]
  const { sql, parameters } = contentsInPartitionsQuery([
    { hash: a, start: 500 },
    { hash: b, start: 500 },
  ])
  const row = (hash: Uint8Array) => ({ content: hash, compared_hash: hash, compared_mc_seqno: 500 })
  const { sent, found } = await sendTo(undefined, sql, parameters, [[row(b), row(a)]])
  assert.deepEqual(sent, [
    {
      sql: 'select c.content, c.hash as compared_hash, c.mc_seqno as compared_mc_seqno from message_contents as c where c.hash = any($1::bytea[]) and c.mc_seqno = any($2::integer[]) and substring(c.hash from 1 for 7) = any($3::bytea[]) and c.mc_seqno >= $4 and c.mc_seqno <= $5',
      parameters: [[a, b], [500], [a.subarray(0, 7), b.subarray(0, 7)], 500, 500],
    },
  ])
  assert.deepEqual(found, [
    { hash: a, start: 500, content: a },
    { hash: b, start: 500, content: b },
  ])
})

test('lists that are merged are one statement', async () => {
  const sent = await send(
    `select found.* from unnest($1::bytea[]) as asked (key) cross join lateral
    (select lt from jetton_transfers where source = asked.key order by lt limit $2) as found order by lt limit $3`,
    [['a', 'b'], 5, 4],
  )
  assert.deepEqual(sent, [
    {
      sql: 'select found.* from ((select lt from jetton_transfers where source = $1::bytea order by lt limit $2) union all (select lt from jetton_transfers where source = $3::bytea order by lt limit $2)) as found order by lt limit $4',
      parameters: ['a', 5, 'b', 4],
    },
  ])
})

test('rows that come from a query are read first', async () => {
  const sent = await send(
    `select t.* from (
      select w.hash, l.lt from unnest($1::bytea[], $2::bigint[]) as w(hash, hash_key)
      join transaction_lookup as l on l.hash_key = w.hash_key offset 0
    ) as l cross join lateral (select t.hash from transactions as t where t.lt = l.lt and t.hash = l.hash limit 1) as t`,
    [['a'], [9n]],
    [[{ hash: Buffer.of(1), lt: 3n }]],
  )
  assert.deepEqual(sent, [
    {
      sql: 'select $1::bytea as hash, l.lt from transaction_lookup as l where l.hash_key = $2::bigint',
      parameters: ['a', 9n],
    },
    {
      sql: 'select t.hash from transactions as t where t.lt = $1::bigint and t.hash = $2::bytea limit 1',
      parameters: [3n, Buffer.of(1)],
    },
  ])
})

test('rows in order with one result each are not sorted again', async () => {
  const read = (order: string) =>
    sendTo(
      undefined,
      `select t.* from (select t.account, t.lt from transactions as t where t.now > $1 order by t.lt desc limit $2) as k cross join lateral (
      select * from transactions as t where t.account = k.account and t.lt = k.lt limit 1) as t order by ${order}`,
      [1, 3],
      [
        [
          { account: Uint8Array.of(1), lt: 2n },
          { account: Uint8Array.of(2), lt: 1n },
        ],
        [
          { account: Uint8Array.of(2), lt: 1n, now: 7 },
          { account: Uint8Array.of(1), lt: 2n, now: 8 },
        ],
      ],
    )
  const { sent, found } = await read('t.lt desc')
  assert.equal(
    sent[1]!.sql,
    'select t.* from transactions as t where t.account = any($1::bytea[]) and t.lt = any($2::bigint[])',
  )
  assert.deepEqual(
    found.map((row) => (row as { now: number }).now),
    [8, 7],
  )
  assert.match((await read('t.now desc')).sent[1]!.sql, / union all .* order by t\.now desc$/)
})

test('a range of one account names its worker, and statements of the coordinator stay as they are', async () => {
  const [one, other] = [Uint8Array.of(1), Uint8Array.of(2)]
  const range = 'select * from transactions as t where (t.account, t.lt) >= ($1, $2) and (t.account, t.lt) <= ($3, $4)'
  assert.deepEqual(await send(range, [one, 1n, one, 2n]), [
    {
      sql: 'select * from transactions as t where t.account = $1 and t.lt >= $2 and t.lt <= $3',
      parameters: [one, 1n, 2n],
    },
  ])
  // Of two accounts, it is no range of one.
  assert.deepEqual(await send(range, [one, 1n, other, 2n]), [{ sql: range, parameters: [one, 1n, other, 2n] }])
  const local = 'select b.* from unnest($1::integer[]) as w(s) cross join lateral (select * from blocks limit 1) as b'
  assert.deepEqual(await send(local, [[1]]), [{ sql: local, parameters: [[1]] }])
})

test('lists by owner are read from the copies on the worker of the owner', async () => {
  const owner = new Uint8Array(33)
  const page = { limit: 10, offset: 0, after: undefined }
  const wallets = ownerWalletsQuery(owner, 10).compile(queryBuilder)
  const [byOwner] = await send(wallets.sql, wallets.parameters)
  assert.match(byOwner!.sql, /from owned_wallets as j where j\.owner = \$1 and j\.since_lt >= /)
  const filter = { owners: [owner], addresses: undefined, jettons: undefined, withBalance: true, sort: undefined }
  const more = jettonWalletsQuery(filter, page).compile(queryBuilder)
  assert.match((await send(more.sql, more.parameters))[0]!.sql, /from owned_wallets where/)
  const named = jettonWalletsQuery({ ...filter, addresses: [owner] }, page).compile(queryBuilder)
  assert.match((await send(named.sql, named.parameters))[0]!.sql, /from "jetton_wallets" where/)
  const held = { collections: undefined, indexes: undefined, includeOnSale: false, byLastLt: false }
  const items = nftItemsQuery({ ...held, addresses: undefined, owners: [owner] }, page).compile(queryBuilder)
  const [ofOwner] = await send(items.sql, items.parameters)
  assert.match(ofOwner!.sql, /from owned_items as i where i\.owner_address = \$1 and i\.owner_address >= \$1/)
  assert.doesNotMatch(ofOwner!.sql, /from nft_items/)
  const first = ownerItemsQuery(owner, 10)
  assert.match(
    (await send(first.sql, first.parameters))[0]!.sql,
    / from owned_items as i where i\.owner_address = \$1 order by /,
  )
})
