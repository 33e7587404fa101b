import type { CompiledQuery } from 'kysely'
import type { Reader, ReadServer } from '../connect/Database.ts'
import { joinReads } from '../connect/QueryBatcher.ts'
import { decodeMessageBits, hashKey, STORED_MESSAGE_KIND } from '../schema/codes.ts'
import { findSenders, findSentMessages } from './messageEnds.ts'
import { findPartitionWidth, rawQuery, spanOf } from './sql.ts'
import { inLtOrder, keyText, type TransactionRow } from './TransactionRecord.ts'

/** Where a transaction with this hash may be. */
export type HashPlace = { readonly hash: Uint8Array; readonly lt: bigint; readonly mc_seqno: number }

/** Several may agree in the eight bytes of a key. */
export const hashPlacesQuery = (hashes: readonly Uint8Array[]): CompiledQuery<HashPlace> =>
  rawQuery(
    `select w.hash, l.lt, l.mc_seqno from unnest($1::bytea[], $2::bigint[]) as w(hash, hash_key)
    join transaction_lookup as l on l.hash_key = w.hash_key`,
    [hashes, hashes.map(hashKey)],
  )

const readPlaces = joinReads<Uint8Array, HashPlace>({
  queryOf: hashPlacesQuery,
  textOf: keyText,
  textOfRow: ({ hash }) => keyText(hash),
})

const WHOLE = `select t.* from unnest($1::bytea[], $2::bigint[], $3::integer[]) as l(hash, lt, mc_seqno)
    cross join lateral (
      select * from transactions as t
      where t.lt = l.lt and t.mc_seqno = l.mc_seqno and t.hash = l.hash and t.mc_seqno >= $4 and t.mc_seqno <= $5 limit 1
    ) as t`

/** Those of the places where there really is such a transaction: what agrees in the key only is left out. */
export const transactionsAtQuery = (places: readonly HashPlace[]): CompiledQuery<TransactionRow> => {
  const seqnos = places.map(({ mc_seqno }) => mc_seqno)
  const { first, last } = spanOf(seqnos)
  return rawQuery(WHOLE, [places.map(({ hash }) => hash), places.map(({ lt }) => lt), seqnos, first, last])
}

const readAt = joinReads<HashPlace, TransactionRow>({
  queryOf: transactionsAtQuery,
  textOf: ({ hash, lt, mc_seqno }) => `${keyText(hash)} ${lt} ${mc_seqno}`,
  textOfRow: ({ hash, lt, mc_seqno }) => `${keyText(hash)} ${lt} ${mc_seqno}`,
})

/** Those of the transactions that are in the index, in no order. */
export const findTransactionsByHash = async (
  reader: Reader,
  hashes: readonly Uint8Array[],
): Promise<readonly TransactionRow[]> => readAt(reader, await findHashPlaces(reader, hashes))

/** In no order; one that is not in the index may be there under the key of another. */
export const findHashPlaces = (reader: Reader, hashes: readonly Uint8Array[]): Promise<readonly HashPlace[]> =>
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

/** What others want to know of a transaction: what it left behind, and what began it. */
export type RelatedRow = Pick<TransactionRow, (typeof relatedColumns)[number]>

/** Some columns of transactions, by their hashes, in one statement. It opens every partition, for which it is to have few columns. */
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

/** The first transaction of a trace, and what began it. */
export type RootRow = Pick<TransactionRow, 'hash' | 'in_bits' | 'in_hash'>

/** A trace, and how wide the partitions of the index are. */
type WantedRoot = { readonly traceId: Uint8Array; readonly width: number }

/** So many transactions of a trace are looked at for the first of them. */
const MAX_OF_TRACE = 100

const ROOTS = `select t.* from (
      select w.hash, l.mc_seqno - l.mc_seqno % $3 as start from unnest($1::bytea[], $2::bigint[]) as w(hash, hash_key)
      join transaction_lookup as l on l.hash_key = w.hash_key offset 0
    ) as l cross join lateral (
      select t.hash, t.in_bits, t.in_hash from (
        select t.hash, t.in_bits, t.in_hash from transactions as t
        where t.trace_id = l.hash and t.mc_seqno >= l.start and t.mc_seqno < l.start + $3 limit ${MAX_OF_TRACE}
      ) as t where t.hash = l.hash limit 1
    ) as t`

/**
 * Among the transactions of the traces, of which there are few as a rule, while all that begins with a block has the same logical time.
 * The first of a trace that is long may not be found by this. Partitions are looked at as wholes, lest those of a trace that are
 * elsewhere in one are looked at and not counted.
 */
export const rootsQuery = (roots: readonly WantedRoot[]): CompiledQuery<RootRow> =>
  rawQuery(ROOTS, [
    roots.map(({ traceId }) => traceId),
    roots.map(({ traceId }) => hashKey(traceId)),
    // Of a statement all are of one index.
    roots[0]?.width,
  ])

type TraceIdRow = Pick<TransactionRow, 'hash' | 'trace_id'>

export const traceIdsQuery = (hashes: readonly Uint8Array[]): CompiledQuery<TraceIdRow> =>
  rawQuery(TRACE_IDS, [hashes, hashes.map(hashKey)])

const readTraceIds = joinReads<Uint8Array, TraceIdRow>({
  queryOf: traceIdsQuery,
  textOf: keyText,
  textOfRow: ({ hash }) => keyText(hash),
})

const readRelated = joinReads<Uint8Array, RelatedRow>({
  queryOf: relatedQuery,
  textOf: keyText,
  textOfRow: ({ hash }) => keyText(hash),
})

const readRoots = joinReads<WantedRoot, RootRow>({
  queryOf: rootsQuery,
  textOf: ({ traceId }) => keyText(traceId),
  textOfRow: ({ hash }) => keyText(hash),
})

/** The traces of transactions, in no order. */
export const findTraceIds = async (reader: Reader, hashes: readonly Uint8Array[]): Promise<Uint8Array[]> =>
  (await readTraceIds(reader, hashes)).map(({ trace_id }) => trace_id)

/** Of transactions by their hashes what others want to know. */
export const findRelated = (reader: Reader, hashes: readonly Uint8Array[]): Promise<readonly RelatedRow[]> =>
  readRelated(reader, hashes)

/** The first transactions of traces. */
export const findRoots = async (reader: Reader, traceIds: readonly Uint8Array[]): Promise<readonly RootRow[]> => {
  if (traceIds.length === 0) return []
  const width = await findPartitionWidth(reader)
  if (width === undefined) return readRelated(reader, traceIds)
  const roots = await readRoots(
    reader,
    traceIds.map((traceId) => ({ traceId, width })),
  )
  if (roots.length >= traceIds.length) return roots
  const found = new Set(roots.map(({ hash }) => keyText(hash)))
  const missing = traceIds.filter((hash) => !found.has(keyText(hash)))
  return [...roots, ...(await readRelated(reader, missing))]
}

/** Which way along the messages of a transaction. */
export type AdjacentSide = 'in' | 'out' | 'both'

/** Who sent what a transaction received, and who received what it sent, by logical time. */
export const findAdjacentTransactions = async (
  { points }: ReadServer,
  hash: Uint8Array,
  side: AdjacentSide,
): Promise<TransactionRow[]> => {
  const [row] = await findTransactionsByHash(points, [hash])
  if (row === undefined) return []
  const [senders, sent] = await Promise.all([
    side === 'out' ? new Map() : findSenders(points, listReceived(row)),
    side === 'in' ? new Map() : findSentMessages(points, [row]),
  ])
  const hashes = [
    ...[...senders.values()].map(({ hash: sender }) => sender),
    ...[...sent.values()].flat().map(({ received_by }) => received_by),
  ].filter((each) => each !== null)
  const found = await findTransactionsByHash(points, hashes)
  return found.toSorted(inLtOrder('asc'))
}

const listReceived = ({ in_bits, in_source, in_created_lt, mc_seqno }: TransactionRow) =>
  decodeMessageBits(in_bits).kind === STORED_MESSAGE_KIND.internal && in_source !== null && in_created_lt !== null
    ? [{ source: in_source, createdLt: in_created_lt, mcSeqno: mc_seqno }]
    : []
