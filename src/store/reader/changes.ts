import type { CompiledQuery } from 'kysely'
import type { Reader } from '../connect/Database.ts'
import { queryBuilder } from '../schema/tables.ts'
import { findIndexedRanges, findMasterchainHashes, type IndexedRange } from './eventRows.ts'
import { rawQuery } from './sql.ts'
import { inLtOrder } from './TransactionRecord.ts'

/** What a masterchain block changed. */
export type BlockChanges = {
  readonly mcSeqno: number
  readonly utime: number
  readonly rootHash: Uint8Array
  /** Accounts with transactions, each with its last one, by logical time. */
  readonly accounts: readonly ChangedAccount[]
  /** Ids of the traces that ended in it. */
  readonly traces: readonly Uint8Array[]
}

type ChangedAccount = { readonly account: Uint8Array; readonly lt: bigint; readonly hash: Uint8Array }

type AccountRow = ChangedAccount & { readonly mc_seqno: number }

const BLOCKS = '(select start_lt, end_lt from blocks where mc_seqno >= $1 and mc_seqno <= $2 offset 0) as b'

/** Found by logical time: no index is by block. */
export const lastTransactionsQuery = (first: number, last: number): CompiledQuery<AccountRow> =>
  rawQuery(
    `select distinct on (t.mc_seqno, t.account) t.mc_seqno, t.account, t.lt, t.hash from transactions as t
    where t.mc_seqno >= $1 and t.mc_seqno <= $2
      and t.lt >= (select min(b.start_lt) from ${BLOCKS}) and t.lt <= (select max(b.end_lt) from ${BLOCKS})
    order by t.mc_seqno, t.account, t.lt desc`,
    [first, last],
  )

export const endedTracesQuery = (first: number, last: number) =>
  queryBuilder
    .selectFrom('traces')
    .select(['mc_seqno', 'trace_id'])
    .where('mc_seqno', '>=', first)
    .where('mc_seqno', '<=', last)
    .orderBy('mc_seqno')
    .orderBy('end_lt')
    .orderBy('trace_id')

export const blockSizesQuery = (first: number, last: number) =>
  queryBuilder
    .selectFrom('indexed_blocks')
    .select(['mc_seqno', 'gen_utime', 'tx_count'])
    .where('mc_seqno', '>=', first)
    .where('mc_seqno', '<=', last)
    .orderBy('mc_seqno')

/** Transactions of the blocks that are read together; a larger block is read alone. */
const MAX_TRANSACTIONS = 10_000

/** The changes of consecutive masterchain blocks, from the first on; fewer blocks if they have many transactions. */
export const listChanges = async (reader: Reader, first: number, last: number): Promise<BlockChanges[]> => {
  const sizes = await reader.read(blockSizesQuery(first, last).compile())
  const chosen: typeof sizes = []
  let count = 0
  for (const size of sizes) {
    count += size.tx_count
    if (chosen.length > 0 && count > MAX_TRANSACTIONS) break
    chosen.push(size)
  }
  const end = chosen.at(-1)?.mc_seqno
  if (end === undefined) return []
  const [accounts, traces, hashes] = await Promise.all([
    reader.read(lastTransactionsQuery(first, end)),
    reader.read(endedTracesQuery(first, end).compile()),
    findMasterchainHashes(reader, first, end),
  ])
  const hashOf = new Map(hashes.map(({ mcSeqno, rootHash }) => [mcSeqno, rootHash]))
  const accountsOf = groupByBlock(accounts)
  const tracesOf = groupByBlock(traces)
  return chosen.flatMap(({ mc_seqno: mcSeqno, gen_utime }) => {
    const rootHash = hashOf.get(mcSeqno)
    // Set back meanwhile.
    if (rootHash === undefined) return []
    const own = (accountsOf.get(mcSeqno) ?? []).map(({ account, lt, hash }) => ({ account, lt, hash }))
    own.sort(inLtOrder('asc'))
    const ended = (tracesOf.get(mcSeqno) ?? []).map(({ trace_id }) => trace_id)
    return [{ mcSeqno, utime: gen_utime >>> 0, rootHash, accounts: own, traces: ended }]
  })
}

const groupByBlock = <Row extends { readonly mc_seqno: number }>(rows: readonly Row[]): Map<number, Row[]> => {
  const groups = new Map<number, Row[]>()
  for (const row of rows) {
    const others = groups.get(row.mc_seqno)
    if (others === undefined) groups.set(row.mc_seqno, [row])
    else others.push(row)
  }
  return groups
}

type Known = { readonly ranges: Promise<readonly IndexedRange[]>; readonly at: number }

/** By reader. */
const recent = new WeakMap<Reader, Known>()
const RECENT_MS = 100

/** The indexed ranges, the newest first, at most a moment old: any number of callers that poll cost one query. */
export const findRecentRanges = (reader: Reader): Promise<readonly IndexedRange[]> => {
  const shared = reader.behind ?? reader
  const now = performance.now()
  const known = recent.get(shared)
  if (known !== undefined && now - known.at < RECENT_MS) return known.ranges
  const ranges = findIndexedRanges(shared, 0).then(({ ranges }) => ranges)
  recent.set(shared, { ranges, at: now })
  // A failure is told to those who wait, and not remembered.
  ranges.catch(() => recent.delete(shared))
  return ranges
}
