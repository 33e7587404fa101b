import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CompiledQuery } from 'kysely'
import { countRead } from '../../../test/support/countRead.ts'
import { haveDatabase, openFreshDatabase } from '../../../test/support/database.ts'
import { queryBuilder } from '../schema/tables.ts'
import {
  type BlockFilter,
  blocksQuery,
  blockTimesQuery,
  blockWindowsQuery,
  edgeBlocksQuery,
  indexedBlockQuery,
  listBlocks,
  shardTopsQuery,
} from './blocks.ts'
import type { Cursor, Page } from './page.ts'
import { workchainsQuery } from './transactionFilter.ts'

const page: Page = { limit: 10, offset: 0, after: undefined }
const order = 'order by "gen_utime" desc, "workchain" asc, "shard" asc, "seqno" asc'
const anyTime = { from: 0, to: 0x7fff_ffff }

test('blocks are found by keys, by time, or by their place', () => {
  const sqlOf = (filter: Omit<BlockFilter, 'direction'>, workchains: number[] = [], own: Page = page): string =>
    blocksQuery({ direction: 'desc', ...filter }, anyTime, workchains, own)
      .compile(queryBuilder)
      .sql.replace(/\s+/g, ' ')
      .trim()
  assert.equal(sqlOf({}), `select * from blocks ${order} limit $1`)
  assert.equal(
    sqlOf({ mcSeqno: 5, workchain: 0, shard: 1n << 63n, startLt: 5n }, [], { ...page, offset: 3 }),
    `select * from blocks where "mc_seqno" = $1 and "workchain" = $2 and "shard" = $3 and start_lt >= $4 ${order} limit $5 offset $6`,
  )
  assert.equal(
    sqlOf({ workchain: 0 }, [0], { ...page, offset: 3 }),
    'select * from blocks where ("workchain", "gen_utime") >= ($1, $2) and ("workchain", "gen_utime") <= ($3, $4) order by "workchain" desc, "gen_utime" desc, "shard" asc, "seqno" asc limit $5 offset $6',
  )
  assert.equal(
    sqlOf({ shard: 1n << 63n }, [-1, 0]),
    `select found.* from unnest($1::integer[]) as asked(place) cross join lateral (select * from blocks where ("workchain", "shard", "gen_utime") >= (asked.place, $2, $3) and ("workchain", "shard", "gen_utime") <= (asked.place, $4, $5) order by "workchain" desc, "shard" desc, "gen_utime" desc, "seqno" asc limit $6) as found ${order} limit $7`,
  )
})

const MANY = 150_000
const WHOLE = 1n << 63n

test('whatever blocks are asked for, an index leads to them, and a page far down costs what the first does', async (t) => {
  if (!haveDatabase(t)) return
  const database = await openFreshDatabase(t)
  const { listReads } = database.reader()
  await database.transaction(async (client) => {
    for (const [from, to] of [
      [0, MANY / 2],
      [MANY / 2, MANY + 1],
    ]) {
      await client.query(`CREATE TABLE blocks_${from} PARTITION OF blocks FOR VALUES FROM (${from}) TO (${to})`)
    }
    // The oldest ten are of another shard; of the others every third is of the masterchain.
    await client.query(`INSERT INTO blocks SELECT CASE WHEN n <= 10 THEN 5 ELSE -9223372036854775808 END, n * 1000, n * 1000 + 1,
      CASE n % 3 WHEN 0 THEN -1 ELSE 0 END, n, n, n, 0, -239, 0, 0, 1, 0, 0, 0, 0, 0, 0, ARRAY[n - 1],
      sha256(n::text::bytea), sha256(n::text::bytea), '', '' FROM generate_series(1, ${MANY}) n`)
    await client.query('ANALYZE blocks')
  })
  const list = async (filter: Partial<BlockFilter>, own: Page = page) =>
    (await listBlocks(listReads, { direction: 'desc', ...filter }, own)).rows.map(({ seqno }) => seqno)
  const upTo = (count: number, nth: (k: number) => number): number[] => Array.from({ length: count }, (_, k) => nth(k))

  assert.deepEqual(
    await list({ workchain: -1 }),
    upTo(10, (k) => MANY - 3 * k),
  )
  assert.deepEqual(await list({ workchain: 7 }), [])
  assert.deepEqual(
    await list({ shard: 5n }),
    upTo(10, (k) => 10 - k),
  )
  assert.deepEqual(await list({ shard: 5n, direction: 'asc' }, { ...page, offset: 8 }), [9, 10])
  assert.deepEqual(await list({ workchain: 0, shard: 5n, startUtime: 3 }), [10, 8, 7, 5, 4])
  assert.deepEqual(await list({ shard: WHOLE, endUtime: 13 }), [13, 12, 11])
  assert.deepEqual(await list({ workchain: -1, startLt: 2000n, endLt: 9000n }), [9, 6, 3])
  assert.deepEqual(await list({ startLt: 2000n, endLt: 5000n }), [5, 4, 3, 2])
  assert.deepEqual(await list({ startLt: 10n ** 18n }), [])
  assert.deepEqual(await list({ startUtime: 3, endUtime: 6 }), [6, 5, 4, 3])
  assert.deepEqual(
    await Promise.all([
      list({ startUtime: 8, direction: 'asc' }, { ...page, limit: 2 }),
      list({ startUtime: 4, endUtime: 5, direction: 'asc' }, { ...page, limit: 2 }),
      list({ direction: 'asc' }, { ...page, limit: 2 }),
      list({ startUtime: 6, endUtime: 5, direction: 'asc' }, { ...page, limit: 2 }),
    ]),
    [[8, 9], [4, 5], [1, 2], []],
  )

  await t.test('by cursors', async () => {
    const found: number[] = []
    let after: Cursor | undefined
    do {
      const { rows, next } = await listBlocks(listReads, { shard: 5n, direction: 'asc' }, { ...page, limit: 3, after })
      found.push(...rows.map(({ seqno }) => seqno))
      after = next
    } while (after !== undefined)
    assert.deepEqual(
      found,
      upTo(10, (k) => k + 1),
    )
  })

  const queries = (filter: BlockFilter, own: Page): CompiledQuery<unknown>[] => {
    const workchains = filter.workchain === undefined ? [-1, 0] : [filter.workchain]
    const reached = own.after?.key[0] as number | undefined
    const times =
      filter.direction === 'desc' ? { ...anyTime, to: reached ?? anyTime.to } : { ...anyTime, from: reached ?? 0 }
    return [blocksQuery(filter, times, workchains, own).compile(queryBuilder)]
  }
  const questions: readonly Partial<BlockFilter>[] = [
    {},
    { workchain: 0 },
    { workchain: 7 },
    { shard: WHOLE },
    { shard: 5n },
    { workchain: 0, shard: 5n },
    { seqno: 5 },
    { rootHash: new Uint8Array(32) },
    { fileHash: new Uint8Array(32) },
    { mcSeqno: 5 },
  ]
  for (const filter of questions) {
    for (const direction of ['asc', 'desc'] as const) {
      const deep = { order: `blocks ${direction}`, key: [MANY / 2, 0, -WHOLE, MANY / 2] }
      for (const after of [undefined, deep]) {
        for (const query of queries({ direction, ...filter }, { ...page, after })) {
          const read = await countRead(database, query)
          assert.ok(read <= 100, `${JSON.stringify(Object.keys(filter))} ${direction} read ${read} rows: ${query.sql}`)
        }
      }
    }
  }
  const windows = Array.from({ length: 20 }, (_, k) => ({ from: k * 100, to: k % 2 === 0 ? k * 100 + 50 : MANY }))
  for (const direction of ['asc', 'desc'] as const) {
    const read = await countRead(database, blockWindowsQuery(windows, direction, 11))
    assert.ok(read <= 60 * windows.length, `windows ${direction} read ${read} rows`)
  }
  for (const query of [blockTimesQuery(5000n, 7000n).compile(queryBuilder), workchainsQuery()]) {
    assert.ok((await countRead(database, query)) <= 20, query.sql)
  }
})

test('the edges of the newest range are found by the primary keys', () => {
  assert.equal(
    edgeBlocksQuery().compile().sql,
    'select "blocks".* from (select "first_seqno", "last_seqno" from "covered_ranges" order by "first_seqno" desc limit $1) as "newest" inner join "blocks" on blocks.mc_seqno = any(array[newest.first_seqno, newest.last_seqno]) and "blocks"."workchain" = $2 order by "blocks"."mc_seqno"',
  )
})

test('for each shard one look at the place of its newest block', () => {
  assert.equal(
    shardTopsQuery(5).compile().sql,
    'select * from "blocks" where "mc_seqno" = $1 and "workchain" = $2 union all select "top".* from "shard_tops" inner join lateral (select "blocks".* from "blocks" where "blocks"."seqno" = "shard_tops"."seqno" and "blocks"."workchain" = "shard_tops"."workchain" and "blocks"."shard" = "shard_tops"."shard" and "blocks"."mc_seqno" <= $3 limit $4) as "top" on true where "shard_tops"."mc_seqno" = $5 order by workchain, shard, seqno',
  )
})

test('whether a block is there', () => {
  assert.equal(indexedBlockQuery(5).compile().sql, 'select "mc_seqno" from "indexed_blocks" where "mc_seqno" = $1')
})
