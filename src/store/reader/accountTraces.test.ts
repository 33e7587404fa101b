import assert from 'node:assert/strict'
import { test } from 'node:test'
import { haveDatabase, openFreshDatabase } from '../../../test/support/database.ts'
import { createRandom, type Random } from '../../../test/support/ownWorkload.ts'
import { compareBytes } from '../../primitives/bytes.ts'
import type { Database, Reader } from '../connect/Database.ts'
import { isLongTrace } from '../schema/codes.ts'
import { copyRows } from '../writer/copyRows.ts'
import { ensurePartitions } from '../writer/partitions.ts'
import {
  accountStepsQuery,
  finishedTracesQuery,
  listAccountTraces,
  longTracesQuery,
  tracesInPartitionQuery,
} from './accountTraces.ts'
import type { Cursor } from './page.ts'
import type { TraceRecord, TraceWindow } from './traces.ts'

const account = new Uint8Array(33).fill(1)
const hash = new Uint8Array(32).fill(2)
const WIDTH = 500
const BLOCKS = 3000
const LT_PER_BLOCK = 5_000_000n
const START = 1_700_000_000

/** A trace with the places of the account's transactions in it; some go on for long after them, and some are never finished. */
type Made = { readonly trace: TraceRecord; readonly isFinished: boolean; readonly steps: readonly Step[] }
type Step = { readonly lt: bigint; readonly now: number; readonly seqno: number }

const makeTraces = (random: Random): Made[] => {
  let seqno = 0
  return Array.from({ length: 1500 }, () => {
    seqno += random.below(3)
    const first = seqno
    const startLt = BigInt(first) * LT_PER_BLOCK + BigInt(random.below(4_000_000))
    const blocks = random.below(30) === 0 ? 20 + random.below(200) : random.below(11)
    const at = (after: number): Step => ({
      lt: startLt + BigInt(after) * LT_PER_BLOCK,
      now: START + 3 * (first + after),
      seqno: first + after,
    })
    const position = (): number => (random.below(2) === 0 ? 0 : random.below(blocks + 1))
    const positions = [...new Set(random.below(3) === 0 ? [position(), position()] : [position()])]
    const end = at(blocks)
    const trace = {
      traceId: random.bytes(32),
      startLt,
      endLt: end.lt,
      startUtime: at(0).now,
      endUtime: end.now,
      startSeqno: first,
      endSeqno: end.seqno,
      transactions: positions.length,
      messages: positions.length,
    }
    return { trace, isFinished: random.below(25) > 0, steps: positions.map(at) }
  })
}

const fill = async (database: Database, made: readonly Made[]): Promise<void> => {
  const starts = Array.from({ length: 1 + Math.ceil((2 * BLOCKS) / WIDTH) }, (_, k) => k * WIDTH)
  await ensurePartitions(database, starts, WIDTH)
  const toRow = ({ traceId, startLt, endLt, startUtime, endUtime, startSeqno, endSeqno, ...rest }: TraceRecord) => ({
    ...rest,
    trace_id: traceId,
    start_lt: startLt,
    end_lt: endLt,
    start_utime: startUtime,
    end_utime: endUtime,
    mc_seqno_start: startSeqno,
    mc_seqno: endSeqno,
  })
  const finished = made.filter(({ isFinished }) => isFinished).map(({ trace }) => trace)
  await database.transaction(async (client) => {
    await copyRows(client, 'traces', finished.map(toRow))
    const long = finished.filter(isLongTrace)
    await copyRows(
      client,
      'long_traces',
      long.map((trace) => ({ ...toRow(trace), account })),
    )
    const transactions = made.flatMap(({ trace: { traceId }, steps }) => steps.map((step) => ({ ...step, traceId })))
    await copyRows(
      client,
      'transactions',
      transactions.map(({ lt, now, seqno, traceId }) => ({
        lt,
        prev_lt: 0n,
        block_shard: 0n,
        now,
        mc_seqno: seqno,
        block_seqno: 1,
        orig_status: 2,
        end_status: 2,
        in_bits: 0,
        out_count: 0,
        account,
        hash,
        state_after: hash,
        description: hash,
        trace_id: traceId,
      })),
    )
  })
}

const compare = (a: bigint | number, b: bigint | number): number => (a < b ? -1 : a > b ? 1 : 0)

/** By going through all there is. */
const expect = (made: readonly Made[], window: TraceWindow): TraceRecord[] => {
  const { startUtime, endUtime, startLt, endLt, direction } = window
  const isByTime = startUtime !== undefined || endUtime !== undefined
  const found = made
    .filter(({ isFinished }) => isFinished)
    .map(({ trace }) => trace)
    .filter((trace) => trace.endUtime >= (startUtime ?? 0) && trace.endUtime <= (endUtime ?? 2 ** 32))
    .filter((trace) => trace.endLt >= (startLt ?? 0n) && trace.endLt <= (endLt ?? 2n ** 64n))
    .sort(
      (a, b) =>
        (isByTime ? compare(a.endUtime, b.endUtime) : compare(a.endLt, b.endLt)) || compareBytes(a.traceId, b.traceId),
    )
  return direction === 'asc' ? found : found.reverse()
}

const texts = (traces: readonly TraceRecord[]): string[] =>
  traces.map(({ traceId, endLt }) => `${endLt} ${Buffer.from(traceId).toString('hex')}`)

test('the traces of a busy account are all there, in order, page by page', async (t) => {
  if (!haveDatabase(t)) return
  const database = await openFreshDatabase(t)
  const random = createRandom(7)
  const made = makeTraces(random)
  // An account runs one transaction at a time.
  const distinct = new Set(made.flatMap(({ steps }) => steps.map(({ lt }) => lt)))
  assert.equal(distinct.size, made.flatMap(({ steps }) => steps).length)
  await fill(database, made)
  let asked = 0
  const reader: Reader = {
    read: (query, timeoutMs) => {
      asked++
      return database.reader().listReads.read(query, timeoutMs)
    },
  }
  const long = made.filter(({ trace }) => isLongTrace(trace)).length
  assert.ok(long > 30 && long < 300, `${long} long ones`)
  const none = { startUtime: undefined, endUtime: undefined, startLt: undefined, endLt: undefined }
  const ends = made.map(({ trace }) => trace)
  const some = (): TraceRecord => ends[random.below(ends.length)]!
  for (const direction of ['asc', 'desc'] as const) {
    const windows: TraceWindow[] = [
      { ...none, direction },
      { ...none, startUtime: 0, direction },
      { ...none, startLt: some().endLt, direction },
      { ...none, endLt: some().endLt, direction },
      { ...none, startUtime: some().endUtime, endLt: some().endLt, direction },
      { ...none, endUtime: some().endUtime, direction },
      { ...none, startUtime: 0, startLt: some().endLt, direction },
    ]
    for (const window of windows) {
      const expected = texts(expect(made, window))
      const paged: string[] = []
      let after: Cursor | undefined
      do {
        const limit = 1 + random.below(200)
        const page = await listAccountTraces(reader, account, window, { limit, offset: 0, after })
        paged.push(...texts(page.rows))
        after = page.next
      } while (after !== undefined)
      assert.deepEqual(paged, expected)
      const offset = random.below(expected.length + 1)
      const page = await listAccountTraces(reader, account, window, { limit: 9, offset, after: undefined })
      assert.deepEqual(texts(page.rows), expected.slice(offset, offset + 9))
    }
  }
  // Pages that end near where the first look at the transactions does.
  for (let draw = 0; draw < 160; draw++) {
    const direction = draw % 2 === 0 ? 'asc' : 'desc'
    const { endLt, endUtime } = some()
    const byLt = direction === 'asc' ? { startLt: endLt } : { endLt }
    const byTime = direction === 'asc' ? { startUtime: endUtime } : { endUtime }
    const window = { ...none, ...(draw % 4 < 2 ? byLt : byTime), direction } as const
    const limit = 40 + random.below(20)
    const { rows } = await listAccountTraces(reader, account, window, { limit, offset: 0, after: undefined })
    assert.deepEqual(texts(rows), texts(expect(made, window)).slice(0, limit))
  }
  asked = 0
  await listAccountTraces(reader, account, { ...none, direction: 'desc' }, { limit: 10, offset: 0, after: undefined })
  assert.ok(asked <= 7, `${asked} questions for a page`)
})

test('a cursor of another order is refused', async () => {
  const window = { startUtime: 1, endUtime: undefined, startLt: undefined, endLt: undefined, direction: 'asc' } as const
  const after = { order: 'traces by time asc', key: [5n, hash] }
  const nobody = { read: async () => [] }
  await assert.rejects(listAccountTraces(nobody, account, window, { limit: 1, offset: 0, after }), {
    code: 'cursor_refused',
  })
})

test('the statements', () => {
  const window = { startUtime: undefined, endUtime: 9, startLt: 3n, endLt: undefined, direction: 'desc' } as const
  const after = { order: 'traces by time desc', key: [7, hash] }
  assert.equal(
    longTracesQuery(account, window, { limit: 2, offset: 0, after }).compile().sql,
    'select "start_lt", "end_lt", "mc_seqno_start", "mc_seqno", "start_utime", "end_utime", "transactions", "messages", "trace_id" from "long_traces" where "account" = $1 and "end_utime" <= $2 and "end_lt" >= $3 and ("end_utime", "trace_id") < ($4, $5) order by "end_utime" desc, "trace_id" desc limit $6',
  )
  const flat = ({ sql }: { readonly sql: string }): string => sql.replace(/\s+/g, ' ').trim()
  assert.equal(
    flat(accountStepsQuery([{ account, lt: { from: 1n, to: 5n } }], 'asc', 64)),
    'select w.place::integer as place, t.* from unnest($1::bytea[], $2::bigint[], $3::bigint[]) with ordinality as w(account, first_lt, last_lt, place) cross join lateral ( select t.lt, t.now, t.mc_seqno, t.trace_id from transactions as t where (t.account, t.lt) >= (w.account, w.first_lt) and (t.account, t.lt) <= (w.account, w.last_lt) order by t.account asc, t.lt asc limit 64 ) as t',
  )
  const finished = finishedTracesQuery([{ traceId: hash, mcSeqno: 1 }])
  assert.equal(
    flat(finished),
    'select t.* from unnest($1::bytea[], $2::integer[], $3::integer[]) as k(trace_id, first_seqno, last_seqno) cross join lateral ( select start_lt, end_lt, mc_seqno_start, mc_seqno, start_utime, end_utime, transactions, messages, trace_id from traces as t where t.trace_id = k.trace_id and t.mc_seqno >= k.first_seqno and t.mc_seqno <= k.last_seqno and t.mc_seqno >= $4 and t.mc_seqno <= $5 limit 1 ) as t',
  )
  assert.deepEqual(finished.parameters, [[hash], [1], [1001], 1, 1001])
  assert.equal(
    flat(tracesInPartitionQuery([hash], { start: 0, end: 9 })),
    'select start_lt, end_lt, mc_seqno_start, mc_seqno, start_utime, end_utime, transactions, messages, trace_id from traces where trace_id = any($1::bytea[]) and mc_seqno >= $2 and mc_seqno < $3',
  )
})
