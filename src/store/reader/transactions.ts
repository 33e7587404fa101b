import { type CompiledQuery, sql } from 'kysely'
import { compareBytes } from '../../primitives/bytes.ts'
import { isValidShard, shardContains } from '../../primitives/shard.ts'
import type { Reader } from '../connect/Database.ts'
import { joinReads } from '../connect/QueryBatcher.ts'
import { queryBuilder } from '../schema/tables.ts'
import {
  type AccountsQuery,
  accountsWalkEndQuery,
  headLength,
  reachQuery,
  readShortPage,
  transactionsOfAccountsQuery,
} from './accountTransactions.ts'
import { findHashPlaces, findTransactionsByHash, type HashPlace } from './findTransactions.ts'
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
  looseConditions,
  ltWindowOf,
  type TransactionsQuestion,
  transactionsOfShardQuery,
  transactionsOrder,
} from './transactionFilter.ts'
import { cutTo, orderBy, type Walk, walkOn, walkPage, whereAll } from './walkedQuery.ts'

/** The first transactions of masterchain blocks, as many of each as a page takes. */
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
  joinReads<number, TransactionRow>({
    queryOf: (seqnos) => blockPagesQuery(seqnos, direction, length),
    textOf: String,
    textOfRow: ({ mc_seqno }) => String(mc_seqno),
  }),
)

/** The first transactions of a masterchain block, by logical time and account, in one statement with what others ask. */
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
 * The logical times of the blocks that a masterchain block is the first to include. Those are found first: for the lowest of all the
 * server would go through the index of logical times until it meets one of them.
 */
const isInMasterchainBlock = (mcSeqno: number): Condition[] => {
  const blocks = sql`(select start_lt, end_lt from blocks where mc_seqno = ${sql.val(mcSeqno)} offset 0) as b`
  return [
    sql<boolean>`t.mc_seqno = ${sql.val(mcSeqno)}`,
    sql<boolean>`t.lt >= (select min(b.start_lt) from ${blocks})`,
    sql<boolean>`t.lt <= (select max(b.end_lt) from ${blocks})`,
  ]
}

/** What an index leads to, apart from accounts, hashes and blocks. */
const windowConditions = (question: TransactionsQuestion, lt: LtWindow): Condition[] => [
  ...isWithinLt('t.lt', lt),
  ...placeConditions(question),
]

const placeConditions = (question: TransactionsQuestion): Condition[] => [
  ...isWithinTime('t.now', question.time),
  ...(question.mcSeqno === undefined ? [] : isInMasterchainBlock(question.mcSeqno)),
]

const isAfter = (order: Order, { after }: Page): Condition[] => (after === undefined ? [] : [afterCursor(order, after)])

export const transactionsOfHashesQuery = (question: TransactionsQuestion, places: readonly HashPlace[], page: Page) => {
  const { accounts } = question
  const seqnos = places.map(({ mc_seqno }) => mc_seqno)
  const { first, last } = spanOf(seqnos)
  const order = transactionsOrder(question)
  const conditions = [
    ...windowConditions(question, ltWindowOf(question)),
    ...looseConditions(question),
    ...(accounts === undefined ? [] : [sql<boolean>`t.account = any(${sql.val(accounts)})`]),
    ...isAfter(order, page),
  ]
  return sql<TransactionRow>`select t.* from (
    select distinct w.hash, w.lt, w.mc_seqno
    from unnest(${sql.val(places.map(({ hash }) => hash))}::bytea[], ${sql.val(places.map(({ lt }) => lt))}::bigint[],
      ${sql.val(seqnos)}::integer[]) as w(hash, lt, mc_seqno)
  ) as l cross join lateral (
    select * from transactions as t where t.lt = l.lt and t.mc_seqno = l.mc_seqno and t.hash = l.hash
      and t.mc_seqno >= ${sql.val(first)} and t.mc_seqno <= ${sql.val(last)} limit 1
  ) as t ${whereAll(conditions)} ${orderBy(order)} ${cutTo(page)}`
}

const isPlaced = ({ workchain, shard, seqno }: TransactionsQuestion): Condition[] => [
  ...(seqno === undefined ? [] : [sql<boolean>`b.seqno = ${sql.val(seqno)}`]),
  ...(workchain === undefined ? [] : [sql<boolean>`b.workchain = ${sql.val(workchain)}`]),
  ...(shard === undefined ? [] : [sql<boolean>`b.shard = ${sql.val(BigInt.asIntN(64, shard))}`]),
]

/** Of the blocks with a seqno, in one workchain and shard or in any. */
export const transactionsOfBlocksQuery = (question: TransactionsQuestion, page: Page) => {
  const order = transactionsOrder(question)
  const conditions = [
    ...isPlaced(question),
    ...windowConditions(question, ltWindowOf(question)),
    ...looseConditions({ excludedAccounts: question.excludedAccounts }),
    ...(question.accounts === undefined ? [] : [sql<boolean>`t.account = any(${sql.val(question.accounts)})`]),
    ...isAfter(order, page),
  ]
  return sql<TransactionRow>`select t.* from blocks as b cross join lateral (${inBlock}) as t
    ${whereAll(conditions)} ${orderBy(order)} ${cutTo(page)}`
}

/** By time: blocks are walked in its order, those of a workchain by an index of their own, and only as many as the page takes. */
export const transactionsByTimeQuery = (question: TransactionsQuestion, page: Page) => {
  const { workchain, direction, time } = question
  const { columns, name } = transactionsOrder(question)
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
      : isOfWorkchain(workchain, timeAfter(question, page))),
    ...isWithinLt('t.lt', ltWindowOf(question)),
    ...looseConditions({ seqno: question.seqno, excludedAccounts: question.excludedAccounts }),
    ...isAfter(order, page),
  ]
  const key = workchain === undefined ? [] : [{ column: 'b.workchain', direction }]
  return sql<TransactionRow>`select t.* from blocks as b cross join lateral (${inBlock}) as t
    ${whereAll(conditions)} ${orderBy({ name, columns: [...key, ...order.columns] })} ${cutTo(page)}`
}

/** By a range, though it is one workchain: of an equality the server may think that the index of all blocks will do. */
const isOfWorkchain = (workchain: number, { from = 0, to = MAX_INT4 }: TimeWindow): Condition[] => [
  sql<boolean>`(b.workchain, b.gen_utime) >= (${sql.val(workchain)}, ${sql.val(toInt4(from))})`,
  sql<boolean>`(b.workchain, b.gen_utime) <= (${sql.val(workchain)}, ${sql.val(toInt4(to))})`,
]

/** After a place in the order of times there is nothing beyond its time. */
const timeAfter = ({ time, direction }: TransactionsQuestion, { after }: Page): TimeWindow => {
  const reached = after?.key[0]
  if (typeof reached !== 'number') return time
  return direction === 'desc'
    ? { from: time.from, to: Math.min(time.to ?? reached, reached) }
    : { from: Math.max(time.from ?? reached, reached), to: time.to }
}

/** By logical time, over everything, one workchain or one masterchain block. */
export const transactionsByLtWalk = (question: TransactionsQuestion, page: Page): Walk => {
  const { workchain, direction } = question
  const walk = { from: sql`transactions as t`, name: 't', order: transactionsOrder(question), page }
  // At one logical time there are few, and in one masterchain block no more than it has.
  if (workchain === undefined || question.lt !== undefined || question.mcSeqno !== undefined) {
    const within = windowConditions(question, ltWindowOf(question))
    return { ...walk, within, kept: looseConditions(question) }
  }
  const column = sql`get_byte(t.account, 0)`
  const { from, to } = ltWindowAfter(question, page)
  const byte = sql.val(workchain & 0xff)
  const within = [
    sql<boolean>`(${column}, t.lt) >= (${byte}, ${sql.val(from)})`,
    sql<boolean>`(${column}, t.lt) <= (${byte}, ${sql.val(to)})`,
  ]
  const kept = looseConditions({ excludedAccounts: question.excludedAccounts })
  return { ...walk, key: { column, direction }, within, kept }
}

/** The window from where the page begins. */
const ltWindowAfter = (question: TransactionsQuestion, { after }: Page): LtWindow => {
  const window = ltWindowOf(question)
  const reached = after?.key[0]
  if (typeof reached !== 'bigint') return window
  return narrowLt(
    window,
    question.direction === 'desc' ? { from: window.from, to: reached } : { from: reached, to: window.to },
  )
}

/** Those of the accounts that can have what is wanted. */
const accountsOf = ({ accounts = [], workchain, shard, excludedAccounts = [] }: TransactionsQuestion): Uint8Array[] => {
  const excluded = new Set(excludedAccounts.map(keyText))
  const isThere = (account: Uint8Array): boolean => workchain === undefined || workchainOf(account) === workchain
  return accounts.filter((account) => isThere(account) && isInShard(account, shard) && !excluded.has(keyText(account)))
}

const workchainOf = (account: Uint8Array): number => (account[0]! << 24) >> 24

/** An account is in shards that its address begins as, now in this and now in that. */
const isInShard = (account: Uint8Array, shard: bigint | undefined): boolean => {
  if (shard === undefined) return true
  const { buffer, byteOffset } = account
  return isValidShard(shard) && shardContains(shard, new DataView(buffer, byteOffset).getBigUint64(1))
}

export const accountsQueryOf = (
  question: TransactionsQuestion,
  lt: LtWindow,
  page: Page,
  length?: number,
): AccountsQuery => {
  // Of one block, or at one logical time, there are few.
  const isShort = question.lt !== undefined || question.mcSeqno !== undefined
  const loose = looseConditions({ shard: question.shard, seqno: question.seqno })
  return {
    accounts: accountsOf(question),
    lt,
    isInOrder: question.mcSeqno === undefined,
    conditions: [...placeConditions(question), ...(isShort ? loose : [])],
    kept: isShort ? [] : loose,
    length,
    order: transactionsOrder(question),
    page,
  }
}

const HINT = 'Give seqno, mc_seqno, account or hash, or narrow the window of logical times.'

const isOnlyBy = (name: 'hashes' | 'mcSeqno', question: TransactionsQuestion): boolean => {
  const others: readonly string[] = Object.keys(question).filter((key) => !['direction', 'time', name].includes(key))
  return others.every((key) => question[key as keyof TransactionsQuestion] === undefined) && !hasTime(question.time)
}

const findNamed = async (
  reader: Reader,
  hashes: readonly Uint8Array[],
  { direction }: TransactionsQuestion,
  { offset, limit }: Page,
): Promise<TransactionRow[]> => {
  const sign = direction === 'asc' ? 1 : -1
  const distinct = new Map(hashes.map((hash) => [keyText(hash), hash]))
  const rows = await findTransactionsByHash(reader, [...distinct.values()])
  return rows.toSorted((a, b) => sign * compareBytes(a.hash, b.hash)).slice(offset, offset + limit + 1)
}

const findRows = async (
  reader: Reader,
  question: TransactionsQuestion,
  page: Page,
): Promise<readonly TransactionRow[]> => {
  const { accounts, hashes, lt, workchain, shard, seqno, mcSeqno, time } = question
  const read = (query: ReturnType<typeof transactionsOfHashesQuery>) => reader.read(query.compile(queryBuilder))
  if (workchain !== undefined && workchain !== (workchain << 24) >> 24) return []
  if (hashes !== undefined) {
    if (hashes.length <= MAX_SHORT_PAGE && page.after === undefined && isOnlyBy('hashes', question)) {
      return findNamed(reader, hashes, question, page)
    }
    const places = await findHashPlaces(reader, hashes)
    return places.length === 0 ? [] : read(transactionsOfHashesQuery(question, places, page))
  }
  const isShort = page.limit < MAX_SHORT_PAGE && page.after === undefined && page.offset === 0
  if (mcSeqno !== undefined && isShort && isOnlyBy('mcSeqno', question)) {
    return readBlockPage(reader, mcSeqno, question.direction, page.limit + 1)
  }
  if (lt === undefined && seqno !== undefined) return read(transactionsOfBlocksQuery(question, page))
  if (accounts !== undefined) return walkOn((length) => findOfAccounts(reader, question, page, length), HINT)
  if (lt === undefined && mcSeqno === undefined) {
    if (shard !== undefined) return findOfShard(reader, { ...question, shard }, page)
    if (hasTime(time)) return read(transactionsByTimeQuery(question, page))
  }
  return walkPage<TransactionRow>(reader, transactionsByLtWalk(question, page), HINT)
}

const findOfShard = async (
  reader: Reader,
  question: TransactionsQuestion & { readonly shard: bigint },
  page: Page,
): Promise<readonly TransactionRow[]> => {
  const { workchain, time } = question
  const workchains = workchain === undefined ? await findWorkchains(reader) : [workchain]
  const lt = hasTime(time)
    ? narrowLt(ltWindowOf(question), await findLtWindow(reader, timeAfter(question, page)))
    : ltWindowAfter(question, page)
  return reader.read(transactionsOfShardQuery(question, workchains, lt, page).compile(queryBuilder))
}

const findOfAccounts = async (
  reader: Reader,
  question: TransactionsQuestion,
  page: Page,
  walked: number | undefined,
): Promise<readonly TransactionRow[] | 'more'> => {
  const own = await findAccountsWindow(reader, question)
  const lt = hasTime(question.time) ? narrowLt(own, await findLtWindow(reader, question.time)) : own
  const query = accountsQueryOf(question, lt, page, walked)
  if (query.accounts.length === 0) return []
  const short = await readShortPage(reader, query, question.time)
  if (short !== undefined) return short
  const length = headLength(query)
  const [reach] = length === undefined ? [] : await reader.read(reachQuery(query, length).compile(queryBuilder))
  const bound = reach === undefined ? anyLt : await ltWindowUpTo(reader, question, reach)
  const bounded = accountsQueryOf(question, narrowLt(lt, bound), page, walked)
  const rows = await reader.read(transactionsOfAccountsQuery(bounded).compile(queryBuilder))
  if (rows.length > page.limit) return rows
  const end = accountsWalkEndQuery(bounded)
  const [more] = end === undefined ? [] : await reader.read(end.compile(queryBuilder))
  return more === undefined ? rows : 'more'
}

/** The logical times that are asked for, as far as the shard that is asked for was there. */
const findAccountsWindow = async (reader: Reader, question: TransactionsQuestion): Promise<LtWindow> => {
  const { shard } = question
  const own = ltWindowOf(question)
  const workchains = new Set(accountsOf(question).map(workchainOf))
  const [workchain] = workchains
  if (shard === undefined || workchain === undefined || workchains.size > 1) return own
  return narrowLt(own, await findShardSpan(reader, workchain, shard))
}

/** The logical times up to the end of a page. */
const ltWindowUpTo = async (
  reader: Reader,
  question: TransactionsQuestion,
  { now, lt }: { readonly now: number; readonly lt: bigint },
): Promise<LtWindow> => {
  const isDown = question.direction === 'desc'
  if (transactionsOrder(question).columns[0]!.column !== 't.now') {
    return isDown ? { from: lt, to: anyLt.to } : { from: anyLt.from, to: lt }
  }
  return findLtWindow(reader, isDown ? { from: now } : { to: now })
}

/** A page, and the first transaction behind it. */
type ListedTransactions = Paged<TransactionRow> & { readonly beyond: TransactionRow | undefined }

/** A page of transactions in the order of the question. */
export const listTransactions = async (
  reader: Reader,
  question: TransactionsQuestion,
  page: Page,
): Promise<ListedTransactions> => {
  const order = transactionsOrder(question)
  const rows = await findRows(reader, question, page)
  const cut = cutPage(rows, order, page, (row) => order.columns.map(({ column }) => keyOf(row, column)))
  return { ...cut, beyond: rows[page.limit] }
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
