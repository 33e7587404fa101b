import { sql } from 'kysely'
import type { Reader } from '../connect/Database.ts'
import { queryBuilder } from '../schema/tables.ts'
import type { ActionRecord } from './actions.ts'
import { isAnyOf } from './sql.ts'
import type { TransactionRecord } from './TransactionRecord.ts'

/** How sure it is that something stays: foreseen, seen in a block of a shard, or in one that the masterchain knows. */
export type Finality = 'pending' | 'confirmed' | 'finalized'

/** A transaction that is foreseen, or was seen before the index had it. */
export type PendingTransaction = Omit<TransactionRecord, 'traceId'> & {
  /** `undefined` while the first of the trace is only foreseen. */
  readonly traceId: Uint8Array | undefined
  readonly isEmulated: boolean
  readonly finality: Finality
}

export type PendingAction = Omit<ActionRecord, 'traceId'> & {
  readonly traceId: Uint8Array | undefined
  readonly finality: Finality
}

/** What a message from outside will set off, as far as it is known. */
export type PendingTrace = {
  readonly externalHash: Uint8Array
  readonly externalHashNorm: Uint8Array
  readonly traceId: Uint8Array | undefined
  readonly transactions: readonly PendingTransaction[]
  /** `undefined` until somebody has said what happens in it. */
  readonly actions: readonly PendingAction[] | undefined
  /** It goes on further than anybody has looked. */
  readonly isIncomplete: boolean
}

/** Whose traces, or which: by the hash of the first transaction, or of the message from outside, plain or normal. */
export type PendingQuestion = { readonly accounts: readonly Uint8Array[] } | { readonly hashes: readonly Uint8Array[] }

/** What is known of traces before they are in the index. */
export interface PendingTraces {
  /** Each once. Of an account are those that have a transaction or an action of it. Some may be in the index already. */
  find(question: PendingQuestion): Promise<readonly PendingTrace[]>
}

/** Where nobody looks ahead. */
export const noPendingTraces: PendingTraces = { find: async () => [] }

export const finishedQuery = (traceIds: readonly Uint8Array[]) =>
  queryBuilder
    .selectFrom('traces as t')
    .select(({ exists, selectFrom }) => [
      't.trace_id',
      exists(
        selectFrom('unclassified_blocks as u').select(sql.lit(1).as('one')).whereRef('u.mc_seqno', '=', 't.mc_seqno'),
      ).as('is_waiting'),
    ])
    .where(isAnyOf('t.trace_id', traceIds))

export type FinishedTrace = {
  readonly traceId: Uint8Array
  /** It is said what happened in it, too. */
  readonly isClassified: boolean
}

/** Those of the traces all of whose messages have arrived. */
export const findFinished = async (reader: Reader, traceIds: readonly Uint8Array[]): Promise<FinishedTrace[]> => {
  if (traceIds.length === 0) return []
  const rows = await reader.read(finishedQuery(traceIds).compile())
  return rows.map(({ trace_id: traceId, is_waiting: isWaiting }) => ({ traceId, isClassified: !isWaiting }))
}

export const receivedQuery = (hashes: readonly Uint8Array[]) =>
  queryBuilder.selectFrom('transactions').select('in_hash').where(isAnyOf('in_hash', hashes))

/** Those of the messages that a transaction in the index has received. */
export const findReceived = async (reader: Reader, hashes: readonly Uint8Array[]): Promise<Uint8Array[]> => {
  if (hashes.length === 0) return []
  const rows = await reader.read(receivedQuery(hashes).compile())
  return rows.map(({ in_hash }) => in_hash).filter((hash) => hash !== null)
}

/** An account, and its last transaction that somebody knows of. */
export type AccountMoment = { readonly account: Uint8Array; readonly lt: bigint }

/** The newest transaction of an account. */
export type AccountChange = { readonly account: Uint8Array; readonly lt: bigint; readonly mcSeqno: number }

export const changedAccountsQuery = (moments: readonly AccountMoment[], sinceSeqno: number) =>
  queryBuilder
    .selectFrom(
      sql<{ account: Uint8Array; lt: bigint }>`unnest(
        ${sql.val(moments.map(({ account }) => account))}::bytea[], ${sql.val(moments.map(({ lt }) => lt))}::bigint[]
      )`.as<'k'>(sql`k(account, lt)`),
    )
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('transactions as t')
          .select(['t.account', 't.lt', 't.mc_seqno'])
          .whereRef('t.account', '=', 'k.account')
          .whereRef('t.lt', '>', 'k.lt')
          .where('t.mc_seqno', '>=', sinceSeqno)
          .orderBy('t.lt', 'desc')
          .limit(1)
          .as('t'),
      (join) => join.onTrue(),
    )
    .selectAll('t')

/** Those accounts that have had transactions since, in that masterchain block or later: of each the newest. */
export const findChangedAccounts = async (
  reader: Reader,
  moments: readonly AccountMoment[],
  sinceSeqno: number,
): Promise<AccountChange[]> => {
  if (moments.length === 0) return []
  const rows = await reader.read(changedAccountsQuery(moments, sinceSeqno).compile())
  return rows.map(({ account, lt, mc_seqno: mcSeqno }) => ({ account, lt, mcSeqno }))
}
