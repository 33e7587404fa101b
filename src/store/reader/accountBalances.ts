import type { CompiledQuery } from 'kysely'
import type { Reader } from '../connect/Database.ts'
import { accountStatusCode } from '../schema/codes.ts'
import { rawQuery } from './sql.ts'

/** The balance of an account after a transaction. */
export type BalancePoint = { readonly lt: bigint; readonly utime: number; readonly balance: bigint }

export type BalanceHistory = {
  /** Oldest first. */
  readonly points: readonly BalancePoint[]
  /** Whether there are more transactions than points: then the points are spread over all of them. */
  readonly isSampled: boolean
}

type BalanceRow = { lt: bigint; now: number; balance: bigint | null; large: unknown }

const COLUMNS = 't.lt, t.now, t.balance, t.large'

// In the middle of a block only the hash of a state may be known. An account that is gone has no balance.
const IS_KNOWN = `(t.balance is not null or t.large ? 'balance' or t.end_status = ${accountStatusCode('nonexist')})`

/** The first or last transactions of an account after which its balance is known. */
const balancesQuery = (account: Uint8Array, direction: 'asc' | 'desc', length: number): CompiledQuery<BalanceRow> =>
  rawQuery(
    `select ${COLUMNS} from transactions as t where t.account = $1 and ${IS_KNOWN}
    order by t.account ${direction}, t.lt ${direction} limit $2`,
    [account, length],
  )

/** For each logical time the last transaction up to it: a look into the primary key each. */
const balancesAtQuery = (account: Uint8Array, lts: readonly bigint[]): CompiledQuery<BalanceRow> =>
  rawQuery(
    `select p.* from unnest($2::bigint[]) as k(lt) cross join lateral (
      select ${COLUMNS} from transactions as t where t.account = $1 and t.lt <= k.lt and ${IS_KNOWN}
      order by t.account desc, t.lt desc limit 1
    ) as p`,
    [account, lts],
  )

/** Balances of an account over its life, in at most `length` points, for any number of transactions at the same cost. */
export const readBalanceHistory = async (
  reader: Reader,
  account: Uint8Array,
  length: number,
): Promise<BalanceHistory> => {
  const newest = await reader.read(balancesQuery(account, 'desc', length + 1))
  if (newest.length <= length) return { points: newest.map(toPoint).reverse(), isSampled: false }
  const [oldest] = await reader.read(balancesQuery(account, 'asc', 1))
  const [first, last] = [oldest!.lt, newest[0]!.lt]
  // Logical time goes on with the blocks, so that even steps of it are about even steps of time.
  const steps = BigInt(Math.max(1, length - 1))
  const lts = Array.from({ length }, (_, k) => first + ((last - first) * BigInt(k)) / steps)
  const rows = await reader.read(balancesAtQuery(account, lts))
  const points = new Map(rows.map((row) => [row.lt, toPoint(row)]))
  return { points: [...points.values()].sort((a, b) => (a.lt < b.lt ? -1 : 1)), isSampled: true }
}

const toPoint = ({ lt, now, balance, large }: BalanceRow): BalancePoint => ({
  lt,
  utime: now >>> 0,
  balance: balance ?? BigInt((large as { readonly balance?: string } | null)?.balance ?? 0),
})
