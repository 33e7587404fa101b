import { sql } from 'kysely'
import { STORED_MESSAGE_KIND } from '../codes/messageBits.ts'
import type { Reader } from '../connect/Reader.ts'
import { queryBuilder } from '../queryBuilder.ts'

/** An account, and a logical time of it. */
export type AccountMoment = { readonly account: Uint8Array; readonly lt: bigint }

/** The newest transaction of an account that a message from outside set off. */
export type NewestExternal = { readonly account: Uint8Array; readonly lt: bigint; readonly mcSeqno: number }

export const externalsSinceQuery = (moments: readonly AccountMoment[]) =>
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
          .where(sql<boolean>`t.in_bits & 7 = ${sql.lit(STORED_MESSAGE_KIND.externalIn)}`)
          .orderBy('t.lt', 'desc')
          .limit(1)
          .as('t'),
      (join) => join.onTrue(),
    )
    .selectAll('t')

/** For those accounts that have taken messages from outside since: the newest transaction in which they did. */
export const findExternalsSince = async (
  reader: Reader,
  moments: readonly AccountMoment[],
): Promise<NewestExternal[]> => {
  if (moments.length === 0) return []
  const rows = await reader.read(externalsSinceQuery(moments).compile())
  return rows.map(({ account, lt, mc_seqno: mcSeqno }) => ({ account, lt, mcSeqno }))
}
