import { type CompiledQuery, sql } from 'kysely'
import { compareBytes } from '../../primitives/bytes.ts'
import type { Reader } from '../connect/Database.ts'
import { batchReads } from '../connect/QueryBatcher.ts'
import { CursorRefusedError } from '../errors.ts'
import { isLongTrace, LONG_TRACE } from '../schema/codes.ts'
import type { PartitionSpan } from '../schema/PartitionMap.ts'
import { queryBuilder, type Tables } from '../schema/tables.ts'
import { QueryTooCostlyError } from './costlyFilters.ts'
import {
  anyLt,
  applyPage,
  batchPages,
  type Cursor,
  cutPage,
  findLtWindow,
  type LtWindow,
  narrowLt,
  type Page,
  type Paged,
  toInt8,
} from './page.ts'
import { findPartitions, pagesByLength, rawQuery, spanOf } from './sql.ts'
import { keyText } from './TransactionRecord.ts'
import {
  isByTime,
  type TraceRecord,
  type TraceWindow,
  toTraceRecord,
  traceColumns,
  traceKey,
  traceOrder,
  windowBounds,
} from './traces.ts'

/** Long traces are stored by account: see LONG_TRACE. */
export const longTracesQuery = (account: Uint8Array, window: TraceWindow, page: Page) => {
  let query = queryBuilder.selectFrom('long_traces').select(traceColumns).where('account', '=', account)
  for (const { column, operator, value } of windowBounds(window)) {
    query = query.where(sql.ref(`end_${column}`), operator, value)
  }
  return applyPage(query, traceOrder(window), page)
}

type TraceRow = Pick<Tables['traces'], (typeof traceColumns)[number]>

/** The first long traces of accounts by logical time, batched with concurrent reads. */
const readLongPages = batchPages<TraceRow>((account, direction, limit) => {
  const way = sql.raw(direction)
  return sql<TraceRow>`select ${sql.raw(traceColumns.join(', '))} from long_traces where account = ${sql.val(account)}
    order by end_lt ${way}, trace_id ${way} limit ${sql.val(limit)}`
})

const findLong = (
  reader: Reader,
  account: Uint8Array,
  window: TraceWindow,
  page: Page,
): Promise<readonly TraceRow[]> => {
  const isOpen = page.after === undefined && windowBounds(window).length === 0
  const read = isOpen ? readLongPages(window.direction, page.limit + 1) : undefined
  return read?.(reader, [account]) ?? reader.read(longTracesQuery(account, window, page).compile())
}

type Step = { readonly lt: bigint; readonly now: number; readonly mc_seqno: number; readonly trace_id: Uint8Array }

/** Some of the transactions of an account. */
export type AccountStretch = { readonly account: Uint8Array; readonly lt: LtWindow }

/** A step, and the index of its stretch, from 1 on. */
type PlacedStep = Step & { readonly place: number }

/**
 * The next transactions of accounts from a logical time on. The account is compared as a range: for an equality the planner may
 * fetch and sort all rows, and some accounts have millions.
 */
export const accountStepsQuery = (
  stretches: readonly AccountStretch[],
  direction: 'asc' | 'desc',
  count: number,
): CompiledQuery<PlacedStep> =>
  rawQuery(
    `select w.place::integer as place, t.*
    from unnest($1::bytea[], $2::bigint[], $3::bigint[]) with ordinality as w(account, first_lt, last_lt, place)
    cross join lateral (
      select t.lt, t.now, t.mc_seqno, t.trace_id from transactions as t
      where (t.account, t.lt) >= (w.account, w.first_lt) and (t.account, t.lt) <= (w.account, w.last_lt)
      order by t.account ${direction}, t.lt ${direction} limit ${Math.trunc(count)}
    ) as t`,
    [stretches.map(({ account }) => account), stretches.map(({ lt }) => lt.from), stretches.map(({ lt }) => lt.to)],
  )

/** With its text, which each of its steps asks for. */
type NamedStretch = AccountStretch & { readonly text: string }

const nameStretch = ({ account, lt }: AccountStretch): NamedStretch => ({
  account,
  lt,
  text: `${keyText(account)} ${lt.from} ${lt.to}`,
})

const batchSteps = pagesByLength((direction, count) =>
  batchReads<NamedStretch, PlacedStep>({
    queryOf: (stretches) => accountStepsQuery(stretches, direction, count),
    textOf: ({ text }) => text,
    textOfRow: ({ place }, stretches) => stretches[place - 1]!.text,
  }),
)

/** Up to this many steps, reads are batched. */
const MAX_BATCHED_STEPS = 128

const readSteps = async (
  reader: Reader,
  stretch: AccountStretch,
  direction: 'asc' | 'desc',
  count: number,
): Promise<Step[]> => {
  const rows =
    count <= MAX_BATCHED_STEPS
      ? await batchSteps(direction, count)(reader, [nameStretch(stretch)])
      : await reader.read(accountStepsQuery([stretch], direction, count))
  const sign = direction === 'asc' ? 1 : -1
  return rows.toSorted((a, b) => (a.lt < b.lt ? -sign : sign))
}

/** A trace, and the masterchain block of one of its transactions. */
export type SeenTrace = { readonly traceId: Uint8Array; readonly mcSeqno: number }

/** The finished traces among these. A trace that is not long ends soon after each of its transactions. */
export const finishedTracesQuery = (seen: readonly SeenTrace[]): CompiledQuery<TraceRow> => {
  const seqnos = seen.map(({ mcSeqno }) => mcSeqno)
  const { first, last } = spanOf(seqnos, 0, LONG_TRACE.seqnos)
  const lasts = seqnos.map((seqno) => Math.min(seqno + LONG_TRACE.seqnos, last))
  return rawQuery(FINISHED, [seen.map(({ traceId }) => traceId), seqnos, lasts, first, last])
}

// A lookup per trace keeps the planner from scanning all traces of the blocks.
const FINISHED = `select t.* from unnest($1::bytea[], $2::integer[], $3::integer[]) as k(trace_id, first_seqno, last_seqno)
    cross join lateral (
      select ${traceColumns.join(', ')} from traces as t where t.trace_id = k.trace_id
        and t.mc_seqno >= k.first_seqno and t.mc_seqno <= k.last_seqno and t.mc_seqno >= $4 and t.mc_seqno <= $5 limit 1
    ) as t`

/**
 * The same where all end in one partition: one scan of its index finds them, which takes half as long. It finds long traces, too, that end
 * there.
 */
export const tracesInPartitionQuery = (
  traceIds: readonly Uint8Array[],
  { start, end }: PartitionSpan,
): CompiledQuery<TraceRow> =>
  rawQuery(
    `select ${traceColumns.join(', ')} from traces where trace_id = any($1::bytea[]) and mc_seqno >= $2 and mc_seqno < $3`,
    [traceIds, start, end],
  )

/** Where its end is, if that is sure to be one partition. */
type PlacedTrace = SeenTrace & { readonly partition: PartitionSpan | undefined }

const placedQuery = (seen: readonly PlacedTrace[], { isDistributed }: Reader): CompiledQuery<TraceRow> => {
  const partition = seen[0]?.partition
  return isDistributed || partition === undefined || seen.some((each) => each.partition?.start !== partition.start)
    ? finishedTracesQuery(seen)
    : tracesInPartitionQuery(
        seen.map(({ traceId }) => traceId),
        partition,
      )
}

const readPlaced = batchReads<PlacedTrace, TraceRow>({
  queryOf: placedQuery,
  textOf: ({ traceId }) => keyText(traceId),
  textOfRow: ({ trace_id }) => keyText(trace_id),
})

const readFinished = async (reader: Reader, seen: readonly SeenTrace[]): Promise<readonly TraceRow[]> => {
  const partitions = await findPartitions(
    reader,
    seen.map(({ mcSeqno }) => mcSeqno),
  )
  const placed = seen.map(({ traceId, mcSeqno }) => {
    const partition = partitions.find(mcSeqno)
    const isSure = partition !== undefined && mcSeqno + LONG_TRACE.seqnos < partition.end
    return { traceId, mcSeqno, partition: isSure ? partition : undefined }
  })
  return readPlaced(reader, placed)
}

/** Of the first read: most pages are short, and most traces are one step of the account. Each step takes a lookup of its trace. */
const firstSteps = (wanted: number): number => (wanted <= SHORT_PAGE ? 20 : 64)
/** The default page, and a lookahead trace. */
const SHORT_PAGE = 11
const MOST_STEPS = 4096
/** Time limit of the scan: an account may have any number of transactions in one trace, or in traces that never end. */
const MAX_WALK_MS = 3000

/**
 * The finished traces of an account, by their end. That is not the order of its transactions, since a trace continues after them.
 * But a trace that is not long ends soon after, so once the scan of transactions is past a position by the maximum length, all
 * traces ending before it are known. Long traces come from their own table. Besides the page, the scan reads the account's
 * transactions of two minutes.
 */
export const listAccountTraces = async (
  reader: Reader,
  account: Uint8Array,
  window: TraceWindow,
  page: Page,
): Promise<Paged<TraceRecord>> => {
  const order = traceOrder(window)
  const skipped = page.after === undefined ? page.offset : 0
  const wanted = skipped + page.limit + 1
  const known = new AccountTraces(window, page)
  const addingLong = findLong(reader, account, window, { ...page, limit: wanted - 1, offset: 0 }).then((rows) => {
    for (const row of rows) known.addLong(toTraceRecord(row))
  })
  const scanning = findReach(reader, window, page).then((reach) =>
    scan(reader, { account, lt: reach }, known, wanted, addingLong),
  )
  await Promise.all([addingLong, scanning])
  const found = known.inOrder().slice(skipped, wanted)
  return cutPage(found, order, page, (trace) => traceKey(window, trace))
}

/** Logical times of the transactions whose traces may be on the page. */
const findReach = async (reader: Reader, window: TraceWindow, { after }: Page): Promise<LtWindow> => {
  const { startLt = anyLt.from, endLt = anyLt.to, direction } = window
  const asked = { from: toInt8(startLt), to: toInt8(endLt) }
  const position = after?.key[0]
  if (!isByTime(window)) {
    const ends = typeof position === 'bigint' ? narrowLt(asked, beyond(position, direction)) : asked
    return { from: ends.from - LONG_TRACE.lt, to: ends.to }
  }
  const time = { from: window.startUtime ?? 0, to: window.endUtime }
  if (typeof position === 'number') {
    if (direction === 'desc') time.to = Math.min(position, time.to ?? position)
    else time.from = Math.max(position, time.from)
  }
  const lts = await findLtWindow(reader, { ...time, from: time.from - LONG_TRACE.utime })
  return narrowLt({ from: asked.from - LONG_TRACE.lt, to: asked.to }, lts)
}

const beyond = (lt: bigint, direction: 'asc' | 'desc'): LtWindow =>
  direction === 'desc' ? { from: anyLt.from, to: lt } : { from: lt, to: anyLt.to }

/** The first steps are read while long traces are; whether they are enough is known after both. */
const scan = async (
  reader: Reader,
  { account, lt: reach }: AccountStretch,
  known: AccountTraces,
  wanted: number,
  addingLong: Promise<void>,
): Promise<void> => {
  const { direction } = known.window
  let { from, to } = reach
  const began = performance.now()
  for (let count = firstSteps(wanted); ; count = Math.min(2 * count, MOST_STEPS)) {
    const [steps] = await Promise.all([readSteps(reader, { account, lt: { from, to } }, direction, count), addingLong])
    await known.addTracesOf(reader, steps)
    const last = steps.at(-1)
    if (last === undefined || steps.length < count || known.countBefore(last) >= wanted) return
    if (performance.now() - began > MAX_WALK_MS) {
      throw new QueryTooCostlyError('accountTraces')
    }
    const rest = direction === 'desc' ? { from, to: last.lt - 1n } : { from: last.lt + 1n, to }
    ;({ from, to } = narrowLt(rest, known.reachOf(wanted)))
  }
}

const isPosition = (window: TraceWindow, { order, key }: Cursor): boolean =>
  order === traceOrder(window).name &&
  key.length === 2 &&
  typeof key[0] === (isByTime(window) ? 'number' : 'bigint') &&
  key[1] instanceof Uint8Array

/** The traces of an account found so far by the scan of its transactions. */
class AccountTraces {
  readonly window: TraceWindow
  readonly #after: Page['after']
  readonly #seen = new Set<string>()
  readonly #traces: TraceRecord[] = []

  constructor(window: TraceWindow, { after }: Page) {
    if (after !== undefined && !isPosition(window, after)) throw new CursorRefusedError()
    this.window = window
    this.#after = after
  }

  /** Adds a long trace; the query has applied the window and the cursor. */
  addLong(trace: TraceRecord): void {
    this.#seen.add(keyText(trace.traceId))
    this.#traces.push(trace)
  }

  async addTracesOf(reader: Reader, steps: readonly Step[]): Promise<void> {
    const news: SeenTrace[] = []
    for (const { trace_id: traceId, mc_seqno: mcSeqno } of steps) {
      const text = keyText(traceId)
      if (this.#seen.has(text)) continue
      this.#seen.add(text)
      news.push({ traceId, mcSeqno })
    }
    if (news.length === 0) return
    for (const row of await readFinished(reader, news)) {
      const trace = toTraceRecord(row)
      if (!isLongTrace(trace) && this.#isWanted(trace)) this.#traces.push(trace)
    }
  }

  /** How many of the traces are certain to come before those of all transactions past this one. */
  countBefore({ lt, now }: Step): number {
    const { direction } = this.window
    if (isByTime(this.window)) {
      return this.#traces.filter(({ endUtime }) =>
        direction === 'desc' ? endUtime > now + LONG_TRACE.utime : endUtime < now,
      ).length
    }
    return this.#traces.filter(({ endLt }) => (direction === 'desc' ? endLt > lt + LONG_TRACE.lt : endLt < lt)).length
  }

  /** Logical times of the transactions of traces that may come before the last of so many: it is known what they have to beat. */
  reachOf(wanted: number): LtWindow {
    const worst = isByTime(this.window) ? undefined : this.inOrder()[wanted - 1]
    if (worst === undefined) return anyLt
    return this.window.direction === 'desc'
      ? { from: worst.endLt - LONG_TRACE.lt, to: anyLt.to }
      : { from: anyLt.from, to: worst.endLt }
  }

  inOrder(): TraceRecord[] {
    return [...this.#traces].sort((a, b) => this.#compare(a, b))
  }

  #isWanted(trace: TraceRecord): boolean {
    const { startUtime = 0, endUtime = Number.POSITIVE_INFINITY, startLt = anyLt.from, endLt = anyLt.to } = this.window
    if (trace.endUtime < startUtime || trace.endUtime > endUtime) return false
    if (trace.endLt < startLt || trace.endLt > endLt) return false
    if (this.#after === undefined) return true
    const [position, traceId] = this.#after.key as readonly [bigint | number, Uint8Array]
    return this.#compareWith(trace, position, traceId) > 0
  }

  #endOf({ endUtime, endLt }: TraceRecord): bigint | number {
    return isByTime(this.window) ? endUtime : endLt
  }

  #compare(a: TraceRecord, b: TraceRecord): number {
    return this.#compareWith(a, this.#endOf(b), b.traceId)
  }

  /** Positive if the trace comes after the position. */
  #compareWith(trace: TraceRecord, position: bigint | number, traceId: Uint8Array): number {
    const end = this.#endOf(trace)
    const rising = end === position ? compareBytes(trace.traceId, traceId) : end > position ? 1 : -1
    return this.window.direction === 'desc' ? -rising : rising
  }
}
