import { sql } from 'kysely'
import type { Reader } from '../connect/Database.ts'
import { queryBuilder } from '../schema/tables.ts'
import type { ActionRecord } from './actions.ts'
import { isAnyOf } from './sql.ts'
import type { TransactionRecord } from './TransactionRecord.ts'

/** How final a result is: emulated, in a shard block, or in a block that the masterchain includes. */
export type Finality = 'pending' | 'confirmed' | 'finalized'

/** A transaction that is emulated, or was seen before it was indexed. */
export type PendingTransaction = Omit<TransactionRecord, 'traceId'> & {
  /** `undefined` while the first transaction of the trace is only emulated. */
  readonly traceId: Uint8Array | undefined
  readonly isEmulated: boolean
  readonly finality: Finality
}

export type PendingAction = Omit<ActionRecord, 'traceId'> & {
  readonly traceId: Uint8Array | undefined
  readonly finality: Finality
}

/** The emulated trace of an external-in message. */
export type PendingTrace = {
  readonly externalHash: Uint8Array
  readonly externalHashNorm: Uint8Array
  readonly traceId: Uint8Array | undefined
  readonly transactions: readonly PendingTransaction[]
  /** `undefined` until the trace is classified. */
  readonly actions: readonly PendingAction[] | undefined
  /** Emulation stopped before the end of the trace. */
  readonly isIncomplete: boolean
}

/** Traces of accounts, or by hash of the first transaction or the external-in message, plain or normalized. */
export type PendingFilter = { readonly accounts: readonly Uint8Array[] } | { readonly hashes: readonly Uint8Array[] }

/** Traces before they are indexed. */
export interface PendingTraces {
  /** Each trace once. Traces of an account have a transaction or action of it. Some may be indexed already. */
  find(filter: PendingFilter): Promise<readonly PendingTrace[]>
}

/** Used if pending emulation is disabled. */
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
  /** Its actions are stored, too. */
  readonly isClassified: boolean
}

/** The finished traces among these. */
export const findFinished = async (reader: Reader, traceIds: readonly Uint8Array[]): Promise<FinishedTrace[]> => {
  if (traceIds.length === 0) return []
  const rows = await reader.read(finishedQuery(traceIds).compile())
  return rows.map(({ trace_id: traceId, is_waiting: isWaiting }) => ({ traceId, isClassified: !isWaiting }))
}

export const receivedQuery = (hashes: readonly Uint8Array[]) =>
  queryBuilder.selectFrom('transactions').select('in_hash').where(isAnyOf('in_hash', hashes))

/** The messages that an indexed transaction has received. */
export const findReceivedMessages = async (reader: Reader, hashes: readonly Uint8Array[]): Promise<Uint8Array[]> => {
  if (hashes.length === 0) return []
  const rows = await reader.read(receivedQuery(hashes).compile())
  return rows.map(({ in_hash }) => in_hash).filter((hash) => hash !== null)
}

export const otherExternalQuery = (account: Uint8Array, afterLt: bigint, hashes: readonly Uint8Array[]) =>
  queryBuilder
    .selectFrom('transactions')
    .select('in_hash')
    .where('account', '=', account)
    .where('lt', '>', afterLt)
    .where('in_created_lt', 'is', null)
    .where('in_hash', 'is not', null)
    .where(({ not }) => not(isAnyOf('in_hash', hashes)))
    .limit(1)

/** Whether an account has executed an external-in message other than these after a logical time. */
export const hasOtherExternal = async (
  reader: Reader,
  account: Uint8Array,
  afterLt: bigint,
  hashes: readonly Uint8Array[],
): Promise<boolean> => (await reader.read(otherExternalQuery(account, afterLt, hashes).compile())).length > 0

/** An account, and the logical time of its last known transaction. */
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

/** Accounts with newer transactions in that masterchain block or later: the newest of each. */
export const findChangedAccounts = async (
  reader: Reader,
  moments: readonly AccountMoment[],
  sinceSeqno: number,
): Promise<AccountChange[]> => {
  if (moments.length === 0) return []
  const rows = await reader.read(changedAccountsQuery(moments, sinceSeqno).compile())
  return rows.map(({ account, lt, mc_seqno: mcSeqno }) => ({ account, lt, mcSeqno }))
}
