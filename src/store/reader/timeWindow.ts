import type { CompiledQuery } from 'kysely'
import { joinReads } from '../connect/joinReads.ts'
import type { Reader } from '../connect/Reader.ts'
import { rawQuery } from './rawQuery.ts'

/** Seconds, both ends included; an end that is absent is open. */
export type TimeWindow = { readonly from?: number | undefined; readonly to?: number | undefined }

/** Logical times, both ends included. */
export type LtWindow = { readonly from: bigint; readonly to: bigint }

const MAX_INT4 = 0x7fff_ffff
const MAX_INT8 = 2n ** 63n - 1n
const MASTERCHAIN = -1

/** Where nothing is known of logical times. */
export const anyLt: LtWindow = { from: 0n, to: MAX_INT8 }

/**
 * Between shards the order of times is not that of logical times, but it cannot be far from it. A block comes after the
 * masterchain block that it refers to, and before the one that includes it, by both clocks. So what is older than a time, and
 * what is younger, is told apart by a masterchain block that is further from it than a block takes from being begun to being
 * included. That is a few seconds; here it may be this many.
 */
const SKEW_SECONDS = 60

/** Times as the columns hold them. */
export const toInt4 = (utime: number): number => Math.min(utime, MAX_INT4)

/** Logical times as the columns hold them: there are no higher ones. */
export const toInt8 = (lt: bigint): bigint => (lt > MAX_INT8 ? MAX_INT8 : lt)

/** From a time up to another. */
type Times = readonly [first: number, last: number]

type LtRow = { first: number; last: number; from: bigint | null; to: bigint | null }

const LT_WINDOWS = `select w.first, w.last,
    (select start_lt from blocks where workchain = ${MASTERCHAIN} and gen_utime <= w.first order by gen_utime desc limit 1) as "from",
    (select end_lt from blocks where workchain = ${MASTERCHAIN} and gen_utime >= w.last order by gen_utime asc limit 1) as "to"
  from unnest($1::integer[], $2::integer[]) as w(first, last)`

/** What is looked for on either side of a window. */
export const timesOf = ({ from = 0, to = MAX_INT4 }: TimeWindow): Times => [
  toInt4(from) - SKEW_SECONDS,
  toInt4(toInt4(to) + SKEW_SECONDS),
]

export const ltWindowsQuery = (times: readonly Times[]): CompiledQuery<LtRow> =>
  rawQuery(LT_WINDOWS, [times.map(([first]) => first), times.map(([, last]) => last)])

const readLtWindows = joinReads<Times, LtRow>({
  queryOf: ltWindowsQuery,
  textOf: ([first, last]) => `${first} ${last}`,
  textOfRow: ({ first, last }) => `${first} ${last}`,
})

/**
 * Logical times outside of which nothing happened within a window of times. There is no index on the times of transactions:
 * this makes their logical times do. It is a little too wide, so the times themselves are to be compared, too.
 */
export const findLtWindow = async (reader: Reader, window: TimeWindow): Promise<LtWindow> => {
  const isOpen = (window.from ?? 0) <= SKEW_SECONDS && (window.to ?? MAX_INT4) >= MAX_INT4
  if (isOpen) return anyLt
  const [row] = await readLtWindows(reader, [timesOf(window)])
  return { from: row?.from ?? anyLt.from, to: row?.to ?? anyLt.to }
}

/** What is in both. */
export const narrowLt = (a: LtWindow, b: LtWindow): LtWindow => ({
  from: a.from > b.from ? a.from : b.from,
  to: a.to < b.to ? a.to : b.to,
})
