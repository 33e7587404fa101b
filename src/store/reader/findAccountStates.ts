import { sql } from 'kysely'
import { type AccountStatusName, findAccountStatus } from '../codes/accountStatus.ts'
import type { ExtraAmounts } from '../codes/extraAmounts.ts'
import { joinReads } from '../connect/joinReads.ts'
import type { Reader } from '../connect/Reader.ts'
import { queryBuilder } from '../queryBuilder.ts'
import { isAnyOf } from './isAnyOf.ts'
import { keyText } from './keyText.ts'

/** An account as it is now. */
export type AccountState = {
  readonly account: Uint8Array
  readonly hash: Uint8Array
  readonly balance: bigint
  /** Absent where there are none. */
  readonly extra: ExtraAmounts | undefined
  readonly status: AccountStatusName
  readonly lastLt: bigint
  readonly lastHash: Uint8Array
  readonly frozenHash: Uint8Array | undefined
  readonly dataHash: Uint8Array | undefined
  readonly codeHash: Uint8Array | undefined
  /** Packed. Absent where it was not asked for, or is not known. */
  readonly data: Uint8Array | undefined
}

export type AccountStatesQuestion = {
  readonly accounts: readonly Uint8Array[]
  /** Only accounts with one of these codes. */
  readonly codeHashes?: readonly Uint8Array[] | undefined
  /** Whose data is wanted: everyone's, nobody's, or that of accounts with one of these codes. */
  readonly data: 'all' | 'none' | readonly Uint8Array[]
}

export const accountStatesQuery = ({ accounts, codeHashes, data }: AccountStatesQuestion) => {
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

/** Without data they are short, and read together with those that others ask for. */
const readShort = joinReads({
  queryOf: (accounts: readonly Uint8Array[]) => accountStatesQuery({ accounts, data: 'none' }).compile(),
  textOf: keyText,
  textOfRow: ({ account }) => keyText(account),
})

/** Those of the accounts that are known, in the order in which they are asked for. */
export const findAccountStates = async (reader: Reader, question: AccountStatesQuestion): Promise<AccountState[]> => {
  const { accounts, codeHashes, data } = question
  if (accounts.length === 0) return []
  const rows = await (codeHashes === undefined && data === 'none'
    ? readShort(reader, accounts)
    : reader.read(accountStatesQuery(question).compile()))
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
