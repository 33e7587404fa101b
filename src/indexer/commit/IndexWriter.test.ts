import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshDatabase, haveDatabase, openFreshDatabase } from '../../../test/support/database.ts'
import { silentLogger } from '../../../test/support/databaseServer.ts'
import { sampleBlockSet } from '../../../test/support/inspectSample.ts'
import { assertSameIndex } from '../../../test/support/sampleIndex/assertSameIndex.ts'
import { dumpIndex, type IndexDump } from '../../../test/support/sampleIndex/dumpIndex.ts'
import { SampleIndexer, toBatch } from '../../../test/support/sampleIndex/SampleIndexer.ts'
import { makeWorld } from '../../../test/support/sampleIndex/SampleWorld.ts'
import { filled } from '../../../test/support/sampleMessages.ts'
import { indexedChannel, NotificationListener } from '../../store/connect/notifications.ts'
import { LeaseLostError } from '../../store/errors.ts'
import { acquireLease } from '../../store/writer/lease.ts'
import type { IndexBatch, ResolvedAccount } from '../IndexBatch.ts'
import { linkBlockSets, NOTHING_OPEN } from '../link/linkBlockSets.ts'
import { listAccountRows } from './accounts.ts'
import { gatherRows } from './copyBatch.ts'

const BLOCK_SETS = 40
const world = makeWorld({ seed: 5, blockSets: BLOCK_SETS, width: 6 })

type Batch = readonly [first: number, last: number]

const indexAll = async (indexer: SampleIndexer, batches: readonly Batch[]): Promise<IndexDump> => {
  for (const [first, last] of batches) await indexer.index(first, last)
  return dumpIndex(indexer.database)
}

const count = (dump: IndexDump, table: string): number => dump[table]!.length

test('rows are the same in whatever order the blocks come', async (t) => {
  if (!haveDatabase(t)) return
  const whole = await indexAll(await SampleIndexer.create(t, world), [[1, BLOCK_SETS]])
  const transactions = world.flatMap((blockSet) => blockSet.transactions)
  assert.equal(count(whole, 'transactions'), transactions.length)
  assert.equal(count(whole, 'transaction_lookup'), transactions.length)
  assert.equal(count(whole, 'indexed_blocks'), BLOCK_SETS)
  assert.equal(count(whole, 'blocks'), world.flatMap(({ blocks }) => blocks).length)
  const received = new Set(transactions.flatMap((tx) => (tx.received && 'lt' in tx.received ? [tx.received] : [])))
  const sent = transactions.flatMap((tx) => tx.sent)
  assert.equal(count(whole, 'unreceived_messages'), sent.length - received.size)
  assert.ok(count(whole, 'traces') > 50 && count(whole, 'open_traces') > 10 && count(whole, 'jetton_wallets') > 0)
  assert.deepEqual(whole['covered_ranges'], [`{"last_seqno": ${BLOCK_SETS}, "lower_edge": [], "first_seqno": 1}`])

  const live: Batch[] = Array.from({ length: BLOCK_SETS }, (_, k) => [k + 1, k + 1])
  const newestFirst: Batch[] = [
    [21, 24],
    [25, 25],
    [15, 20],
    [26, 33],
    [14, 14],
    [34, 40],
    [5, 13],
    [1, 4],
  ]
  const meeting: Batch[] = [
    [30, 33],
    [3, 7],
    [34, 40],
    [8, 11],
    [20, 29],
    [1, 2],
    [12, 19],
  ]
  for (const batches of [live, newestFirst, meeting]) {
    assertSameIndex(await indexAll(await SampleIndexer.create(t, world), batches), whole)
  }
})

test('one writer after another, as after a crash, writes the same', async (t) => {
  if (!haveDatabase(t)) return
  const { database } = await SampleIndexer.create(t, world)
  for (const [first, last] of [
    [20, 25],
    [12, 19],
    [26, 30],
    [9, 11],
  ] as const) {
    await new SampleIndexer(database, world).index(first, last)
  }
  const once = await indexAll(await SampleIndexer.create(t, world), [[9, 30]])
  assertSameIndex(await dumpIndex(database), once)
})

test('a batch that fails leaves nothing behind, and can be written again', async (t) => {
  if (!haveDatabase(t)) return
  let fails = true
  const lease = {
    guard: async () => {
      if (fails) throw new LeaseLostError('Somebody else leads.')
    },
  }
  const indexer = await SampleIndexer.create(t, world, { lease })
  fails = false
  await indexer.index(10, 15)
  const before = await dumpIndex(indexer.database)
  for (const [first, last] of [
    [16, 20],
    [5, 9],
  ] as const) {
    fails = true
    await assert.rejects(indexer.index(first, last), { code: 'lease_lost' })
    assertSameIndex(await dumpIndex(indexer.database), before)
    fails = false
  }
  await indexer.index(16, 20)
  await indexer.index(5, 9)
  assertSameIndex(await dumpIndex(indexer.database), await indexAll(await SampleIndexer.create(t, world), [[5, 20]]))
})

test('a connection that is cut in the middle leaves nothing half written', async (t) => {
  if (!haveDatabase(t)) return
  const url = await freshDatabase(t)
  const indexer = await SampleIndexer.create(t, world, { url })
  await indexer.index(1, 3)
  const killer = await indexer.database.openConnection('killer')
  t.after(() => killer.end())
  const before = await dumpIndex(indexer.database)
  // The transaction is stopped where it writes the last of its tables, then its connection is ended.
  await killer.query('BEGIN; LOCK TABLE covered_ranges IN EXCLUSIVE MODE')
  const { batch } = await indexer.makeBatch(4, 8)
  const writing = assert.rejects(indexer.writer.commit(batch, 'above'), { code: 'database_unavailable' })
  for (;;) {
    const { rows } = await killer.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    )
    if (rows[0] === undefined) continue
    await killer.query('SELECT pg_terminate_backend($1)', [rows[0].pid])
    break
  }
  await writing
  await killer.query('ROLLBACK')
  assertSameIndex(await dumpIndex(indexer.database), before)
  await indexer.index(4, 8)
  assert.equal((await dumpIndex(indexer.database))['indexed_blocks']!.length, 8)
})

test('what is remembered is not believed when the server has lost it', async (t) => {
  if (!haveDatabase(t)) return
  const indexer = await SampleIndexer.create(t, world)
  await indexer.index(10, 14)
  // As after a crash before the last batch was on disk.
  await indexer.database.transaction((client) =>
    client.query(`TRUNCATE transactions, transaction_lookup, unreceived_messages, message_contents, traces, open_traces, blocks,
      shard_tops, indexed_blocks, latest_account_states, jetton_wallets, jetton_transfers, codes, covered_ranges`),
  )
  await indexer.index(13, 14)
  await indexer.index(10, 12)
  assertSameIndex(await dumpIndex(indexer.database), await indexAll(await SampleIndexer.create(t, world), [[10, 14]]))
})

test('of two writers only the one who leads gets through', async (t) => {
  if (!haveDatabase(t)) return
  const url = await freshDatabase(t)
  const database = await openFreshDatabase(t, { url })
  const { signal } = new AbortController()
  const acquire = (holder: string) => acquireLease(database, { name: 'writer', holder, logger: silentLogger, signal })
  const first = await acquire('one')
  const one = await SampleIndexer.create(t, world, { url, lease: first })
  await one.index(1, 4)
  const late = await one.makeBatch(5, 6)
  await first.release()
  const second = await acquire('two')
  const two = new SampleIndexer(database, world, { lease: second })
  await two.index(5, 6)
  await assert.rejects(one.writer.commit(late.batch, late.side), { code: 'batch_out_of_place' })
  await assert.rejects(one.index(7, 8), { code: 'lease_lost' })
  await two.index(7, 8)
  await second.release()
  assertSameIndex(await dumpIndex(database), await indexAll(await SampleIndexer.create(t, world), [[1, 8]]))
})

test('batches that do not fit are refused', async (t) => {
  if (!haveDatabase(t)) return
  const indexer = await SampleIndexer.create(t, world)
  await indexer.index(1, 14)
  const before = await dumpIndex(indexer.database)
  const { batch } = await indexer.makeBatch(15, 17)
  const refuse = async (
    change: (batch: IndexBatch) => IndexBatch,
    code: string,
    side: 'above' | 'below' | 'new' = 'above',
  ) => {
    await assert.rejects(indexer.writer.commit(change(batch), side), { code })
    assertSameIndex(await dumpIndex(indexer.database), before)
  }
  await refuse((it) => it, 'batch_out_of_place', 'below')
  await refuse((it) => it, 'batch_out_of_place', 'new')
  await refuse((it) => ({ ...it, blockSets: [] }), 'batch_out_of_place')
  await refuse((it) => ({ ...it, blockSets: [it.blockSets[0]!, it.blockSets[2]!] }), 'batch_out_of_place')
  await refuse((it) => ({ ...it, blockSets: it.blockSets.slice(1) }), 'batch_out_of_place')
  const covered = await indexer.makeBatch(12, 16)
  await refuse(() => covered.batch, 'batch_out_of_place')

  const otherHash = new Uint8Array(32).fill(9)
  const alter = (blockSet: number, block: number) => (it: IndexBatch) => ({
    ...it,
    blockSets: it.blockSets.map((each, k) => ({
      ...each,
      previousBlocks: each.previousBlocks.map((previous, n) =>
        k === blockSet && n === block ? previous.map((id) => ({ ...id, rootHash: otherHash })) : previous,
      ),
    })),
  })
  // A zero state is not looked at.
  const named = batch.blockSets.flatMap(({ previousBlocks }, blockSet) =>
    previousBlocks.flatMap(([previous], block) => (previous!.seqno > 0 ? [[blockSet, block] as const] : [])),
  )
  assert.ok(named.length > 5)
  for (const [blockSet, block] of named) await refuse(alter(blockSet, block), 'chain_broken')
  const arrived = [{ ...world[0]!.transactions[0]!, traceId: otherHash, createdLt: 1n, seqno: 11 }]
  await refuse((it) => ({ ...it, linked: { ...it.linked, arrived } }), 'index_state_stale')
  await indexer.writer.commit(batch, 'above')
})

test('below a range only the blocks that it follows are taken', async (t) => {
  if (!haveDatabase(t)) return
  // Long enough for blocks of a slow shard to be named far above.
  const indexer = await SampleIndexer.create(t, world)
  await indexer.index(20, 22)
  const other = new SampleIndexer(indexer.database, makeWorld({ seed: 6, blockSets: BLOCK_SETS, width: 3 }))
  const { batch, side } = await other.makeBatch(18, 19)
  assert.equal(side, 'below')
  const before = await dumpIndex(indexer.database)
  await assert.rejects(other.writer.commit(batch, side), { code: 'chain_broken' })
  const mine = await indexer.makeBatch(17, 19)
  const withoutShards = {
    ...mine.batch,
    blockSets: mine.batch.blockSets.map((blockSet) => ({
      ...blockSet,
      blocks: blockSet.blocks.slice(0, 1),
      previousBlocks: blockSet.previousBlocks.slice(0, 1),
      shardTops: [],
    })),
  }
  await assert.rejects(indexer.writer.commit(withoutShards, 'below'), { code: 'chain_broken' })
  assertSameIndex(await dumpIndex(indexer.database), before)
  await indexer.writer.commit(mine.batch, 'below')
})

test('those who watch are told which blocks came', async (t) => {
  if (!haveDatabase(t)) return
  const indexer = await SampleIndexer.create(t, world)
  const listener = new NotificationListener(indexer.database, { logger: silentLogger, pollMs: 60_000 })
  t.after(() => listener.close())
  const hints = listener.watch(indexedChannel, new AbortController().signal)
  await hints.next()
  const next = hints.next()
  await indexer.index(3, 5)
  assert.equal((await next).value, '3-5')
})

/** Consecutive batches, each linked with what the one before leaves open: none of them is there yet. */
const linkAhead = (indexer: SampleIndexer, pieces: readonly (readonly [number, number])[]): IndexBatch[] => {
  let below = NOTHING_OPEN
  return pieces.map(([first, last]) => {
    const blockSets = indexer.blockSets(first, last)
    const linked = linkBlockSets({ below, blockSets, above: undefined })
    below = linked.open
    return toBatch(blockSets, linked)
  })
}

const pieces = [
  [1, 7],
  [8, 12],
  [13, BLOCK_SETS],
] as const

test('batches that are given before those below them are there come to the same', async (t) => {
  if (!haveDatabase(t)) return
  const indexer = await SampleIndexer.create(t, world)
  const at = new Date('2026-01-01')
  const ranges = await Promise.all(
    linkAhead(indexer, pieces).map((batch, k) => indexer.writer.commit(batch, k === 0 ? 'new' : 'above', at)),
  )
  assert.deepEqual(
    ranges.map(({ lastSeqno }) => lastSeqno),
    pieces.map(([, last]) => last),
  )
  const whole = await indexAll(await SampleIndexer.create(t, world), [[1, BLOCK_SETS]])
  assertSameIndex(await dumpIndex(indexer.database), whole)
})

test('with a batch that fails, those that wait for it fail, too', async (t) => {
  if (!haveDatabase(t)) return
  let guarded = 0
  const lease = {
    guard: async () => {
      if (++guarded === 2) throw new LeaseLostError('It is gone.')
    },
  }
  const indexer = await SampleIndexer.create(t, world, { lease })
  const at = new Date('2026-01-01')
  const outcomes = await Promise.allSettled(
    linkAhead(indexer, pieces).map((batch, k) => indexer.writer.commit(batch, k === 0 ? 'new' : 'above', at)),
  )
  assert.deepEqual(
    outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value.lastSeqno : outcome.reason.code)),
    [7, 'lease_lost', 'batch_out_of_place'],
  )
  const first = await indexAll(await SampleIndexer.create(t, world), [[1, 7]])
  assertSameIndex(await dumpIndex(indexer.database), first)
})

test('a batch that was linked with other ranges than those that are there is refused', async (t) => {
  if (!haveDatabase(t)) return
  const indexer = await SampleIndexer.create(t, world)
  await indexer.index(10, 20)
  const { batch, side } = await indexer.makeBatch(5, 9)
  // Meanwhile the range grows at its other end: messages of the batch may have been received there.
  await indexer.index(21, 25)
  const before = await dumpIndex(indexer.database)
  const neighbours = { below: undefined, above: { first: 10, last: 20 } }
  await assert.rejects(indexer.writer.commit({ ...batch, neighbours }, side), {
    code: 'index_state_stale',
    message: 'Masterchain blocks 5 to 9 were linked with 10 to 20 above them, found 10 to 25.',
  })
  assertSameIndex(await dumpIndex(indexer.database), before)
  const again = await indexer.makeBatch(5, 9)
  await indexer.writer.commit(
    { ...again.batch, neighbours: { below: undefined, above: { first: 10, last: 25 } } },
    side,
  )
  await indexer.index(1, 4)
  await indexer.index(26, BLOCK_SETS)
  const whole = await indexAll(await SampleIndexer.create(t, world), [[1, BLOCK_SETS]])
  assertSameIndex(await dumpIndex(indexer.database), whole)
})

const rows = { bytes: Uint8Array.of(1, 2, 2, 3, 3, 3, 4), ends: Uint32Array.of(1, 3, 6, 7) }

const cases: readonly { readonly indexes: readonly number[]; readonly bytes: readonly number[] }[] = [
  { indexes: [], bytes: [] },
  { indexes: [0], bytes: [1] },
  { indexes: [3], bytes: [4] },
  { indexes: [1, 2], bytes: [2, 2, 3, 3, 3] },
  { indexes: [0, 2, 3], bytes: [1, 3, 3, 3, 4] },
  { indexes: [0, 1, 2, 3], bytes: [1, 2, 2, 3, 3, 3, 4] },
]

for (const { indexes, bytes } of cases) {
  test(`rows ${indexes.join()}`, () => assert.deepEqual([...gatherRows(rows, indexes)], bytes))
}

const blockSet = sampleBlockSet(5, [{ gone: { workchain: 0, hash: filled(7) }, lt: 40n }])
const [touched] = blockSet.accounts

const extraOf = (shown: ResolvedAccount['extraCurrencies'], resolved: readonly ResolvedAccount[]): unknown => {
  const blockSets = [{ ...blockSet, accounts: [{ ...touched!, extraCurrencies: shown }] }]
  return listAccountRows({ blockSets, resolved }, undefined)[0]!.balance_extra
}

const resolve = (extraCurrencies: ResolvedAccount['extraCurrencies'], lastLt = 40n): ResolvedAccount => ({
  account: touched!.account,
  lastLt,
  code: undefined,
  data: undefined,
  extraCurrencies,
})

test('currencies that the block does not show are those of the state, and else unknown, which is not none', () => {
  const amounts = { '239': '5' }
  assert.deepEqual(extraOf('unknown', [resolve(amounts)]), amounts)
  assert.equal(extraOf('unknown', [resolve('unknown')]), 'unknown')
  assert.equal(extraOf('unknown', []), 'unknown')
  // Of another state than the newest.
  assert.equal(extraOf('unknown', [resolve(amounts, 39n)]), 'unknown')
  assert.deepEqual(extraOf(amounts, []), amounts)
  assert.equal(extraOf(undefined, [resolve(undefined)]), undefined)
})
