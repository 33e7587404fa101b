import { sql } from 'kysely'
import { hashKey } from '../codes/hashKey.ts'
import type { Reader } from '../connect/Reader.ts'
import { queryBuilder } from '../queryBuilder.ts'
import type { TransactionRow } from './TransactionRecord.ts'

/** The hashes go with their keys: what agrees in the eight bytes of a key only is left out. */
export const transactionsByHashQuery = (hashes: readonly Uint8Array[]) =>
  queryBuilder
    .selectFrom(
      sql<{ hash: Uint8Array; lt: bigint; mc_seqno: number }>`(
        select w.hash, l.lt, l.mc_seqno
        from unnest(${sql.val(hashes)}::bytea[], ${sql.val(hashes.map(hashKey))}::bigint[]) as w(hash, hash_key)
        join transaction_lookup as l on l.hash_key = w.hash_key
        offset 0
      )`.as('l'),
    )
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('transactions as t')
          .selectAll('t')
          .whereRef('t.lt', '=', 'l.lt')
          .whereRef('t.mc_seqno', '=', 'l.mc_seqno')
          .whereRef('t.hash', '=', 'l.hash')
          .limit(1)
          .as('t'),
      (join) => join.onTrue(),
    )
    .selectAll('t')

/** Those of the transactions that are in the index, in no order. */
export const findTransactionsByHash = async (
  reader: Reader,
  hashes: readonly Uint8Array[],
): Promise<TransactionRow[]> => (hashes.length === 0 ? [] : reader.read(transactionsByHashQuery(hashes).compile()))
