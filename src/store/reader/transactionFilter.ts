import { type RawBuilder, sql } from 'kysely'
import { toSignedShard } from '../../primitives/shard.ts'
import type { Reader } from '../connect/Database.ts'
import { queryBuilder } from '../schema/tables.ts'
import { cutTo, orderBy, whereAll } from './indexScan.ts'
import {
  afterCursor,
  anyLt,
  type LtWindow,
  narrowLt,
  type Order,
  type Page,
  type TimeWindow,
  toInt4,
  toInt8,
} from './page.ts'
import type { Condition } from './sql.ts'
import type { TransactionRow } from './TransactionRecord.ts'

/** Filter of transactions; conditions are combined with AND. */
export type TransactionFilter = {
  /** Their block. */
  readonly workchain?: number | undefined
  readonly shard?: bigint | undefined
  readonly seqno?: number | undefined
  readonly mcSeqno?: number | undefined
  readonly accounts?: readonly Uint8Array[] | undefined
  readonly excludedAccounts?: readonly Uint8Array[] | undefined
  readonly hashes?: readonly Uint8Array[] | undefined
  readonly lt?: bigint | undefined
  readonly time: TimeWindow
  readonly startLt?: bigint | undefined
  readonly endLt?: bigint | undefined
  readonly direction: 'asc' | 'desc'
}

export const hasTime = ({ from, to }: TimeWindow): boolean => from !== undefined || to !== undefined

type OrderKind = 'account' | 'hash' | 'lt of one' | 'time' | 'lt'

const orderKindOf = (filter: TransactionFilter): OrderKind => {
  if (filter.lt !== undefined) return 'account'
  if (filter.hashes !== undefined) return 'hash'
  // The times of one account follow its logical times.
  if (filter.accounts?.length === 1) return 'lt of one'
  return hasTime(filter.time) && filter.mcSeqno === undefined ? 'time' : 'lt'
}

/** The columns are those of `transactions as t`. */
export const transactionsOrder = (filter: TransactionFilter): Order => {
  const { direction } = filter
  const kind = orderKindOf(filter)
  const lt = { column: 't.lt', direction }
  const account = { column: 't.account', direction: 'asc' as const }
  const columns = {
    account: [{ column: 't.account', direction }],
    hash: [{ column: 't.hash', direction }],
    'lt of one': [lt],
    time: [{ column: 't.now', direction }, lt, account],
    lt: [lt, account],
  }[kind]
  return { name: `transactions by ${kind} ${direction}`, columns }
}

/** Bounds of the logical times. */
export const ltWindowOf = ({ lt, startLt, endLt }: Pick<TransactionFilter, 'lt' | 'startLt' | 'endLt'>): LtWindow => {
  const window = { from: toInt8(startLt ?? 0n), to: toInt8(endLt ?? anyLt.to) }
  // No value of the column is larger.
  if (startLt !== undefined && startLt > anyLt.to) return { from: 1n, to: 0n }
  if (lt === undefined) return window
  return lt > anyLt.to ? { from: 1n, to: 0n } : narrowLt(window, { from: lt, to: lt })
}

/** The conditions of a window on a `bigint` column. */
export const isWithinLt = (column: string, { from, to }: LtWindow): Condition[] => {
  const ref = sql.ref(column)
  if (from === to) return [sql<boolean>`${ref} = ${sql.val(from)}`]
  return [
    ...(from > anyLt.from ? [sql<boolean>`${ref} >= ${sql.val(from)}`] : []),
    ...(to < anyLt.to ? [sql<boolean>`${ref} <= ${sql.val(to)}`] : []),
  ]
}

/** The conditions of a window on a time column. */
export const isWithinTime = (column: string, { from, to }: TimeWindow): Condition[] => [
  ...(from === undefined ? [] : [sql<boolean>`${sql.ref(column)} >= ${sql.val(toInt4(from))}`]),
  ...(to === undefined ? [] : [sql<boolean>`${sql.ref(column)} <= ${sql.val(toInt4(to))}`]),
]

/** The first byte of an account key in this workchain. */
const workchainByte = (workchain: number): number => workchain & 0xff

type RowFilter = Pick<TransactionFilter, 'workchain' | 'shard' | 'seqno' | 'excludedAccounts'>

/** Conditions without an index, checked row by row. */
export const rowConditions = ({ workchain, shard, seqno, excludedAccounts }: RowFilter): Condition[] => [
  ...(workchain === undefined
    ? []
    : [
        workchain === (workchain << 24) >> 24
          ? sql<boolean>`get_byte(t.account, 0) = ${sql.val(workchainByte(workchain))}`
          : sql<boolean>`false`,
      ]),
  ...(shard === undefined ? [] : [sql<boolean>`t.block_shard = ${sql.val(toSignedShard(shard))}`]),
  ...(seqno === undefined ? [] : [sql<boolean>`t.block_seqno = ${sql.val(seqno)}`]),
  ...(excludedAccounts === undefined ? [] : [sql<boolean>`t.account <> all(${sql.val(excludedAccounts)})`]),
]

/** The transactions of a block `b`: rows of its workchain within its logical times that name it. */
export const inBlock = sql`select * from transactions as t
  where t.mc_seqno = b.mc_seqno and t.lt >= b.start_lt and t.lt <= b.end_lt and t.block_seqno = b.seqno
    and t.block_shard = b.shard and get_byte(t.account, 0) = (b.workchain & 255) offset 0`

/** Maximum span of logical times in a block. */
const BLOCK_SPAN = 1_000_000n

/** Workchains with blocks, by a loose index scan: they are few and blocks are many. */
const WORKCHAINS = sql<{ workchain: number }>`with recursive found as (
    (select b.workchain from blocks as b order by b.workchain limit 1)
    union all
    select (select b.workchain from blocks as b where b.workchain > found.workchain order by b.workchain limit 1)
    from found where found.workchain is not null
  ) select found.workchain from found where found.workchain is not null`

export const workchainsQuery = () => WORKCHAINS.compile(queryBuilder)

export const findWorkchains = async (reader: Reader): Promise<number[]> =>
  (await reader.read(workchainsQuery())).map(({ workchain }) => workchain)

/** First and last logical time of a shard's blocks with transactions; nulls if there are none. */
type ShardSpan = { from: bigint | null; to: bigint | null }

const positionOf = (workchain: number, shard: bigint): Condition[] => [
  sql<boolean>`b.tx_count > 0`,
  sql<boolean>`b.workchain = ${sql.val(workchain)}`,
  sql<boolean>`b.shard = ${sql.val(toSignedShard(shard))}`,
]

export const shardSpanQuery = (workchain: number, shard: bigint): RawBuilder<ShardSpan> => {
  const where = whereAll(positionOf(workchain, shard))
  const first = sql`select b.start_lt from blocks as b ${where} order by b.workchain, b.shard, b.start_lt limit 1`
  const last = sql`select b.end_lt from blocks as b ${where} order by b.workchain desc, b.shard desc, b.start_lt desc limit 1`
  return sql<ShardSpan>`select (${first}) as "from", (${last}) as "to"`
}

/** Bounds of the logical times of a shard's transactions. */
export const findShardSpan = async (reader: Reader, workchain: number, shard: bigint): Promise<LtWindow> => {
  const [span] = await reader.read(shardSpanQuery(workchain, shard).compile(queryBuilder))
  return { from: span?.from ?? 1n, to: span?.to ?? 0n }
}

/**
 * Transactions of a shard in each of these workchains. Blocks of a shard have the same order by time and logical time, so that
 * one index serves both orders, and only the blocks of the page are read. `lt` are the logical times that the page may reach.
 */
export const transactionsOfShardQuery = (
  filter: TransactionFilter & { readonly shard: bigint },
  workchains: readonly number[],
  lt: LtWindow,
  page: Page,
): RawBuilder<TransactionRow> => {
  const order = transactionsOrder(filter)
  const [workchain] = workchains
  if (workchains.length === 1 && workchain !== undefined) {
    return sql<TransactionRow>`${listOf(filter, sql.val(workchain), lt, page)} ${cutTo(page)}`
  }
  const depth = page.limit + 1 + (page.after === undefined ? page.offset : 0)
  const list = sql`${listOf(filter, sql`w.workchain`, lt, page)} limit ${sql.val(depth)}`
  return sql<TransactionRow>`select t.* from unnest(${sql.val(workchains)}::integer[]) as w(workchain)
    cross join lateral (${list}) as t ${orderBy(order)} ${cutTo(page)}`
}

const listOf = (
  filter: TransactionFilter & { readonly shard: bigint },
  workchain: RawBuilder<unknown> | ReturnType<typeof sql.val>,
  lt: LtWindow,
  { after }: Page,
): RawBuilder<unknown> => {
  const { shard, time, direction } = filter
  const order = transactionsOrder(filter)
  const position = sql`(b.workchain, b.shard, b.start_lt)`
  const first = lt.from > BLOCK_SPAN ? lt.from - BLOCK_SPAN : 0n
  const signed = sql.val(toSignedShard(shard))
  const conditions = [
    sql<boolean>`b.tx_count > 0`,
    sql<boolean>`${position} >= (${workchain}, ${signed}, ${sql.val(first)})`,
    sql<boolean>`${position} <= (${workchain}, ${signed}, ${sql.val(lt.to)})`,
    ...isWithinTime('b.gen_utime', time),
    ...isWithinLt('t.lt', lt),
    ...rowConditions({ excludedAccounts: filter.excludedAccounts }),
    ...(after === undefined ? [] : [afterCursor(order, after)]),
  ]
  const way = sql.raw(direction)
  return sql`select t.* from blocks as b cross join lateral (${inBlock}) as t ${whereAll(conditions)}
    order by b.workchain ${way}, b.shard ${way}, b.start_lt ${way}, t.lt ${way}, t.account asc`
}
