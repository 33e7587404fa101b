import { sql } from 'kysely'
import type { Reader } from '../connect/Reader.ts'
import { queryBuilder } from '../queryBuilder.ts'

export type OwnDomain = { readonly account: Uint8Array; readonly domain: string }

/** One look for each account, which ends at the first that fits: someone may have any number of domains. */
export const ownDomainsQuery = (accounts: readonly Uint8Array[]) =>
  queryBuilder
    .selectFrom(sql<{ account: Uint8Array }>`unnest(${sql.val(accounts)}::bytea[])`.as<'asked'>(sql`asked (account)`))
    .innerJoinLateral(
      (from) =>
        from
          .selectFrom('dns_entries')
          .select('domain')
          .whereRef('dns_wallet', '=', 'asked.account')
          .whereRef('nft_item_owner', '=', 'asked.account')
          .orderBy(sql`length(domain)`)
          .orderBy('domain')
          .limit(1)
          .as('shortest'),
      (join) => join.onTrue(),
    )
    .select(['asked.account', 'shortest.domain'])

/** The shortest domain of each account that owns one and whose record of a wallet leads back to it. */
export const findOwnDomains = async (reader: Reader, accounts: readonly Uint8Array[]): Promise<OwnDomain[]> =>
  accounts.length === 0 ? [] : reader.read(ownDomainsQuery(accounts).compile())
