import type pg from 'pg'
import { readRanges } from '../ranges/coveredRanges.ts'
import type { TableStatus } from './TableStatus.ts'

export type IndexStatus = {
  readonly ranges: readonly { readonly firstSeqno: number; readonly lastSeqno: number }[]
  /** Blocks below it were dropped. */
  readonly retainedFrom: number
  /** History is dropped in pieces of so many blocks. */
  readonly partitionWidth: number
  /** `undefined` where all accounts are kept. */
  readonly watchedAccounts: number | undefined
  readonly blocks: number
  readonly transactions: number
  readonly bytesPerTransaction: number | undefined
  /** The newest block, with the time since it was made. */
  readonly newest: { readonly seqno: number; readonly utime: number; readonly lagSeconds: number } | undefined
  /** As the newest blocks are. */
  readonly rate: { readonly transactionsPerDay: number; readonly bytesPerDay: number | undefined } | undefined
}

const RATE_BLOCKS = 10_000
// Counting more takes longer than a person waits; the server's estimate is close enough then.
const MAX_COUNTED = 2_000_000
const DAY_SECONDS = 86_400

/** How far the index is and what it takes; `undefined` where the database is none yet. */
export const readIndexStatus = async (
  client: pg.ClientBase,
  tables: readonly TableStatus[],
  now: Date = new Date(),
): Promise<IndexStatus | undefined> => {
  if (!tables.some(({ name }) => name === 'index_state')) return undefined
  const { rows: states } = await client.query<{
    retained_from: number
    partition_width: number
    watched: number | null
  }>('SELECT retained_from, partition_width, cardinality(watched_accounts) AS watched FROM index_state')
  const state = states[0]
  if (state === undefined) return undefined
  const ranges = (await readRanges(client)).map(({ firstSeqno, lastSeqno }) => ({ firstSeqno, lastSeqno }))
  const { blocks, transactions } = await countRows(client, tables)
  const bytes = tables.reduce((sum, table) => sum + table.bytes, 0)
  const bytesPerTransaction = transactions === 0 ? undefined : bytes / transactions
  const lastSeqno = ranges.at(-1)?.lastSeqno
  return {
    ranges,
    retainedFrom: state.retained_from,
    partitionWidth: state.partition_width,
    watchedAccounts: state.watched ?? undefined,
    blocks,
    transactions,
    bytesPerTransaction,
    ...(lastSeqno === undefined
      ? { newest: undefined, rate: undefined }
      : await readNewest(client, lastSeqno, bytesPerTransaction, now)),
  }
}

const countRows = async (
  client: pg.ClientBase,
  tables: readonly TableStatus[],
): Promise<Pick<IndexStatus, 'blocks' | 'transactions'>> => {
  const estimate = (name: string): number => Math.round(tables.find((table) => table.name === name)?.rows ?? 0)
  if (estimate('indexed_blocks') > MAX_COUNTED) {
    return { blocks: estimate('indexed_blocks'), transactions: estimate('transactions') }
  }
  const { rows } = await client.query<{ blocks: number; transactions: number }>(
    'SELECT count(*)::int AS blocks, coalesce(sum(tx_count), 0)::float8 AS transactions FROM indexed_blocks',
  )
  return rows[0]!
}

const readNewest = async (
  client: pg.ClientBase,
  lastSeqno: number,
  bytesPerTransaction: number | undefined,
  now: Date,
): Promise<Pick<IndexStatus, 'newest' | 'rate'>> => {
  const { rows } = await client.query<{ first: number | null; last: number | null; transactions: number }>(
    `SELECT min(gen_utime) AS first, max(gen_utime) AS last, coalesce(sum(tx_count), 0)::float8 AS transactions
     FROM indexed_blocks WHERE mc_seqno > $1`,
    [lastSeqno - RATE_BLOCKS],
  )
  const { first, last, transactions } = rows[0]!
  if (first === null || last === null) return { newest: undefined, rate: undefined }
  const perDay = last > first ? (transactions / (last - first)) * DAY_SECONDS : undefined
  return {
    newest: { seqno: lastSeqno, utime: last, lagSeconds: Math.max(0, now.getTime() / 1000 - last) },
    rate:
      perDay === undefined
        ? undefined
        : {
            transactionsPerDay: perDay,
            bytesPerDay: bytesPerTransaction === undefined ? undefined : perDay * bytesPerTransaction,
          },
  }
}
