import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countRead } from '../../../test/support/countRead.ts'
import { haveDatabase, openFreshDatabase } from '../../../test/support/database.ts'
import type { Database } from '../connect/Database.ts'
import { queryBuilder } from '../schema/tables.ts'
import { ensurePartitions } from '../writer/partitions.ts'
import { type EventWindow, eventReachQuery, eventsQuery } from './events.ts'
import {
  type JettonTransfer,
  type JettonTransferFilter,
  jettonTransfers,
  listJettonTransfers,
  toTransferFilter,
} from './jettonEvents.ts'
import { type Cursor, findLtWindow, type Page } from './page.ts'

const START = 1_700_000_000
const BLOCK_SETS = 1499
const WIDTH = 500
const OWNERS = 250

/** Two shards whose clocks disagree: of what one masterchain block includes, the older has the higher logical times. */
const fill = (database: Database): Promise<void> =>
  database.transaction(async (client) => {
    await client.query(
      `INSERT INTO blocks (workchain, shard, seqno, mc_seqno, start_lt, end_lt, gen_utime, tx_count, global_id, version, header_bits,
         flags, validator_list_hash_short, gen_catchain_seqno, min_ref_mc_seqno, prev_key_block_seqno, vert_seqno,
         master_ref_seqno, prev_seqnos, root_hash, file_hash, rand_seed, created_by)
       SELECT CASE kind WHEN 0 THEN -1 ELSE 0 END, kind, mc, mc, lt, lt + 999, utime, 10, -239, 0, 0, 0, 0, 0, 0, 0, 0, 0, '{}',
         '', '', '', ''
       FROM unit_blocks`.replace('unit_blocks', blockSetBlocks),
    )
    await client.query(
      `INSERT INTO jetton_transfers (lt, now, mc_seqno, aborted, query_id, amount, forward_amount, account, source, destination,
         jetton_master, response_destination)
       SELECT lt + k, utime, mc, (mc + k) % 7 = 0, k, 1, 0, ${keyOf('kind * 100 + k')}, ${keyOf(`(mc * 7 + k) % ${OWNERS}`)},
         ${keyOf(`(mc * 3 + k * kind) % ${OWNERS}`)}, ${keyOf('mc % 3')}, ''
       FROM unit_blocks, generate_series(1, 10) AS k WHERE kind > 0`.replace('unit_blocks', blockSetBlocks),
    )
    await client.query(
      `INSERT INTO transactions (lt, prev_lt, block_shard, now, mc_seqno, block_seqno, orig_status, end_status, in_bits, out_count,
         account, hash, state_after, description, trace_id)
       SELECT lt, 0, 0, now, mc_seqno, 0, 0, 0, 0, 0, account, int8send(lt), '', '', int8send(lt / 2) FROM jetton_transfers`,
    )
    await client.query('ANALYZE blocks, jetton_transfers, transactions')
  })

const keyOf = (number: string): string => `decode(lpad(to_hex(${number}), 66, '0'), 'hex')`

const blockSetBlocks = `(SELECT mc, kind, mc::int8 * 10000000 + CASE kind WHEN 0 THEN 9000000 WHEN 1 THEN 1000000 ELSE 4000000 END AS lt,
   ${START} + 5 * mc - CASE kind WHEN 0 THEN 0 WHEN 1 THEN 1 ELSE 3 + mc % 17 END AS utime
   FROM generate_series(1, ${BLOCK_SETS}) AS mc, generate_series(0, 2) AS kind) AS made`

const owner = (number: number): Uint8Array => {
  const key = new Uint8Array(33)
  key[32] = number
  return key
}

/** The same without an index, and without anything clever. */
const filterPlainly = (rows: readonly JettonTransfer[], filter: JettonTransferFilter): JettonTransfer[] => {
  const { owners, direction, master, window } = filter
  const has = (key: Uint8Array): boolean => owners?.some((each) => Buffer.compare(each, key) === 0) ?? true
  const found = rows.filter((row) => {
    const isTheirs =
      direction === 'in'
        ? has(row.destination)
        : direction === 'out'
          ? has(row.source)
          : has(row.source) || has(row.destination)
    const { from = 0, to = Number.MAX_SAFE_INTEGER } = window.time
    const isThen =
      row.now >= from && row.now <= to && row.lt >= (window.startLt ?? 0n) && row.lt <= (window.endLt ?? 1n << 70n)
    return isTheirs && isThen && (master === undefined || Buffer.compare(master, row.jettonMaster) === 0)
  })
  const isByTime = window.time.from !== undefined || window.time.to !== undefined
  const sign = window.direction === 'asc' ? 1 : -1
  return found.sort(
    (a, b) =>
      sign * ((isByTime ? a.now - b.now : 0) || Number(a.lt - b.lt) || Buffer.compare(a.sourceWallet, b.sourceWallet)),
  )
}

const everything: JettonTransferFilter = {
  owners: undefined,
  direction: 'both',
  wallets: undefined,
  master: undefined,
  window: { time: {}, startLt: undefined, endLt: undefined, direction: 'asc' },
}

test('events in every window and order, page by page, in bounded work', async (t) => {
  if (!haveDatabase(t)) return
  const database = await openFreshDatabase(t)
  await ensurePartitions(database, [0, 500, 1000], WIDTH)
  await fill(database)
  const { listReads } = database.reader()
  const list = async (filter: JettonTransferFilter, limit: number, most = 10_000): Promise<JettonTransfer[]> => {
    const found: JettonTransfer[] = []
    let after: Cursor | undefined
    do {
      const { rows, next } = await listJettonTransfers(listReads, filter, { limit, offset: 0, after })
      found.push(...rows)
      after = next
    } while (after !== undefined && found.length < most)
    return found
  }
  const all = await list(everything, 1000, 100_000)
  const carriedOut = Array.from({ length: BLOCK_SETS }, (_, blockSet) => blockSet + 1).flatMap((mc) =>
    Array.from({ length: 10 }, (_, k) => (mc + k + 1) % 7).filter((rest) => rest !== 0),
  )
  assert.equal(all.length, 2 * carriedOut.length)
  assert.ok(all.every((row) => Buffer.from(row.transactionHash).readBigInt64BE() === row.lt))
  const [first, second] = [owner(3), owner(17)]
  const middle = START + 5 * 700
  const windows: Partial<EventWindow>[] = [
    { time: { from: middle } },
    { time: { to: middle + 3 }, startLt: 5_000_000_000n },
    { time: { from: middle, to: middle + 40 } },
    { time: {}, startLt: 7_001_000_000n, endLt: 7_304_000_005n },
  ]
  for (const window of windows) {
    for (const direction of ['asc', 'desc'] as const) {
      for (const asked of [
        {},
        { owners: [first] },
        { owners: [first, second], master: owner(1) },
        { owners: [first, second], direction: 'in' as const },
        { master: owner(2) },
      ]) {
        const filter = { ...everything, ...asked, window: { ...everything.window, ...window, direction } }
        const expected = filterPlainly(all, filter).slice(0, 35)
        const found = await list(filter, 7, 35)
        assert.deepEqual(
          found.slice(0, 35),
          expected,
          JSON.stringify({ ...window, direction, asked: Object.keys(asked) }, (_, v) =>
            typeof v === 'bigint' ? String(v) : v,
          ),
        )
        const { rows } = await listJettonTransfers(listReads, filter, { limit: 9, offset: 20, after: undefined })
        assert.deepEqual(rows, filterPlainly(all, filter).slice(20, 29))
      }
    }
  }
  await t.test('what is read does not grow with the depth of a page', async () => {
    const window = { ...everything.window, time: { from: START }, direction: 'desc' } as const
    for (const asked of [{}, { owners: [first] }, { owners: [first, second] }]) {
      const filter = toTransferFilter({ ...everything, ...asked, window })
      const read: number[] = []
      for (const depth of [0.1, 0.9]) {
        const row = all[Math.floor(all.length * (1 - depth))]!
        const page: Page = {
          limit: 10,
          offset: 0,
          after: { order: 'time desc', key: [row.now, row.lt, row.sourceWallet] },
        }
        const time = { from: START, to: row.now }
        const wide = { time, lt: await findLtWindow(listReads, time) }
        const reach = await countRead(
          database,
          eventReachQuery(jettonTransfers, filter, wide, page).compile(queryBuilder),
        )
        const [counted] = await listReads.read(
          eventReachQuery(jettonTransfers, filter, wide, page).compile(queryBuilder),
        )
        const narrow = { from: counted!.reach!, to: row.now }
        const bounds = { time: narrow, lt: await findLtWindow(listReads, narrow) }
        read.push(
          reach + (await countRead(database, eventsQuery(jettonTransfers, filter, bounds, page).compile(queryBuilder))),
        )
      }
      t.diagnostic(`${asked.owners?.length ?? 0} owners: ${read.join(' and ')} rows read for 10`)
      assert.ok(
        read.every((count) => count < 2000),
        read.join(),
      )
    }
  })
})
