import type { CompiledQuery } from 'kysely'
import type { Reader, ReadServer } from '../connect/Database.ts'
import { batchReads } from '../connect/QueryBatcher.ts'
import { decodeMessageBits, hashKey, STORED_MESSAGE_KIND } from '../schema/codes.ts'
import { isId } from '../schema/idParts.ts'
import type { PartitionMap } from '../schema/PartitionMap.ts'
import { findSenders, findSentMessages } from './messageEnds.ts'
import { findPartitions, rawQuery, spanOf } from './sql.ts'
import { inLtOrder, keyText, type TransactionRow } from './TransactionRecord.ts'

/** A candidate position of a transaction with this hash. */
export type HashPosition = {
  readonly hash: Uint8Array
  readonly lt: bigint
  readonly mc_seqno: number
  /** Known on a cluster, where it names the worker. */
  readonly account: Uint8Array | null
}

/** Several hashes may share the eight bytes of a lookup key. */
export const hashPositionsQuery = (hashes: readonly Uint8Array[]): CompiledQuery<HashPosition> =>
  rawQuery(
    `select w.hash, l.lt, l.mc_seqno, l.account from unnest($1::bytea[], $2::bigint[]) as w(hash, hash_key)
    join transaction_lookup as l on l.hash_key = w.hash_key`,
    [hashes, hashes.map(hashKey)],
  )

const readPlaces = batchReads<Uint8Array, HashPosition>({
  queryOf: hashPositionsQuery,
  textOf: keyText,
  textOfRow: ({ hash }) => keyText(hash),
})

const WHOLE = `select t.* from unnest($1::bytea[], $2::bigint[], $3::integer[]) as l(hash, lt, mc_seqno)
    cross join lateral (
      select * from transactions as t
      where t.lt = l.lt and t.mc_seqno = l.mc_seqno and t.hash = l.hash and t.mc_seqno >= $4 and t.mc_seqno <= $5 limit 1
    ) as t`

const routedText = (columns: string): string =>
  `select t.* from unnest($1::bytea[], $2::bigint[], $3::integer[], $4::bytea[]) as l(hash, lt, mc_seqno, account)
    cross join lateral (
      select ${columns} from transactions as t
      where t.account = l.account and t.lt = l.lt and t.mc_seqno = l.mc_seqno and t.hash = l.hash limit 1
    ) as t`

const ROUTED = routedText('*')
const ROUTED_ROOTS = routedText('t.hash, t.in_bits, t.in_hash')
const ROUTED_TRACE_IDS = routedText('t.hash, t.trace_id')

const atQuery = <Row>(positions: readonly HashPosition[], routed: string): CompiledQuery<Row> => {
  const seqnos = positions.map(({ mc_seqno }) => mc_seqno)
  const values = [positions.map(({ hash }) => hash), positions.map(({ lt }) => lt), seqnos]
  const accounts = positions.map(({ account }) => account)
  if (!accounts.includes(null)) return rawQuery(routed, [...values, accounts])
  const { first, last } = spanOf(seqnos)
  return rawQuery(WHOLE, [...values, first, last])
}

/** The transactions at these positions whose full hash matches. */
export const transactionsAtQuery = (positions: readonly HashPosition[]): CompiledQuery<TransactionRow> =>
  atQuery(positions, ROUTED)

const readAt = batchReads<HashPosition, TransactionRow>({
  queryOf: transactionsAtQuery,
  textOf: ({ hash, lt, mc_seqno }) => `${keyText(hash)} ${lt} ${mc_seqno}`,
  textOfRow: ({ hash, lt, mc_seqno }) => `${keyText(hash)} ${lt} ${mc_seqno}`,
})

const readColumnsAt = <Row extends { readonly hash: Uint8Array }>(routed: string) =>
  batchReads<HashPosition, Row>({
    queryOf: (positions) => atQuery(positions, routed),
    textOf: ({ hash }) => keyText(hash),
    textOfRow: ({ hash }) => keyText(hash),
  })

const readRootsAt = readColumnsAt<RootRow>(ROUTED_ROOTS)
const readTraceIdsAt = readColumnsAt<TraceIdRow>(ROUTED_TRACE_IDS)

/** The indexed transactions among these hashes, in no order. */
export const findTransactionsByHash = async (
  reader: Reader,
  hashes: readonly Uint8Array[],
): Promise<readonly TransactionRow[]> => readAt(reader, await findHashPositions(reader, hashes))

/** On a cluster, the account in the lookup names the worker; on one server, one statement costs less. */
const findRelated = (reader: Reader, hashes: readonly Uint8Array[]): Promise<readonly RelatedRow[]> =>
  reader.isDistributed ? findTransactionsByHash(reader, hashes) : readRelated(reader, hashes)

/** In no order; a candidate may be of another transaction with the same lookup key. */
export const findHashPositions = (reader: Reader, hashes: readonly Uint8Array[]): Promise<readonly HashPosition[]> =>
  readPlaces(reader, hashes)

const relatedColumns = [
  'hash',
  'in_bits',
  'in_hash',
  'state_after',
  'end_status',
  'balance',
  'balance_extra',
  'large',
  'frozen_hash',
  'data_hash',
  'code_hash',
] as const

/** Columns of a transaction that related transactions need: the state after it, and the start of its trace. */
export type RelatedRow = Pick<TransactionRow, (typeof relatedColumns)[number]>

/** Some columns of transactions by hash, in one statement. It opens every partition, so keep the columns few. */
const textFor = (columns: readonly (keyof TransactionRow)[]): string =>
  `select t.* from (
      select w.hash, l.lt, l.mc_seqno from unnest($1::bytea[], $2::bigint[]) as w(hash, hash_key)
      join transaction_lookup as l on l.hash_key = w.hash_key offset 0
    ) as l cross join lateral (
      select ${columns.map((name) => `t.${name}`).join(', ')} from transactions as t
      where t.lt = l.lt and t.mc_seqno = l.mc_seqno and t.hash = l.hash limit 1
    ) as t`

const TRACE_IDS = textFor(['hash', 'trace_id'])

const RELATED = textFor(relatedColumns)

export const relatedQuery = (hashes: readonly Uint8Array[]): CompiledQuery<RelatedRow> =>
  rawQuery(RELATED, [hashes, hashes.map(hashKey)])

/** The transaction before another one of its account, and the masterchain blocks to look in. */
export type PreviousKey = {
  readonly account: Uint8Array
  readonly lt: bigint
  readonly hash: Uint8Array
  readonly firstSeqno: number
  readonly lastSeqno: number
}

const PREVIOUS = `select t.* from unnest($1::bytea[], $2::bigint[], $3::integer[], $4::integer[]) as k(account, lt, first_seqno, last_seqno)
    cross join lateral (
      select ${relatedColumns.map((name) => `t.${name}`).join(', ')} from transactions as t
      where t.account = k.account and t.lt = k.lt and t.mc_seqno >= k.first_seqno and t.mc_seqno <= k.last_seqno
        and t.mc_seqno >= $5 and t.mc_seqno <= $6 limit 1
    ) as t`

/** Needs no lookup of the hash: the key of the table leads to each. */
export const previousQuery = (keys: readonly PreviousKey[]): CompiledQuery<RelatedRow> => {
  const firsts = keys.map(({ firstSeqno }) => firstSeqno)
  const lasts = keys.map(({ lastSeqno }) => lastSeqno)
  const { first, last } = spanOf([...firsts, ...lasts])
  return rawQuery(PREVIOUS, [keys.map(({ account }) => account), keys.map(({ lt }) => lt), firsts, lasts, first, last])
}

/** The first transaction of a trace, and the message it received. */
export type RootRow = Pick<TransactionRow, 'hash' | 'in_bits' | 'in_hash'>

/** A trace, and the partitions of the index. */
type WantedRoot = { readonly traceId: Uint8Array; readonly partitions: PartitionMap }

/** Maximum number of transactions of a trace that are searched for the first. */
const MAX_OF_TRACE = 100

const ROOTS = `select t.* from (
      select w.hash, width_bucket(l.mc_seqno, $3::integer[]) as k from unnest($1::bytea[], $2::bigint[]) as w(hash, hash_key)
      join transaction_lookup as l on l.hash_key = w.hash_key offset 0
    ) as l cross join lateral (
      select t.hash, t.in_bits, t.in_hash from (
        select t.hash, t.in_bits, t.in_hash from transactions as t
        where ${isId('t.trace_id', 'l.hash')} and t.mc_seqno >= ($3::integer[])[l.k] and t.mc_seqno <= ($4::integer[])[l.k] limit ${MAX_OF_TRACE}
      ) as t where t.hash = l.hash limit 1
    ) as t`

/**
 * Searches the transactions of the traces, which are few as a rule, while everything at the start of a block has the same logical
 * time. The first transaction of a long trace may not be found. The search is by whole partitions, so that the limit counts all
 * rows read.
 */
export const rootsQuery = (roots: readonly WantedRoot[]): CompiledQuery<RootRow> =>
  rawQuery(ROOTS, [
    roots.map(({ traceId }) => traceId),
    roots.map(({ traceId }) => hashKey(traceId)),
    // All keys of one statement are of the same index.
    roots[0]?.partitions.starts,
    roots[0]?.partitions.ends.map((end) => end - 1),
  ])

type TraceIdRow = Pick<TransactionRow, 'hash' | 'trace_id'>

export const traceIdsQuery = (hashes: readonly Uint8Array[]): CompiledQuery<TraceIdRow> =>
  rawQuery(TRACE_IDS, [hashes, hashes.map(hashKey)])

const readTraceIds = batchReads<Uint8Array, TraceIdRow>({
  queryOf: traceIdsQuery,
  textOf: keyText,
  textOfRow: ({ hash }) => keyText(hash),
})

const readRelated = batchReads<Uint8Array, RelatedRow>({
  queryOf: relatedQuery,
  textOf: keyText,
  textOfRow: ({ hash }) => keyText(hash),
})

const readRoots = batchReads<WantedRoot, RootRow>({
  queryOf: rootsQuery,
  textOf: ({ traceId }) => keyText(traceId),
  textOfRow: ({ hash }) => keyText(hash),
})

/** The trace ids of transactions, in no order. */
export const findTraceIds = async (reader: Reader, hashes: readonly Uint8Array[]): Promise<Uint8Array[]> => {
  const rows = reader.isDistributed
    ? await readTraceIdsAt(reader, await findHashPositions(reader, hashes))
    : await readTraceIds(reader, hashes)
  return rows.map(({ trace_id }) => trace_id)
}

const readPrevious = batchReads<PreviousKey, RelatedRow>({
  queryOf: previousQuery,
  textOf: ({ hash }) => keyText(hash),
  textOfRow: ({ hash }) => keyText(hash),
})

type WithPrevious = Pick<TransactionRow, 'account' | 'prev_lt' | 'mc_seqno'> & { readonly prev_hash: Uint8Array }

/** The transactions before these of the same accounts. Most are in the same partition; the others are found by hash. */
export const findPrevious = async (reader: Reader, rows: readonly WithPrevious[]): Promise<readonly RelatedRow[]> => {
  if (rows.length === 0) return []
  const partitions = await findPartitions(
    reader,
    rows.map(({ mc_seqno }) => mc_seqno),
  )
  const keys = rows.map(({ account, prev_lt: lt, prev_hash: hash, mc_seqno: lastSeqno }) => ({
    account,
    lt,
    hash,
    firstSeqno: partitions.find(lastSeqno)?.start ?? 0,
    lastSeqno,
  }))
  const near = await readPrevious(reader, keys)
  if (near.length >= rows.length) return near
  const found = new Set(near.map(({ hash }) => keyText(hash)))
  const missing = rows.map(({ prev_hash }) => prev_hash).filter((hash) => !found.has(keyText(hash)))
  return [...near, ...(await findRelated(reader, missing))]
}

/** The first transactions of traces. */
export const findRoots = async (reader: Reader, traceIds: readonly Uint8Array[]): Promise<readonly RootRow[]> => {
  if (traceIds.length === 0) return []
  if (reader.isDistributed) return readRootsAt(reader, await findHashPositions(reader, traceIds))
  const partitions = await findPartitions(reader, [])
  const roots = await readRoots(
    reader,
    traceIds.map((traceId) => ({ traceId, partitions })),
  )
  if (roots.length >= traceIds.length) return roots
  const found = new Set(roots.map(({ hash }) => keyText(hash)))
  const missing = traceIds.filter((hash) => !found.has(keyText(hash)))
  return [...roots, ...(await readRelated(reader, missing))]
}

/** Direction along the messages of a transaction. */
export type AdjacentSide = 'in' | 'out' | 'both'

/** The transactions that sent the received message, and that received the sent ones, by logical time. */
export const findAdjacentTransactions = async (
  { keyedReads }: ReadServer,
  hash: Uint8Array,
  side: AdjacentSide,
): Promise<TransactionRow[]> => {
  const [row] = await findTransactionsByHash(keyedReads, [hash])
  if (row === undefined) return []
  const [senders, sent] = await Promise.all([
    side === 'out' ? [] : findSenders(keyedReads, listReceived(row)),
    side === 'in' ? [] : findSentMessages(keyedReads, [row]),
  ])
  const hashes = [
    ...senders.map((sender) => sender?.hash),
    ...sent.flat().map(({ received_by }) => received_by),
  ].filter((each) => each !== undefined && each !== null)
  const found = await findTransactionsByHash(keyedReads, hashes)
  return found.toSorted(inLtOrder('asc'))
}

const listReceived = ({ in_bits, in_source, in_created_lt, mc_seqno }: TransactionRow) =>
  decodeMessageBits(in_bits).kind === STORED_MESSAGE_KIND.internal && in_source !== null && in_created_lt !== null
    ? [{ source: in_source, createdLt: in_created_lt, mcSeqno: mc_seqno }]
    : []
