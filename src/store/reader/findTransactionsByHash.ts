import type { CompiledQuery } from 'kysely'
import { hashKey } from '../codes/hashKey.ts'
import type { Reader } from '../connect/Reader.ts'
import { rawQuery } from './rawQuery.ts'
import { spanOf } from './seqnoSpan.ts'
import type { TransactionRow } from './TransactionRecord.ts'

/** Where a transaction with this hash may be. */
export type HashPlace = { readonly hash: Uint8Array; readonly lt: bigint; readonly mc_seqno: number }

/** Several may agree in the eight bytes of a key. */
export const hashPlacesQuery = (hashes: readonly Uint8Array[]): CompiledQuery<HashPlace> =>
  rawQuery(
    `select w.hash, l.lt, l.mc_seqno from unnest($1::bytea[], $2::bigint[]) as w(hash, hash_key)
    join transaction_lookup as l on l.hash_key = w.hash_key`,
    [hashes, hashes.map(hashKey)],
  )

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

/** Those of the transactions that are in the index, in no order. */
export const findTransactionsByHash = async (
  reader: Reader,
  hashes: readonly Uint8Array[],
): Promise<TransactionRow[]> => {
  const places = await findHashPlaces(reader, hashes)
  return places.length === 0 ? [] : reader.read(transactionsAtQuery(places))
}

/** In no order; one that is not in the index may be there under the key of another. */
export const findHashPlaces = async (reader: Reader, hashes: readonly Uint8Array[]): Promise<HashPlace[]> =>
  hashes.length === 0 ? [] : reader.read(hashPlacesQuery(hashes))

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

const RELATED = textFor(relatedColumns)
const TRACE_IDS = textFor(['trace_id'])

export const relatedQuery = (hashes: readonly Uint8Array[]): CompiledQuery<RelatedRow> =>
  rawQuery(RELATED, [hashes, hashes.map(hashKey)])

export const traceIdsQuery = (hashes: readonly Uint8Array[]): CompiledQuery<Pick<TransactionRow, 'trace_id'>> =>
  rawQuery(TRACE_IDS, [hashes, hashes.map(hashKey)])

/** The traces of transactions, in no order. */
export const findTraceIds = async (reader: Reader, hashes: readonly Uint8Array[]): Promise<Uint8Array[]> =>
  (await reader.read(traceIdsQuery(hashes))).map(({ trace_id }) => trace_id)

/** As {@link findTransactionsByHash}, but only what others want to know, and in one question: all of it is read beside other things. */
export const findRelated = async (reader: Reader, hashes: readonly Uint8Array[]): Promise<RelatedRow[]> =>
  hashes.length === 0 ? [] : reader.read(relatedQuery(hashes))
