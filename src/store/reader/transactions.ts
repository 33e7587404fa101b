import { type CompiledQuery, sql } from 'kysely'
import { compareBytes } from '../../primitives/bytes.ts'
import { isValidShard, shardContains } from '../../primitives/shard.ts'
import type { Reader } from '../connect/Database.ts'
import { batchReads } from '../connect/QueryBatcher.ts'
import { queryBuilder } from '../schema/tables.ts'
import {
  type AccountsQuery,
  accountsScanEndQuery,
  headLength,
  reachQuery,
  readShortPage,
  transactionsOfAccountsQuery,
} from './accountTransactions.ts'
import { findBlocksDistributed, walkBlocks, walkShard } from './distributedTransactions.ts'
import { findHashPositions, findTransactionsByHash, type HashPosition } from './findTransactions.ts'
import { cutTo, type IndexScan, orderBy, scanPage, scanUntilFull, whereAll } from './indexScan.ts'
import { readOpenPage } from './offsetPages.ts'
import {
  afterCursor,
  anyLt,
  cutPage,
  findLtWindow,
  type KeyValue,
  type LtWindow,
  narrowLt,
  type Order,
  type Page,
  type Paged,
  type TimeWindow,
  toInt4,
} from './page.ts'
import { type Condition, MAX_SHORT_PAGE, pagesByLength, rawQuery, spanOf } from './sql.ts'
import { inLtOrder, keyText, type TransactionRow } from './TransactionRecord.ts'
import {
  findShardSpan,
  findWorkchains,
  hasTime,
  inBlock,
  isWithinLt,
  isWithinTime,
  ltWindowOf,
  rowConditions,
  type TransactionFilter,
  transactionsOfShardQuery,
  transactionsOrder,
} from './transactionFilter.ts'

/** The first transactions of masterchain blocks, one page each. */
export const blockPagesQuery = (
  seqnos: readonly number[],
  direction: 'asc' | 'desc',
  length: number,
): CompiledQuery<TransactionRow> => {
  const { first, last } = spanOf(seqnos)
  const blocks =
    '(select start_lt, end_lt from blocks where mc_seqno = w.mc_seqno and mc_seqno >= $2 and mc_seqno <= $3 offset 0) as b'
  return rawQuery(
    `select t.* from unnest($1::integer[]) as w(mc_seqno) cross join lateral (
      select * from transactions as t where t.mc_seqno = w.mc_seqno and t.mc_seqno >= $2 and t.mc_seqno <= $3
        and t.lt >= (select min(b.start_lt) from ${blocks}) and t.lt <= (select max(b.end_lt) from ${blocks})
      order by t.lt ${direction}, t.account asc limit ${Math.trunc(length)}
    ) as t`,
    [seqnos, first, last],
  )
}

const readBlockPages = pagesByLength((direction, length) =>
  batchReads<number, TransactionRow>({
    queryOf: (seqnos) => blockPagesQuery(seqnos, direction, length),
    textOf: String,
    textOfRow: ({ mc_seqno }) => String(mc_seqno),
  }),
)

/** The first transactions of a masterchain block by logical time and account, batched with concurrent reads. */
const readBlockPage = async (
  reader: Reader,
  mcSeqno: number,
  direction: 'asc' | 'desc',
  length: number,
): Promise<TransactionRow[]> => {
  const rows = await readBlockPages(direction, length)(reader, [mcSeqno])
  return rows.toSorted(inLtOrder(direction))
}

const MAX_INT4 = 0x7fff_ffff

/**
 * Bounds of the logical times of a masterchain block and its shard blocks, in a subquery: for a plain minimum the planner would
 * scan the index by logical time.
 */
const isInMasterchainBlock = (mcSeqno: number): Condition[] => {
  const blocks = sql`(select start_lt, end_lt from blocks where mc_seqno = ${sql.val(mcSeqno)} offset 0) as own`
  return [
    sql<boolean>`t.mc_seqno = ${sql.val(mcSeqno)}`,
    sql<boolean>`t.lt >= (select min(own.start_lt) from ${blocks})`,
    sql<boolean>`t.lt <= (select max(own.end_lt) from ${blocks})`,
  ]
}

/** Conditions with an index, apart from accounts, hashes and blocks. */
const windowConditions = (filter: TransactionFilter, lt: LtWindow): Condition[] => [
  ...isWithinLt('t.lt', lt),
  ...placeConditions(filter),
]

const placeConditions = (filter: TransactionFilter): Condition[] => [
  ...isWithinTime('t.now', filter.time),
  ...(filter.mcSeqno === undefined ? [] : isInMasterchainBlock(filter.mcSeqno)),
]

const isAfter = (order: Order, { after }: Page): Condition[] => (after === undefined ? [] : [afterCursor(order, after)])

export const transactionsOfHashesQuery = (
  filter: TransactionFilter,
  positions: readonly HashPosition[],
  page: Page,
) => {
  const { accounts } = filter
  const seqnos = positions.map(({ mc_seqno }) => mc_seqno)
  const { first, last } = spanOf(seqnos)
  const order = transactionsOrder(filter)
  const conditions = [
    ...windowConditions(filter, ltWindowOf(filter)),
    ...rowConditions(filter),
    ...(accounts === undefined ? [] : [sql<boolean>`t.account = any(${sql.val(accounts)})`]),
    ...isAfter(order, page),
  ]
  const stored = positions.map(({ account }) => account)
  const [alsoOf, also, isStored] = stored.includes(null)
    ? [sql``, sql``, sql``]
    : [sql`, ${sql.val(stored)}::bytea[]`, sql`, account`, sql`t.account = l.account and `]
  return sql<TransactionRow>`select t.* from (
    select distinct w.hash, w.lt, w.mc_seqno${also}
    from unnest(${sql.val(positions.map(({ hash }) => hash))}::bytea[], ${sql.val(positions.map(({ lt }) => lt))}::bigint[],
      ${sql.val(seqnos)}::integer[]${alsoOf}) as w(hash, lt, mc_seqno${also})
  ) as l cross join lateral (
    select * from transactions as t where ${isStored}t.lt = l.lt and t.mc_seqno = l.mc_seqno and t.hash = l.hash
      and t.mc_seqno >= ${sql.val(first)} and t.mc_seqno <= ${sql.val(last)} limit 1
  ) as t ${whereAll(conditions)} ${orderBy(order)} ${cutTo(page)}`
}

const isPlaced = ({ workchain, shard, seqno }: TransactionFilter): Condition[] => [
  ...(seqno === undefined ? [] : [sql<boolean>`b.seqno = ${sql.val(seqno)}`]),
  ...(workchain === undefined ? [] : [sql<boolean>`b.workchain = ${sql.val(workchain)}`]),
  ...(shard === undefined ? [] : [sql<boolean>`b.shard = ${sql.val(BigInt.asIntN(64, shard))}`]),
]

/** Transactions of blocks with a seqno, in one workchain and shard or in any. `blocks` is where the blocks `b` come from. */
export const transactionsOfBlocksQuery = (filter: TransactionFilter, page: Page, blocks = sql`blocks as b`) => {
  const order = transactionsOrder(filter)
  const conditions = [
    ...isPlaced(filter),
    ...windowConditions(filter, ltWindowOf(filter)),
    ...rowConditions({ excludedAccounts: filter.excludedAccounts }),
    ...(filter.accounts === undefined ? [] : [sql<boolean>`t.account = any(${sql.val(filter.accounts)})`]),
    ...isAfter(order, page),
  ]
  return sql<TransactionRow>`select t.* from ${blocks} cross join lateral (${inBlock}) as t
    ${whereAll(conditions)} ${orderBy(order)} ${cutTo(page)}`
}

/** By time: scans blocks in this order, those of a workchain by their own index, and only as many as the page needs. */
export const transactionsByTimeQuery = (filter: TransactionFilter, page: Page) => {
  const { workchain, direction, time } = filter
  const { columns, name } = transactionsOrder(filter)
  const order: Order = {
    name,
    columns: columns.map(({ column, direction }) => ({
      column: column === 't.now' ? 'b.gen_utime' : column,
      direction,
    })),
  }
  const conditions = [
    sql<boolean>`b.tx_count > 0`,
    ...(workchain === undefined
      ? isWithinTime('b.gen_utime', time)
      : isOfWorkchain(workchain, timeAfter(filter, page))),
    ...isWithinLt('t.lt', ltWindowOf(filter)),
    ...rowConditions({ seqno: filter.seqno, excludedAccounts: filter.excludedAccounts }),
    ...isAfter(order, page),
  ]
  const key = workchain === undefined ? [] : [{ column: 'b.workchain', direction }]
  return sql<TransactionRow>`select t.* from blocks as b cross join lateral (${inBlock}) as t
    ${whereAll(conditions)} ${orderBy({ name, columns: [...key, ...order.columns] })} ${cutTo(page)}`
}

/** Compared as a range: for an equality the planner may choose the index of all blocks. */
const isOfWorkchain = (workchain: number, { from = 0, to = MAX_INT4 }: TimeWindow): Condition[] => [
  sql<boolean>`(b.workchain, b.gen_utime) >= (${sql.val(workchain)}, ${sql.val(toInt4(from))})`,
  sql<boolean>`(b.workchain, b.gen_utime) <= (${sql.val(workchain)}, ${sql.val(toInt4(to))})`,
]

/** After the cursor, times are bounded by its time. */
const timeAfter = ({ time, direction }: TransactionFilter, { after }: Page): TimeWindow => {
  const reached = after?.key[0]
  if (typeof reached !== 'number') return time
  return direction === 'desc'
    ? { from: time.from, to: Math.min(time.to ?? reached, reached) }
    : { from: Math.max(time.from ?? reached, reached), to: time.to }
}

/** By logical time: all transactions, or those of a workchain or masterchain block. */
export const transactionsByLtScan = (filter: TransactionFilter, page: Page): IndexScan => {
  const { workchain, direction } = filter
  const scan = { from: sql`transactions as t`, name: 't', order: transactionsOrder(filter), page }
  // At one logical time, or in one masterchain block, there are few.
  if (workchain === undefined || filter.lt !== undefined || filter.mcSeqno !== undefined) {
    const indexFilters = windowConditions(filter, ltWindowOf(filter))
    return { ...scan, indexFilters, rowFilters: rowConditions(filter) }
  }
  const column = sql`get_byte(t.account, 0)`
  const { from, to } = ltWindowAfter(filter, page)
  const byte = sql.val(workchain & 0xff)
  const indexFilters = [
    sql<boolean>`(${column}, t.lt) >= (${byte}, ${sql.val(from)})`,
    sql<boolean>`(${column}, t.lt) <= (${byte}, ${sql.val(to)})`,
  ]
  const rowFilters = rowConditions({ excludedAccounts: filter.excludedAccounts })
  return { ...scan, key: { column, direction }, indexFilters, rowFilters }
}

/** The window, narrowed to what follows the cursor. */
const ltWindowAfter = (filter: TransactionFilter, { after }: Page): LtWindow => {
  const window = ltWindowOf(filter)
  const reached = after?.key[0]
  if (typeof reached !== 'bigint') return window
  return narrowLt(
    window,
    filter.direction === 'desc' ? { from: window.from, to: reached } : { from: reached, to: window.to },
  )
}

/** The accounts that can have matching transactions. */
const accountsOf = ({ accounts = [], workchain, shard, excludedAccounts = [] }: TransactionFilter): Uint8Array[] => {
  const excluded = new Set(excludedAccounts.map(keyText))
  const isThere = (account: Uint8Array): boolean => workchain === undefined || workchainOf(account) === workchain
  return accounts.filter((account) => isThere(account) && isInShard(account, shard) && !excluded.has(keyText(account)))
}

const workchainOf = (account: Uint8Array): number => (account[0]! << 24) >> 24

/** An account is in the shards whose prefix its address has, which change with splits and merges. */
const isInShard = (account: Uint8Array, shard: bigint | undefined): boolean => {
  if (shard === undefined) return true
  const { buffer, byteOffset } = account
  return isValidShard(shard) && shardContains(shard, new DataView(buffer, byteOffset).getBigUint64(1))
}

export const accountsQueryOf = (
  filter: TransactionFilter,
  lt: LtWindow,
  page: Page,
  length?: number,
): AccountsQuery => {
  // In one block, or at one logical time, there are few.
  const isShort = filter.lt !== undefined || filter.mcSeqno !== undefined
  const loose = rowConditions({ shard: filter.shard, seqno: filter.seqno })
  return {
    accounts: accountsOf(filter),
    lt,
    isInOrder: filter.mcSeqno === undefined,
    conditions: [...placeConditions(filter), ...(isShort ? loose : [])],
    rowFilters: isShort ? [] : loose,
    length,
    order: transactionsOrder(filter),
    page,
  }
}

const isOnlyBy = (name: 'hashes' | 'mcSeqno' | 'nothing', filter: TransactionFilter): boolean => {
  const others: readonly string[] = Object.keys(filter).filter((key) => !['direction', 'time', name].includes(key))
  return others.every((key) => filter[key as keyof TransactionFilter] === undefined) && !hasTime(filter.time)
}

const findNamed = async (
  reader: Reader,
  hashes: readonly Uint8Array[],
  { direction }: TransactionFilter,
  { offset, limit }: Page,
): Promise<TransactionRow[]> => {
  const sign = direction === 'asc' ? 1 : -1
  const distinct = new Map(hashes.map((hash) => [keyText(hash), hash]))
  const rows = await findTransactionsByHash(reader, [...distinct.values()])
  return rows.toSorted((a, b) => sign * compareBytes(a.hash, b.hash)).slice(offset, offset + limit + 1)
}

const findRows = async (reader: Reader, filter: TransactionFilter, page: Page): Promise<readonly TransactionRow[]> => {
  const { accounts, hashes, lt, workchain, shard, seqno, mcSeqno, time } = filter
  const read = (query: ReturnType<typeof transactionsOfHashesQuery>) => reader.read(query.compile(queryBuilder))
  if (workchain !== undefined && workchain !== (workchain << 24) >> 24) return []
  if (hashes !== undefined) {
    if (hashes.length <= MAX_SHORT_PAGE && page.after === undefined && isOnlyBy('hashes', filter)) {
      return findNamed(reader, hashes, filter, page)
    }
    const positions = await findHashPositions(reader, hashes)
    return positions.length === 0 ? [] : read(transactionsOfHashesQuery(filter, positions, page))
  }
  const isShort = page.limit < MAX_SHORT_PAGE && page.after === undefined && page.offset === 0
  if (mcSeqno !== undefined && isShort && isOnlyBy('mcSeqno', filter)) {
    return readBlockPage(reader, mcSeqno, filter.direction, page.limit + 1)
  }
  if (lt === undefined && seqno !== undefined) {
    const blocks = reader.isDistributed ? await findBlocksDistributed(reader, isPlaced(filter)) : undefined
    return read(transactionsOfBlocksQuery(filter, page, blocks))
  }
  if (accounts !== undefined)
    return scanUntilFull((length) => findOfAccounts(reader, filter, page, length), 'accountsInShard')
  if (lt === undefined && mcSeqno === undefined) {
    if (shard !== undefined) return findOfShard(reader, { ...filter, shard }, page)
    if (hasTime(time)) {
      return reader.isDistributed
        ? walkBlocks(reader, filter, { workchain, time: timeAfter(filter, page) }, page)
        : read(transactionsByTimeQuery(filter, page))
    }
  }
  if (page.after === undefined && isOnlyBy('nothing', filter)) return readOpenPage(reader, filter.direction, page)
  return scanPage<TransactionRow>(reader, transactionsByLtScan(filter, page), 'excludedAccounts')
}

const findOfShard = async (
  reader: Reader,
  filter: TransactionFilter & { readonly shard: bigint },
  page: Page,
): Promise<readonly TransactionRow[]> => {
  const { workchain, time } = filter
  const workchains = workchain === undefined ? await findWorkchains(reader) : [workchain]
  const lt = hasTime(time)
    ? narrowLt(ltWindowOf(filter), await findLtWindow(reader, timeAfter(filter, page)))
    : ltWindowAfter(filter, page)
  if (reader.isDistributed) return walkShard(reader, filter, workchains, lt, page)
  return reader.read(transactionsOfShardQuery(filter, workchains, lt, page).compile(queryBuilder))
}

const findOfAccounts = async (
  reader: Reader,
  filter: TransactionFilter,
  page: Page,
  walked: number | undefined,
): Promise<readonly TransactionRow[] | 'more'> => {
  const own = await findAccountsWindow(reader, filter)
  const lt = hasTime(filter.time) ? narrowLt(own, await findLtWindow(reader, filter.time)) : own
  const query = accountsQueryOf(filter, lt, page, walked)
  if (query.accounts.length === 0) return []
  const short = await readShortPage(reader, query, filter.time)
  if (short !== undefined) return short
  const length = headLength(query)
  const [reach] = length === undefined ? [] : await reader.read(reachQuery(query, length).compile(queryBuilder))
  const bound = reach === undefined ? anyLt : await ltWindowUpTo(reader, filter, reach)
  const bounded = accountsQueryOf(filter, narrowLt(lt, bound), page, walked)
  const rows = await reader.read(transactionsOfAccountsQuery(bounded).compile(queryBuilder))
  if (rows.length > page.limit) return rows
  const end = accountsScanEndQuery(bounded)
  const [more] = end === undefined ? [] : await reader.read(end.compile(queryBuilder))
  return more === undefined ? rows : 'more'
}

/** Bounds of the logical times, narrowed to the lifetime of the shard. */
const findAccountsWindow = async (reader: Reader, filter: TransactionFilter): Promise<LtWindow> => {
  const { shard } = filter
  const own = ltWindowOf(filter)
  const workchains = new Set(accountsOf(filter).map(workchainOf))
  const [workchain] = workchains
  if (shard === undefined || workchain === undefined || workchains.size > 1) return own
  return narrowLt(own, await findShardSpan(reader, workchain, shard))
}

/** The logical times up to the end of a page. */
const ltWindowUpTo = async (
  reader: Reader,
  filter: TransactionFilter,
  { now, lt }: { readonly now: number; readonly lt: bigint },
): Promise<LtWindow> => {
  const isDown = filter.direction === 'desc'
  if (transactionsOrder(filter).columns[0]!.column !== 't.now') {
    return isDown ? { from: lt, to: anyLt.to } : { from: anyLt.from, to: lt }
  }
  return findLtWindow(reader, isDown ? { from: now } : { to: now })
}

/** A page, and the lookahead row. */
type ListedTransactions = Paged<TransactionRow> & { readonly lookahead: TransactionRow | undefined }

/** A page of transactions in the order of the filter. */
export const listTransactions = async (
  reader: Reader,
  filter: TransactionFilter,
  page: Page,
): Promise<ListedTransactions> => {
  const order = transactionsOrder(filter)
  const rows = await findRows(reader, filter, page)
  const cut = cutPage(rows, order, page, (row) => order.columns.map(({ column }) => keyOf(row, column)))
  return { ...cut, lookahead: rows[page.limit] }
}

const keyOf = (row: TransactionRow, column: string): KeyValue => {
  switch (column) {
    case 't.account':
      return row.account
    case 't.hash':
      return row.hash
    case 't.now':
      return row.now
    default:
      return row.lt
  }
}
