import { sql } from 'kysely'
import { compareBytes } from '../../primitives/bytes.ts'
import type { Reader } from '../connect/Database.ts'
import { CursorRefusedError, QueryTooCostlyError } from '../errors.ts'
import { isLongTrace, LONG_TRACE } from '../schema/codes.ts'
import { queryBuilder } from '../schema/tables.ts'
import {
  anyLt,
  applyPage,
  type Cursor,
  cutPage,
  findLtWindow,
  type LtWindow,
  narrowLt,
  type Page,
  type Paged,
  toInt8,
} from './page.ts'
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

/**
 * The next transactions of an account from a logical time on. The account is compared as a range: for an equality the planner may
 * fetch and sort all rows, and some accounts have millions.
 */
export const accountStepsQuery = (
  account: Uint8Array,
  { from, to }: LtWindow,
  direction: 'asc' | 'desc',
  count: number,
) =>
  queryBuilder
    .selectFrom('transactions')
    .select(['lt', 'now', 'mc_seqno', 'trace_id'])
    .where(sql<boolean>`(account, lt) >= (${sql.val(account)}, ${sql.val(from)})`)
    .where(sql<boolean>`(account, lt) <= (${sql.val(account)}, ${sql.val(to)})`)
    .orderBy('account', direction)
    .orderBy('lt', direction)
    .limit(count)

/** The finished traces among these; those that are not long end in this range of masterchain blocks. */
export const finishedTracesQuery = (traceIds: readonly Uint8Array[], first: number, last: number) =>
  queryBuilder
    .selectFrom(sql<{ trace_id: Uint8Array }>`unnest(${sql.val(traceIds)}::bytea[])`.as<'k'>(sql`k(trace_id)`))
    // A lookup per trace keeps the planner from scanning all traces of the blocks.
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('traces')
          .select(traceColumns)
          .whereRef('traces.trace_id', '=', 'k.trace_id')
          .where('mc_seqno', '>=', first)
          .where('mc_seqno', '<=', last)
          .limit(1)
          .as('t'),
      (join) => join.onTrue(),
    )
    .selectAll('t')

type Step = { readonly lt: bigint; readonly now: number; readonly mc_seqno: number; readonly trace_id: Uint8Array }

const FIRST_STEPS = 64
const MOST_STEPS = 4096
/** Time limit of the scan: an account may have any number of transactions in one trace, or in traces that never end. */
const MAX_WALK_MS = 3000
const MAX_SEQNO = 0x7fff_ffff

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
  const long = await reader.read(longTracesQuery(account, window, { ...page, limit: wanted - 1, offset: 0 }).compile())
  for (const row of long) known.addLong(toTraceRecord(row))
  await scan(reader, account, await findReach(reader, window, page), known, wanted)
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

const scan = async (
  reader: Reader,
  account: Uint8Array,
  reach: LtWindow,
  known: AccountTraces,
  wanted: number,
): Promise<void> => {
  const { direction } = known.window
  let { from, to } = reach
  const began = performance.now()
  for (let count = FIRST_STEPS; ; count = Math.min(2 * count, MOST_STEPS)) {
    const steps: Step[] = await reader.read(accountStepsQuery(account, { from, to }, direction, count).compile())
    await known.addTracesOf(reader, steps)
    const last = steps.at(-1)
    if (last === undefined || steps.length < count || known.countBefore(last) >= wanted) return
    if (performance.now() - began > MAX_WALK_MS) {
      throw new QueryTooCostlyError(
        'The account has too many transactions in traces that are not finished, or in few traces. Narrow start_lt and end_lt.',
      )
    }
    if (direction === 'desc') to = last.lt - 1n
    else from = last.lt + 1n
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
    const news = steps.filter(({ trace_id }) => {
      const text = keyText(trace_id)
      if (this.#seen.has(text)) return false
      this.#seen.add(text)
      return true
    })
    if (news.length === 0) return
    const seqnos = news.map(({ mc_seqno }) => mc_seqno)
    const first = Math.min(...seqnos)
    const last = Math.min(Math.max(...seqnos) + LONG_TRACE.seqnos, MAX_SEQNO)
    const ids = news.map(({ trace_id }) => trace_id)
    for (const row of await reader.read(finishedTracesQuery(ids, first, last).compile())) {
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

  inOrder(): TraceRecord[] {
    return [...this.#traces].sort((a, b) => this.#compare(a, b))
  }

  #isWanted(trace: TraceRecord): boolean {
    const { startUtime = 0, endUtime = Number.POSITIVE_INFINITY, startLt = anyLt.from, endLt = anyLt.to } = this.window
    if (trace.endUtime < startUtime || trace.endUtime > endUtime) return false
    if (trace.endLt < startLt || trace.endLt > endLt) return false
    return this.#after === undefined || this.#compareWith(trace, this.#after.key) > 0
  }

  #compare(a: TraceRecord, b: TraceRecord): number {
    return this.#compareWith(a, traceKey(this.window, b))
  }

  /** Positive if the trace comes after the position. */
  #compareWith(trace: TraceRecord, [position, traceId]: readonly unknown[]): number {
    const end = isByTime(this.window) ? trace.endUtime : trace.endLt
    const rising =
      end === position
        ? compareBytes(trace.traceId, traceId as Uint8Array)
        : end > (position as bigint | number)
          ? 1
          : -1
    return this.window.direction === 'desc' ? -rising : rising
  }
}
