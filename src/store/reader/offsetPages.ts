import type { CompiledQuery } from 'kysely'
import type { Reader } from '../connect/Database.ts'
import { shareReads } from '../connect/QueryBatcher.ts'
import type { LtWindow, Page } from './page.ts'
import { rawQuery } from './sql.ts'
import type { TransactionRow } from './TransactionRecord.ts'

// A row is a kilobyte and an index entry some twenty bytes: up to its page, a list is counted in the index.

type LtRow = { readonly lt: bigint }

type Direction = 'asc' | 'desc'

/** The logical time at an offset among the transactions of one account. The offset is a value: one plan serves all. */
export const accountOffsetQuery = (
  account: Uint8Array,
  { from, to }: LtWindow,
  direction: Direction,
  offset: number,
): CompiledQuery<LtRow> =>
  rawQuery(
    `select t.lt from transactions as t where (t.account, t.lt) >= ($1, $2) and (t.account, t.lt) <= ($1, $3)
    order by t.account ${direction}, t.lt ${direction} limit 1 offset ($4::bigint)`,
    [account, from, to, offset],
  )

/** The window of logical times that begins at an offset; `undefined` if the account has fewer transactions. */
export const findAccountOffset = async (
  reader: Reader,
  account: Uint8Array,
  lt: LtWindow,
  direction: Direction,
  offset: number,
): Promise<LtWindow | undefined> => {
  const [row] = await reader.read(accountOffsetQuery(account, lt, direction, offset))
  if (row === undefined) return undefined
  return direction === 'asc' ? { from: row.lt, to: lt.to } : { from: lt.from, to: row.lt }
}

/** The logical times at an offset among all transactions. */
export const ltsAtQuery = (direction: Direction, offset: number, count: number): CompiledQuery<LtRow> =>
  rawQuery(
    `select t.lt from transactions as t order by t.lt ${direction} limit ${Math.trunc(count)} offset ($1::bigint)`,
    [offset],
  )

/** The rows of all transactions from a logical time on, after as many as are to be skipped. */
export const transactionsFromQuery = (
  direction: Direction,
  lt: bigint | undefined,
  length: number,
  skipped: number,
): CompiledQuery<TransactionRow> => {
  const bound = lt === undefined ? '' : `where t.lt ${direction === 'asc' ? '>=' : '<='} $1`
  return rawQuery(
    `select t.* from transactions as t ${bound} order by t.lt ${direction}, t.account asc
    limit ${Math.trunc(length)} offset ${Math.trunc(skipped)}`,
    lt === undefined ? [] : [lt],
  )
}

/** Everything at the start of a block may have the same logical time. */
const FEW_EQUAL = 32

/** The logical time at an offset, and how many transactions of that time come before the offset. */
const findOffset = async (
  reader: Reader,
  direction: Direction,
  offset: number,
): Promise<{ readonly lt: bigint; readonly skipped: number } | undefined> => {
  for (let before = Math.min(FEW_EQUAL, offset); ; before = Math.min(8 * before, offset)) {
    const lts = await reader.read(ltsAtQuery(direction, offset - before, before + 1))
    const lt = lts[before]?.lt
    if (lt === undefined) return undefined
    const first = lts.findIndex((row) => row.lt === lt)
    if (first > 0 || before === offset) return { lt, skipped: before - first }
  }
}

const readShared = shareReads<TransactionRow>()

/** A page of all transactions by logical time, shared by concurrent callers. */
export const readOpenPage = (
  reader: Reader,
  direction: Direction,
  { limit, offset }: Page,
): Promise<readonly TransactionRow[]> =>
  readShared(reader, `${direction} ${limit} ${offset}`, async (shared) => {
    if (offset === 0) return shared.read(transactionsFromQuery(direction, undefined, limit + 1, 0))
    const found = await findOffset(shared, direction, offset)
    return found === undefined ? [] : shared.read(transactionsFromQuery(direction, found.lt, limit + 1, found.skipped))
  })
