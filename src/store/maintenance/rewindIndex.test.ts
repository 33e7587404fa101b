import assert from 'node:assert/strict'
import { test } from 'node:test'
import { haveDatabase } from '../../../test/support/database.ts'
import { assertSameIndex } from '../../../test/support/sampleIndex/assertSameIndex.ts'
import { dumpIndex, type IndexDump } from '../../../test/support/sampleIndex/dumpIndex.ts'
import { noLease, SampleIndexer } from '../../../test/support/sampleIndex/SampleIndexer.ts'
import { makeWorld } from '../../../test/support/sampleIndex/SampleWorld.ts'
import { rewindIndex } from './rewindIndex.ts'

const BLOCK_SETS = 30
const world = makeWorld({ seed: 11, blockSets: BLOCK_SETS, width: 6 })

const indexOnce = async (
  t: Parameters<typeof haveDatabase>[0] & Parameters<typeof SampleIndexer.create>[0],
  first: number,
  last: number,
): Promise<IndexDump> => {
  const indexer = await SampleIndexer.create(t, world)
  await indexer.index(first, last)
  return dumpIndex(indexer.database)
}

/** Leaves out what cannot be known from the blocks that are left, and what was below the range already. */
const withoutUnknown = (dump: IndexDump): IndexDump => {
  const { codes, message_contents, covered_ranges, jetton_wallets, latest_account_states, ...rest } = dump
  const states = latest_account_states!.map((row) => ({ ...(JSON.parse(row) as object), data: undefined }))
  const wallets = jetton_wallets!.map((row) => {
    const { address, last_lt, since_lt } = JSON.parse(row) as Record<string, unknown>
    return { address, last_lt, since_lt }
  })
  const text = (rows: readonly object[]): string[] => rows.map((row) => JSON.stringify(row)).sort()
  return { ...rest, latest_account_states: text(states), jetton_wallets: text(wallets) }
}

test('after a rewind the index is as it was, and comes to the same again', async (t) => {
  if (!haveDatabase(t)) return
  const indexer = await SampleIndexer.create(t, world)
  await indexer.index(5, BLOCK_SETS)
  const whole = await dumpIndex(indexer.database)
  for (const seqno of [29, 24, 23, 16, 12, 5]) {
    await rewindIndex(indexer.database, seqno, noLease)
    indexer.writer.forget()
    const rewound = await dumpIndex(indexer.database)
    assertSameIndex(withoutUnknown(rewound), withoutUnknown(await indexOnce(t, 5, seqno)), `after ${seqno}`)
    for (let next = seqno + 1; next <= BLOCK_SETS; next += 6) await indexer.index(next, Math.min(next + 5, BLOCK_SETS))
    assertSameIndex(await dumpIndex(indexer.database), whole, `again from ${seqno}`)
  }
})

test('data that a rewind cannot know is unknown, and what is the same is kept', async (t) => {
  if (!haveDatabase(t)) return
  const indexer = await SampleIndexer.create(t, world)
  await indexer.index(1, 10)
  const touched = (
    await indexer.database.transaction((client) =>
      client.query<{ account: Uint8Array }>('SELECT DISTINCT account FROM transactions WHERE mc_seqno > 8'),
    )
  ).rows.map(({ account }) => Buffer.from(account).toString('hex'))
  await rewindIndex(indexer.database, 8, noLease)
  const { rows } = await indexer.database.transaction((client) =>
    client.query<{ account: string; isknown: boolean }>(
      `SELECT encode(account, 'hex') AS account, data IS NOT NULL AS isknown FROM latest_account_states`,
    ),
  )
  assert.ok(touched.length > 0 && rows.length > 0)
  for (const { account, isknown } of rows) assert.equal(isknown, !touched.includes(account))
})

test('ranges above are forgotten, and the writer must know', async (t) => {
  if (!haveDatabase(t)) return
  const indexer = await SampleIndexer.create(t, world)
  await indexer.index(3, 6)
  await indexer.index(12, 20)
  await rewindIndex(indexer.database, 4, noLease)
  const dump = await dumpIndex(indexer.database)
  assert.deepEqual(
    dump['covered_ranges']!.map((row) => {
      const { first_seqno, last_seqno } = JSON.parse(row) as Record<string, number>
      return [first_seqno, last_seqno]
    }),
    [[3, 4]],
  )
  assert.equal(dump['indexed_blocks']!.length, 2)
  await rewindIndex(indexer.database, 0, noLease)
  const empty = await dumpIndex(indexer.database)
  const left = Object.entries(empty).filter(([, rows]) => rows.length > 0)
  assert.deepEqual(left.map(([table]) => table).sort(), ['codes', 'index_state', 'message_contents'])
})

test('a rewind by one who does not lead any more changes nothing', async (t) => {
  if (!haveDatabase(t)) return
  const indexer = await SampleIndexer.create(t, world)
  await indexer.index(3, 20)
  const before = await dumpIndex(indexer.database)
  const lease = { guard: () => Promise.reject(new Error('lost')) }
  await assert.rejects(rewindIndex(indexer.database, 7, lease), /lost/)
  assertSameIndex(await dumpIndex(indexer.database), before)
})
