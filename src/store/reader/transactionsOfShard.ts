import { type RawBuilder, sql } from 'kysely'
import { toSignedShard } from '../../primitives/shard.ts'
import type { Reader } from '../connect/Reader.ts'
import { queryBuilder } from '../queryBuilder.ts'
import { afterCursor, type Page } from './page.ts'
import type { TransactionRow } from './TransactionRecord.ts'
import {
  type Condition,
  isWithinLt,
  isWithinTime,
  looseConditions,
  type TransactionsQuestion,
  transactionsOrder,
} from './TransactionsQuestion.ts'
import type { LtWindow } from './timeWindow.ts'
import { cutTo, orderBy, whereAll } from './walkedQuery.ts'

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
