import { type RawBuilder, sql } from 'kysely'
import { toSignedShard } from '../../primitives/shard.ts'
import type { Reader } from '../connect/Database.ts'
import { queryBuilder } from '../schema/tables.ts'
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
import { cutTo, orderBy, whereAll } from './walkedQuery.ts'

/** Which transactions are wanted; what is given is joined by and. */
export type TransactionsQuestion = {
  /** The block that holds them. */
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

const orderKindOf = (question: TransactionsQuestion): OrderKind => {
  if (question.lt !== undefined) return 'account'
  if (question.hashes !== undefined) return 'hash'
  // The times of one account go the way of its logical times.
  if (question.accounts?.length === 1) return 'lt of one'
  return hasTime(question.time) && question.mcSeqno === undefined ? 'time' : 'lt'
}

/** The columns are those of `transactions as t`. */
export const transactionsOrder = (question: TransactionsQuestion): Order => {
  const { direction } = question
  const kind = orderKindOf(question)
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

/** The logical times outside of which there is nothing to be found. */
export const ltWindowOf = ({
  lt,
  startLt,
  endLt,
}: Pick<TransactionsQuestion, 'lt' | 'startLt' | 'endLt'>): LtWindow => {
  const window = { from: toInt8(startLt ?? 0n), to: toInt8(endLt ?? anyLt.to) }
  // Beyond what the columns hold there is nothing at all.
  if (startLt !== undefined && startLt > anyLt.to) return { from: 1n, to: 0n }
  if (lt === undefined) return window
  return lt > anyLt.to ? { from: 1n, to: 0n } : narrowLt(window, { from: lt, to: lt })
}

/** What a window says of a column of `bigint`. */
export const isWithinLt = (column: string, { from, to }: LtWindow): Condition[] => {
  const ref = sql.ref(column)
  if (from === to) return [sql<boolean>`${ref} = ${sql.val(from)}`]
  return [
    ...(from > anyLt.from ? [sql<boolean>`${ref} >= ${sql.val(from)}`] : []),
    ...(to < anyLt.to ? [sql<boolean>`${ref} <= ${sql.val(to)}`] : []),
  ]
}

/** What a window says of a column of times. */
export const isWithinTime = (column: string, { from, to }: TimeWindow): Condition[] => [
  ...(from === undefined ? [] : [sql<boolean>`${sql.ref(column)} >= ${sql.val(toInt4(from))}`]),
  ...(to === undefined ? [] : [sql<boolean>`${sql.ref(column)} <= ${sql.val(toInt4(to))}`]),
]

/** The first byte of an account, as it stands for a workchain. */
const workchainByte = (workchain: number): number => workchain & 0xff

type Loose = Pick<TransactionsQuestion, 'workchain' | 'shard' | 'seqno' | 'excludedAccounts'>

/** Conditions that no index leads to: they are told of rows that something else has found. */
export const looseConditions = ({ workchain, shard, seqno, excludedAccounts }: Loose): Condition[] => [
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

/** The transactions of a block `b`: those of its workchain between its logical times that say that they are in it. */
export const inBlock = sql`select * from transactions as t
  where t.mc_seqno = b.mc_seqno and t.lt >= b.start_lt and t.lt <= b.end_lt and t.block_seqno = b.seqno
    and t.block_shard = b.shard and get_byte(t.account, 0) = (b.workchain & 255) offset 0`

/** No block spans more logical time. */
const BLOCK_SPAN = 1_000_000n

/** Workchains that have blocks: from one to the next by the index, since they are few and blocks are many. */
const WORKCHAINS = sql<{ workchain: number }>`with recursive found as (
    (select b.workchain from blocks as b order by b.workchain limit 1)
    union all
    select (select b.workchain from blocks as b where b.workchain > found.workchain order by b.workchain limit 1)
    from found where found.workchain is not null
  ) select found.workchain from found where found.workchain is not null`

export const workchainsQuery = () => WORKCHAINS.compile(queryBuilder)

export const findWorkchains = async (reader: Reader): Promise<number[]> =>
  (await reader.read(workchainsQuery())).map(({ workchain }) => workchain)

/** Where the blocks of a shard that hold transactions begin and end, in logical time; nulls where there are none. */
type ShardSpan = { from: bigint | null; to: bigint | null }

const placeOf = (workchain: number, shard: bigint): Condition[] => [
  sql<boolean>`b.tx_count > 0`,
  sql<boolean>`b.workchain = ${sql.val(workchain)}`,
  sql<boolean>`b.shard = ${sql.val(toSignedShard(shard))}`,
]

export const shardSpanQuery = (workchain: number, shard: bigint): RawBuilder<ShardSpan> => {
  const where = whereAll(placeOf(workchain, shard))
  const first = sql`select b.start_lt from blocks as b ${where} order by b.workchain, b.shard, b.start_lt limit 1`
  const last = sql`select b.end_lt from blocks as b ${where} order by b.workchain desc, b.shard desc, b.start_lt desc limit 1`
  return sql<ShardSpan>`select (${first}) as "from", (${last}) as "to"`
}

/** Logical times outside of which a shard has no transactions. */
export const findShardSpan = async (reader: Reader, workchain: number, shard: bigint): Promise<LtWindow> => {
  const [span] = await reader.read(shardSpanQuery(workchain, shard).compile(queryBuilder))
  return { from: span?.from ?? 1n, to: span?.to ?? 0n }
}

/**
 * Transactions of a shard, in each of some workchains. Its blocks follow each other by time and by logical time alike, so that they are
 * walked in the one order for the other, and only as many as the page takes. `lt` are the logical times that the page may reach.
 */
export const transactionsOfShardQuery = (
  question: TransactionsQuestion & { readonly shard: bigint },
  workchains: readonly number[],
  lt: LtWindow,
  page: Page,
): RawBuilder<TransactionRow> => {
  const order = transactionsOrder(question)
  const [workchain] = workchains
  if (workchains.length === 1 && workchain !== undefined) {
    return sql<TransactionRow>`${listOf(question, sql.val(workchain), lt, page)} ${cutTo(page)}`
  }
  const depth = page.limit + 1 + (page.after === undefined ? page.offset : 0)
  const list = sql`${listOf(question, sql`w.workchain`, lt, page)} limit ${sql.val(depth)}`
  return sql<TransactionRow>`select t.* from unnest(${sql.val(workchains)}::integer[]) as w(workchain)
    cross join lateral (${list}) as t ${orderBy(order)} ${cutTo(page)}`
}

const listOf = (
  question: TransactionsQuestion & { readonly shard: bigint },
  workchain: RawBuilder<unknown> | ReturnType<typeof sql.val>,
  lt: LtWindow,
  { after }: Page,
): RawBuilder<unknown> => {
  const { shard, time, direction } = question
  const order = transactionsOrder(question)
  const place = sql`(b.workchain, b.shard, b.start_lt)`
  const first = lt.from > BLOCK_SPAN ? lt.from - BLOCK_SPAN : 0n
  const signed = sql.val(toSignedShard(shard))
  const conditions = [
    sql<boolean>`b.tx_count > 0`,
    sql<boolean>`${place} >= (${workchain}, ${signed}, ${sql.val(first)})`,
    sql<boolean>`${place} <= (${workchain}, ${signed}, ${sql.val(lt.to)})`,
    ...isWithinTime('b.gen_utime', time),
    ...isWithinLt('t.lt', lt),
    ...looseConditions({ excludedAccounts: question.excludedAccounts }),
    ...(after === undefined ? [] : [afterCursor(order, after)]),
  ]
  const way = sql.raw(direction)
  return sql`select t.* from blocks as b cross join lateral (${inBlock}) as t ${whereAll(conditions)}
    order by b.workchain ${way}, b.shard ${way}, b.start_lt ${way}, t.lt ${way}, t.account asc`
}
