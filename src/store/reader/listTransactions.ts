import { sql } from 'kysely'
import { compareBytes } from '../../primitives/bytes.ts'
import type { Reader } from '../connect/Reader.ts'
import { QueryTooCostlyError } from '../errors.ts'
import { queryBuilder } from '../queryBuilder.ts'
import { readBlockPage } from './blockPages.ts'
import { findHashPlaces, findTransactionsByHash, type HashPlace } from './findTransactionsByHash.ts'
import { keyText } from './keyText.ts'
import { afterCursor, cutPage, type KeyValue, type Order, type Page, type Paged } from './page.ts'
import { MAX_SHORT_PAGE } from './pagesByLength.ts'
import { spanOf } from './seqnoSpan.ts'
import type { TransactionRow } from './TransactionRecord.ts'
import {
  type Condition,
  hasTime,
  isWithinLt,
  isWithinTime,
  looseConditions,
  ltWindowOf,
  type TransactionsQuestion,
  transactionsOrder,
} from './TransactionsQuestion.ts'
import { anyLt, findLtWindow, type LtWindow, narrowLt } from './timeWindow.ts'
import {
  type AccountsQuery,
  accountsWalkEndQuery,
  headLength,
  reachQuery,
  readShortPage,
  transactionsOfAccountsQuery,
} from './transactionsOfAccounts.ts'
import { cutTo, orderBy, type Walk, walkPage, whereAll } from './walkedQuery.ts'

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

/** The transactions of a block: those of its workchain between its logical times that say that they are in it. */
const inBlock = sql`select * from transactions as t
  where t.mc_seqno = b.mc_seqno and t.lt >= b.start_lt and t.lt <= b.end_lt and t.block_seqno = b.seqno
    and t.block_shard = b.shard and get_byte(t.account, 0) = (b.workchain & 255) offset 0`

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

/** By time: blocks are walked in its order, and only as many as the page takes. */
export const transactionsByTimeQuery = (question: TransactionsQuestion, page: Page) => {
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
    ...isPlaced(question),
    ...isWithinTime('b.gen_utime', question.time),
    ...isWithinLt('t.lt', ltWindowOf(question)),
    ...looseConditions({ seqno: question.seqno, excludedAccounts: question.excludedAccounts }),
    ...isAfter(order, page),
  ]
  return sql<TransactionRow>`select t.* from blocks as b cross join lateral (${inBlock}) as t
    ${whereAll(conditions)} ${orderBy(order)} ${cutTo(page)}`
}

/** By logical time, over everything or one masterchain block. */
export const transactionsByLtWalk = (question: TransactionsQuestion, page: Page): Walk => ({
  from: sql`transactions as t`,
  name: 't',
  within: windowConditions(question, ltWindowOf(question)),
  kept: looseConditions(question),
  order: transactionsOrder(question),
  page,
})

/** Those of the accounts that can have what is wanted. */
const accountsOf = ({ accounts = [], workchain, excludedAccounts = [] }: TransactionsQuestion): Uint8Array[] => {
  const excluded = new Set(excludedAccounts.map(keyText))
  const isThere = (account: Uint8Array): boolean => workchain === undefined || (account[0]! << 24) >> 24 === workchain
  return accounts.filter((account) => isThere(account) && !excluded.has(keyText(account)))
}

export const accountsQueryOf = (question: TransactionsQuestion, lt: LtWindow, page: Page): AccountsQuery => {
  // Of one block, or at one logical time, there are few.
  const isShort = question.lt !== undefined || question.mcSeqno !== undefined
  const loose = looseConditions({ shard: question.shard, seqno: question.seqno })
  return {
    accounts: accountsOf(question),
    lt,
    isInOrder: question.mcSeqno === undefined,
    conditions: [...placeConditions(question), ...(isShort ? loose : [])],
    kept: isShort ? [] : loose,
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

const findRows = async (reader: Reader, question: TransactionsQuestion, page: Page): Promise<TransactionRow[]> => {
  const { accounts, hashes, lt, seqno, mcSeqno, time } = question
  const read = (query: ReturnType<typeof transactionsOfHashesQuery>) => reader.read(query.compile(queryBuilder))
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
  if (accounts !== undefined) return findOfAccounts(reader, question, page)
  if (lt === undefined && mcSeqno === undefined && hasTime(time)) return read(transactionsByTimeQuery(question, page))
  return walkPage<TransactionRow>(reader, transactionsByLtWalk(question, page), HINT)
}

const findOfAccounts = async (
  reader: Reader,
  question: TransactionsQuestion,
  page: Page,
): Promise<TransactionRow[]> => {
  const own = ltWindowOf(question)
  const lt = hasTime(question.time) ? narrowLt(own, await findLtWindow(reader, question.time)) : own
  const query = accountsQueryOf(question, lt, page)
  if (query.accounts.length === 0) return []
  const short = await readShortPage(reader, query, question.time)
  if (short !== undefined) return short
  const length = headLength(query)
  const [reach] = length === undefined ? [] : await reader.read(reachQuery(query, length).compile(queryBuilder))
  const bound = reach === undefined ? anyLt : await ltWindowUpTo(reader, question, reach)
  const bounded = accountsQueryOf(question, narrowLt(lt, bound), page)
  const rows = await reader.read(transactionsOfAccountsQuery(bounded).compile(queryBuilder))
  if (query.kept.length === 0 || rows.length > page.limit) return rows
  const [more] = await reader.read(accountsWalkEndQuery(bounded).compile(queryBuilder))
  if (more === undefined) return rows
  throw new QueryTooCostlyError(
    'Too many transactions of these accounts would have to be looked at one by one for those of the shard. Give seqno or mc_seqno, or narrow the window.',
  )
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
