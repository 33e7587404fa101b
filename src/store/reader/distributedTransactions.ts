import { type RawBuilder, sql } from 'kysely'
import { compareBytes } from '../../primitives/bytes.ts'
import { toSignedShard } from '../../primitives/shard.ts'
import type { Reader } from '../connect/Database.ts'
import { queryBuilder, type Tables } from '../schema/tables.ts'
import { QueryTooCostlyError } from './costlyFilters.ts'
import { orderBy, whereAll } from './indexScan.ts'
import { afterCursor, type LtWindow, type Order, type Page, type TimeWindow } from './page.ts'
import { type Condition, spanOf } from './sql.ts'
import type { TransactionRow } from './TransactionRecord.ts'
import {
  isWithinLt,
  isWithinTime,
  ltWindowOf,
  rowConditions,
  type TransactionFilter,
  transactionsOrder,
} from './transactionFilter.ts'

// Transactions by their blocks where the two are on different servers: no statement can join them in order. The blocks are read
// first, and then the transactions within their bounds.

type ChosenBlock = Pick<
  Tables['blocks'],
  'mc_seqno' | 'start_lt' | 'end_lt' | 'seqno' | 'shard' | 'workchain' | 'gen_utime' | 'tx_count'
>

const columns = sql.raw('b.mc_seqno, b.start_lt, b.end_lt, b.seqno, b.shard, b.workchain, b.gen_utime, b.tx_count')

/** The blocks with a seqno, which are few, as a source of rows `b`. */
export const findBlocksDistributed = async (
  reader: Reader,
  conditions: readonly Condition[],
): Promise<RawBuilder<unknown>> => {
  const blocks = await reader.read(
    sql<ChosenBlock>`select ${columns} from blocks as b ${whereAll(conditions)}`.compile(queryBuilder),
  )
  const list = <K extends keyof ChosenBlock>(name: K) => sql.val(blocks.map((block) => block[name]))
  return sql`unnest(${list('mc_seqno')}::integer[], ${list('start_lt')}::bigint[], ${list('end_lt')}::bigint[],
    ${list('seqno')}::integer[], ${list('shard')}::bigint[], ${list('workchain')}::integer[])
    as b(mc_seqno, start_lt, end_lt, seqno, shard, workchain)`
}

/** Which blocks to walk, in the order of their times. */
type BlockPath = {
  readonly workchain: number | undefined
  /** Given with a workchain. The times of its blocks follow their logical times. */
  readonly shard?: { readonly id: bigint; readonly lt: LtWindow }
  readonly time: TimeWindow
}

/** Maximum span of logical times in a block. */
const BLOCK_SPAN = 1_000_000n

const blocksQuery = ({ workchain, shard, time }: BlockPath, direction: 'asc' | 'desc', count: number) => {
  const conditions = [
    sql<boolean>`b.tx_count > 0`,
    ...(workchain === undefined ? [] : [sql<boolean>`b.workchain = ${sql.val(workchain)}`]),
    ...isWithinTime('b.gen_utime', time),
    ...(shard === undefined
      ? []
      : [
          sql<boolean>`b.shard = ${sql.val(toSignedShard(shard.id))}`,
          ...isWithinLt('b.start_lt', {
            from: shard.lt.from > BLOCK_SPAN ? shard.lt.from - BLOCK_SPAN : 0n,
            to: shard.lt.to,
          }),
        ]),
  ]
  const by = sql.raw(`${shard === undefined ? 'b.gen_utime' : 'b.start_lt'} ${direction}`)
  return sql<ChosenBlock>`select ${columns} from blocks as b ${whereAll(conditions)} order by ${by} limit ${sql.val(count)}`
}

type ChosenBlocks = {
  readonly blocks: readonly ChosenBlock[]
  /** The first time of which blocks may be missing. */
  readonly border: number | undefined
}

/** The first blocks with as many transactions, and none of the border's time. */
const chooseBlocks = (found: readonly ChosenBlock[], wanted: number, areAll: boolean): ChosenBlocks => {
  let [count, border]: [number, number | undefined] = [0, undefined]
  for (const [k, { gen_utime, tx_count }] of found.entries()) {
    if (count >= wanted && gen_utime !== found[k - 1]!.gen_utime) {
      border = gen_utime
      break
    }
    count += tx_count
  }
  if (border === undefined && !areAll) border = found.at(-1)?.gen_utime
  return {
    blocks:
      border === undefined
        ? found
        : found.slice(
            0,
            found.findIndex(({ gen_utime }) => gen_utime === border),
          ),
    border,
  }
}

const MIN_BLOCKS = 64
const MAX_BLOCKS = 65_536

/** A page of transactions and the lookahead row, by walking blocks. */
export const walkBlocks = async (
  reader: Reader,
  filter: TransactionFilter,
  path: BlockPath,
  page: Page,
): Promise<readonly TransactionRow[]> => {
  const { direction } = filter
  const order = transactionsOrder(filter)
  const depth = page.limit + 1 + (page.after === undefined ? page.offset : 0)
  let wanted = depth
  for (let count = Math.max(MIN_BLOCKS, depth); count <= MAX_BLOCKS; count *= 4, wanted *= 4) {
    const found = await reader.read(blocksQuery(path, direction, count).compile(queryBuilder))
    if (found.length === 0) return []
    const chosen = chooseBlocks(found, wanted, found.length < count)
    if (chosen.blocks.length === 0) continue
    const query = transactionsWithinQuery(filter, path, chosen, order, page, depth)
    const rows = await reader.read(query.compile(queryBuilder))
    if (chosen.border === undefined || rows.length >= depth) return rows.slice(depth - page.limit - 1)
  }
  throw new QueryTooCostlyError('distributedTransactions')
}

const transactionsWithinQuery = (
  filter: TransactionFilter,
  { workchain, shard, time }: BlockPath,
  { blocks, border }: ChosenBlocks,
  order: Order,
  { after }: Page,
  depth: number,
) => {
  const { first, last } = spanOf(blocks.map(({ mc_seqno }) => mc_seqno))
  const { seqno, excludedAccounts } = filter
  const least = blocks.reduce((low, { start_lt }) => (start_lt < low ? start_lt : low), blocks[0]!.start_lt)
  const most = blocks.reduce((high, { end_lt }) => (end_lt > high ? end_lt : high), blocks[0]!.end_lt)
  const conditions = [
    sql<boolean>`t.mc_seqno >= ${sql.val(first)} and t.mc_seqno <= ${sql.val(last)}`,
    sql<boolean>`t.lt >= ${sql.val(least)} and t.lt <= ${sql.val(most)}`,
    ...isWithinLt('t.lt', shard?.lt ?? ltWindowOf(filter)),
    ...isWithinTime('t.now', time),
    ...(border === undefined
      ? []
      : [sql<boolean>`t.now ${sql.raw(filter.direction === 'desc' ? '>' : '<')} ${sql.val(border)}`]),
    ...rowConditions({ workchain, shard: shard?.id, seqno, excludedAccounts }),
    ...(after === undefined ? [] : [afterCursor(order, after)]),
  ]
  return sql<TransactionRow>`select t.* from transactions as t ${whereAll(conditions)} ${orderBy(order)} limit ${sql.val(depth)}`
}

/** The transactions of a shard in each of these workchains, merged. */
export const walkShard = async (
  reader: Reader,
  filter: TransactionFilter & { readonly shard: bigint },
  workchains: readonly number[],
  lt: LtWindow,
  page: Page,
): Promise<readonly TransactionRow[]> => {
  const offset = page.after === undefined ? page.offset : 0
  const whole = { ...page, limit: page.limit + offset, offset: 0 }
  const path = { shard: { id: filter.shard, lt }, time: filter.time }
  const lists = await Promise.all(
    workchains.map((workchain) => walkBlocks(reader, filter, { ...path, workchain }, whole)),
  )
  const { columns: by } = transactionsOrder(filter)
  const rows = lists.flat().sort((a, b) => {
    for (const { column, direction } of by) {
      const rising = compareColumn(a, b, column)
      if (rising !== 0) return direction === 'asc' ? rising : -rising
    }
    return 0
  })
  return rows.slice(offset, offset + page.limit + 1)
}

const compareColumn = (a: TransactionRow, b: TransactionRow, column: string): number => {
  if (column === 't.now') return a.now - b.now
  if (column === 't.account') return compareBytes(a.account, b.account)
  return a.lt < b.lt ? -1 : a.lt > b.lt ? 1 : 0
}
