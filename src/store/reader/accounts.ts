import { type CompiledQuery, sql } from 'kysely'
import type { Reader } from '../connect/Database.ts'
import { batchReads } from '../connect/QueryBatcher.ts'
import { type AccountStatusName, type ExtraAmounts, findAccountStatus } from '../schema/codes.ts'
import { queryBuilder } from '../schema/tables.ts'
import { applyPage, cutPage, type Order, type Page, type Paged } from './page.ts'
import { isAnyOf, rawQuery } from './sql.ts'
import { keyText } from './TransactionRecord.ts'

/** The latest state of an account. */
export type AccountState = {
  readonly account: Uint8Array
  readonly hash: Uint8Array
  readonly balance: bigint
  /** `undefined` if there are none. */
  readonly extra: ExtraAmounts | undefined
  readonly status: AccountStatusName
  readonly lastLt: bigint
  readonly lastHash: Uint8Array
  readonly frozenHash: Uint8Array | undefined
  readonly dataHash: Uint8Array | undefined
  readonly codeHash: Uint8Array | undefined
  /** Packed. `undefined` if not requested or not known. */
  readonly data: Uint8Array | undefined
}

export type AccountStateFilter = {
  readonly accounts: readonly Uint8Array[]
  /** Only accounts with one of these codes. */
  readonly codeHashes?: readonly Uint8Array[] | undefined
  /** Whose data to read: all, none, or that of accounts with one of these codes. */
  readonly data: 'all' | 'none' | readonly Uint8Array[]
}

export const accountStatesQuery = ({ accounts, codeHashes, data }: AccountStateFilter) => {
  const wanted =
    data === 'all'
      ? sql<Uint8Array | null>`data`
      : data === 'none'
        ? sql<Uint8Array | null>`null::bytea`
        : sql<Uint8Array | null>`case when ${isAnyOf('code_hash', data)} then data end`
  const query = queryBuilder
    .selectFrom('latest_account_states')
    .select(['account', 'hash', 'balance', 'balance_extra', 'large', 'status', 'last_lt', 'last_hash'])
    .select(['frozen_hash', 'data_hash', 'code_hash', wanted.as('data')])
    .where(isAnyOf('account', accounts))
  return codeHashes === undefined ? query : query.where(isAnyOf('code_hash', codeHashes))
}

/** Rows without data are short, so their reads are batched. */
const readShort = batchReads({
  queryOf: (accounts: readonly Uint8Array[]) => accountStatesQuery({ accounts, data: 'none' }).compile(),
  textOf: keyText,
  textOfRow: ({ account }) => keyText(account),
})

/** The states of the indexed accounts, in the order given. */
export const findAccountStates = async (reader: Reader, filter: AccountStateFilter): Promise<AccountState[]> => {
  const { accounts, codeHashes, data } = filter
  if (accounts.length === 0) return []
  const rows = await (codeHashes === undefined && data === 'none'
    ? readShort(reader, accounts)
    : reader.read(accountStatesQuery(filter).compile()))
  const places = new Map(accounts.map((account, place) => [keyText(account), place]))
  const placeOf = ({ account }: (typeof rows)[number]): number => places.get(keyText(account))!
  return rows
    .toSorted((a, b) => placeOf(a) - placeOf(b))
    .map((row) => ({
      account: row.account,
      hash: row.hash,
      balance: row.balance ?? largeBalance(row.large),
      extra: (row.balance_extra ?? undefined) as ExtraAmounts | undefined,
      status: findAccountStatus(row.status) ?? 'nonexist',
      lastLt: row.last_lt,
      lastHash: row.last_hash,
      frozenHash: row.frozen_hash ?? undefined,
      dataHash: row.data_hash ?? undefined,
      codeHash: row.code_hash ?? undefined,
      data: row.data ?? undefined,
    }))
}

const largeBalance = (large: unknown): bigint => BigInt((large as { readonly balance?: string } | null)?.balance ?? 0)

/** An entry of the address book. */
export type AddressBookEntry = {
  readonly account: Uint8Array
  /** Its current code. */
  readonly codeHash: Uint8Array | undefined
  /** The shortest domain that it owns and whose wallet record points back to it. */
  readonly domain: string | undefined
}

type EntryRow = { account: Uint8Array; code_hash: Uint8Array | null; domain: string | null }

/** One lookup per account that stops at the first match: an account may own any number of domains. */
export const addressBookQuery = (accounts: readonly Uint8Array[]): CompiledQuery<EntryRow> =>
  rawQuery(
    `select a.account, s.code_hash, d.domain from unnest($1::bytea[]) as a(account)
    left join latest_account_states as s on s.account = a.account
    left join lateral (
      select domain from dns_entries where dns_wallet = a.account and nft_item_owner = a.account order by length(domain), domain limit 1
    ) as d on true
    where s.code_hash is not null or d.domain is not null`,
    [accounts],
  )

const readEntries = batchReads<Uint8Array, EntryRow>({
  queryOf: addressBookQuery,
  textOf: keyText,
  textOfRow: ({ account }) => keyText(account),
})

/** Where accounts are on workers, a join would read all of them: codes and domains are read apart. */
const DOMAINS = `select a.account, d.domain from unnest($1::bytea[]) as a(account) cross join lateral (
    select domain from dns_entries where dns_wallet = a.account and nft_item_owner = a.account order by length(domain), domain limit 1
  ) as d`

const readCodes = batchReads<Uint8Array, Pick<EntryRow, 'account' | 'code_hash'>>({
  queryOf: (accounts) =>
    rawQuery('select account, code_hash from latest_account_states where account = any($1)', [accounts]),
  textOf: keyText,
  textOfRow: ({ account }) => keyText(account),
})

const readDomains = batchReads<Uint8Array, Pick<EntryRow, 'account' | 'domain'>>({
  queryOf: (accounts) => rawQuery(DOMAINS, [accounts]),
  textOf: keyText,
  textOfRow: ({ account }) => keyText(account),
})

const readEntriesDistributed = async (reader: Reader, accounts: readonly Uint8Array[]): Promise<EntryRow[]> => {
  const [codes, domains] = await Promise.all([readCodes(reader, accounts), readDomains(reader, accounts)])
  const codeOf = new Map(codes.map(({ account, code_hash }) => [keyText(account), code_hash]))
  const domainOf = new Map(domains.map(({ account, domain }) => [keyText(account), domain]))
  return accounts.flatMap((account) => {
    const text = keyText(account)
    const [code_hash, domain] = [codeOf.get(text) ?? null, domainOf.get(text) ?? null]
    return code_hash === null && domain === null ? [] : [{ account, code_hash, domain }]
  })
}

/** Unknown accounts are left out. */
export const findAddressBookEntries = async (
  reader: Reader,
  accounts: readonly Uint8Array[],
): Promise<AddressBookEntry[]> => {
  const rows = await (reader.isDistributed ? readEntriesDistributed : readEntries)(reader, accounts)
  return rows.map(({ account, code_hash, domain }) => ({
    account,
    codeHash: code_hash ?? undefined,
    domain: domain ?? undefined,
  }))
}

export type AccountBalance = { readonly account: Uint8Array; readonly balance: bigint }

// One direction for all columns, as in the index.
const byBalance: Order = {
  name: 'balance and account',
  columns: [
    { column: 'balance', direction: 'desc' },
    { column: 'account', direction: 'desc' },
  ],
}

export const topAccountsQuery = (page: Page) =>
  applyPage(
    queryBuilder.selectFrom('latest_account_states').select(['account', 'balance']).where('balance', 'is not', null),
    byBalance,
    page,
  )

/** Accounts by balance, richest first. */
export const listTopAccounts = async (reader: Reader, page: Page): Promise<Paged<AccountBalance>> => {
  const found = await reader.read(topAccountsQuery(page).compile())
  const rows = found.map(({ account, balance }) => ({ account, balance: balance ?? 0n }))
  return cutPage(rows, byBalance, page, ({ account, balance }) => [balance, account])
}

export const accountsByCodeQuery = (codeHash: Uint8Array, limit: number) =>
  queryBuilder
    .selectFrom('latest_account_states')
    .select(['account', 'balance', 'large'])
    .where('code_hash', '=', codeHash)
    .limit(limit)

/** Some accounts with a code, in no order. */
export const findAccountsByCode = async (
  reader: Reader,
  codeHash: Uint8Array,
  limit: number,
): Promise<AccountBalance[]> => {
  const rows = await reader.read(accountsByCodeQuery(codeHash, limit).compile())
  return rows.map(({ account, balance, large }) => ({ account, balance: balance ?? largeBalance(large) }))
}

export type StoredCode = {
  readonly codeHash: Uint8Array
  /** Packed. */
  readonly code: Uint8Array
}

export const codesQuery = (codeHashes: readonly Uint8Array[]) =>
  queryBuilder.selectFrom('codes').select(['code_hash', 'code']).where(isAnyOf('code_hash', codeHashes))

/** Codes by their hashes; unknown ones are left out. */
export const findCodes = async (reader: Reader, codeHashes: readonly Uint8Array[]): Promise<StoredCode[]> => {
  if (codeHashes.length === 0) return []
  const rows = await reader.read(codesQuery(codeHashes).compile())
  return rows.map(({ code_hash, code }) => ({ codeHash: code_hash, code }))
}

export type CodeMethods = {
  readonly codeHash: Uint8Array
  /** The ids of its methods; `undefined` if the code does not begin with a method dictionary. */
  readonly methods: readonly number[] | undefined
}

export const codeMethodsQuery = (codeHashes: readonly Uint8Array[]) =>
  queryBuilder.selectFrom('codes').select(['code_hash', 'methods']).where(isAnyOf('code_hash', codeHashes))

/** The methods of codes; unknown codes are left out. */
export const findCodeMethods = async (reader: Reader, codeHashes: readonly Uint8Array[]): Promise<CodeMethods[]> => {
  if (codeHashes.length === 0) return []
  const rows = await reader.read(codeMethodsQuery(codeHashes).compile())
  return rows.map(({ code_hash, methods }) => ({ codeHash: code_hash, methods: methods?.map(Number) }))
}
