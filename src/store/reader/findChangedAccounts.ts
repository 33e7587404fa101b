import { sql } from 'kysely'
import type { Reader } from '../connect/Reader.ts'
import { queryBuilder } from '../queryBuilder.ts'

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
