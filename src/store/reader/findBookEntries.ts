import type { CompiledQuery } from 'kysely'
import { joinReads } from '../connect/joinReads.ts'
import type { Reader } from '../connect/Reader.ts'
import { keyText } from './keyText.ts'
import { rawQuery } from './rawQuery.ts'

/** What is known of an account for showing its address. */
export type BookEntry = {
  readonly account: Uint8Array
  /** The code that it has now. */
  readonly codeHash: Uint8Array | undefined
  /** The shortest domain that it owns and whose record of a wallet leads back to it. */
  readonly domain: string | undefined
}

type EntryRow = { account: Uint8Array; code_hash: Uint8Array | null; domain: string | null }

/** One look for the domain of each account, which ends at the first that fits: someone may have any number of domains. */
export const bookEntriesQuery = (accounts: readonly Uint8Array[]): CompiledQuery<EntryRow> =>
  rawQuery(
    `select a.account, s.code_hash, d.domain from unnest($1::bytea[]) as a(account)
    left join latest_account_states as s on s.account = a.account
    left join lateral (
      select domain from dns_entries where dns_wallet = a.account and nft_item_owner = a.account order by length(domain), domain limit 1
    ) as d on true
    where s.code_hash is not null or d.domain is not null`,
    [accounts],
  )

const readEntries = joinReads<Uint8Array, EntryRow>({
  queryOf: bookEntriesQuery,
  textOf: keyText,
  textOfRow: ({ account }) => keyText(account),
})

/** Accounts of which nothing is known are left out. */
export const findBookEntries = async (reader: Reader, accounts: readonly Uint8Array[]): Promise<BookEntry[]> => {
  const rows = await readEntries(reader, accounts)
  return rows.map(({ account, code_hash, domain }) => ({
    account,
    codeHash: code_hash ?? undefined,
    domain: domain ?? undefined,
  }))
}
