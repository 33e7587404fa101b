import assert from 'node:assert/strict'
import { test } from 'node:test'
import { haveDatabase, openFreshDatabase } from '../../../test/support/database.ts'
import { QueryTooCostlyError } from '../errors.ts'
import { type BlocksQuestion, blocksQuery, listBlocks, MAX_WALKED_BLOCKS, walkedBlocksQuery } from './listBlocks.ts'
import type { Page } from './page.ts'

const page: Page = { limit: 10, offset: 0, after: undefined }
const order = 'order by "gen_utime" desc, "workchain" asc, "shard" asc, "seqno" asc'

test('blocks are found by keys, by time, or by a walk over a part of the order of time', () => {
  const sqlOf = (question: Omit<BlocksQuestion, 'direction'>, own: Page = page): string =>
    blocksQuery({ direction: 'desc', ...question }, own).compile().sql
  assert.equal(sqlOf({}), `select * from "blocks" ${order} limit $1`)
  assert.equal(
    sqlOf({ mcSeqno: 5, workchain: 0, shard: 1n << 63n, startUtime: 5, endUtime: 6 }, { ...page, offset: 3 }),
    `select * from "blocks" where "gen_utime" >= $1 and "gen_utime" <= $2 and "mc_seqno" = $3 and "workchain" = $4 and "shard" = $5 ${order} limit $6 offset $7`,
  )
  assert.equal(
    sqlOf({ workchain: 0 }, { ...page, offset: 3 }),
    `select * from (select * from "blocks" ${order} limit $1) as "blocks" where "workchain" = $2 ${order} limit $3 offset $4`,
  )
  assert.equal(
    sqlOf({ startLt: 7n, endLt: (1n << 64n) - 1n }),
    `select * from "blocks" where "start_lt" >= $1 and gen_utime >= ((select gen_utime - 600 as "utime" from "blocks" as "near" where "near"."start_lt" >= $2 order by "near"."start_lt" asc limit $3)) and "start_lt" <= $4 and gen_utime <= ((select gen_utime + 600 as "utime" from "blocks" as "near" where "near"."start_lt" <= $5 order by "near"."start_lt" desc limit $6)) ${order} limit $7`,
  )
})

const MANY = MAX_WALKED_BLOCKS + 50_000

test('what only a long walk would find is refused, and everything else is found by an index', async (t) => {
  if (!haveDatabase(t)) return
  const database = await openFreshDatabase(t)
  const { lists } = database.reader()
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
  const list = async (question: Omit<BlocksQuestion, 'direction'>, own: Page = page) =>
    (await listBlocks(lists, { direction: 'desc', ...question }, own)).rows.map(({ seqno }) => seqno)
  assert.deepEqual(
    await list({ workchain: -1 }),
    Array.from({ length: 10 }, (_, k) => MANY - 3 * k),
  )
  for (const question of [{ workchain: 7 }, { shard: 5n }, { workchain: 0, shard: 5n, startUtime: 1 }]) {
    await assert.rejects(list(question), QueryTooCostlyError)
  }
  // Where the time is narrower, or another direction leads there, the same can be answered.
  assert.equal((await list({ shard: 5n, endUtime: 1000 })).length, 10)
  assert.deepEqual(await list({ workchain: 7, endUtime: 1000 }), [])
  const { rows } = await listBlocks(lists, { direction: 'asc', shard: 5n }, { ...page, limit: 9 })
  assert.equal(rows.length, 9)
  const old = { startLt: 2000n, endLt: 5000n }
  assert.deepEqual(await list(old), [5, 4, 3, 2])

  const questions: readonly Omit<BlocksQuestion, 'direction'>[] = [
    {},
    { workchain: 0 },
    { seqno: 5 },
    { rootHash: new Uint8Array(32) },
    { fileHash: new Uint8Array(32) },
    { mcSeqno: 5 },
    { startUtime: 1000 },
    old,
    { startLt: 5000n },
    { endLt: 5000n },
  ]
  for (const question of questions) {
    for (const query of [
      blocksQuery({ direction: 'desc', ...question }, page),
      walkedBlocksQuery({ direction: 'asc', ...question }, page),
    ]) {
      const { sql, parameters } = query.compile()
      if (question.workchain === undefined && sql.includes('count(*)')) continue
      const plan = await database.transaction(async (client) => {
        const { rows: lines } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`, [...parameters])
        return lines.map((line) => line['QUERY PLAN']).join('\n')
      })
      assert.doesNotMatch(plan, /Seq Scan/, `${JSON.stringify(Object.keys(question))}\n${plan}`)
    }
  }
})
