import { Type } from 'typebox'
import { ParseError } from '../../../primitives/errors.ts'
import type { Reader } from '../../../store/connect/Database.ts'
import { readBalanceHistory } from '../../../store/reader/accountBalances.ts'
import {
  type AccountState,
  findAccountStates,
  findAccountsByCode,
  listTopAccounts,
} from '../../../store/reader/accounts.ts'
import { asJson } from '../../core/json/stringifyJson.ts'
import { optional, whenMissing, withDefault } from '../../core/params.ts'
import { RefusedRequestError } from '../errors.ts'
import { distinctKeys, hydrate, hydrateSome, pickReader, readBookRows, readMetadata } from '../hydrate/hydrate.ts'
import { readCodeBocs, readCodes } from '../hydrate/readCodes.ts'
import {
  addressFilterParam,
  addressListParam,
  addressParam,
  boolParam,
  boundedParam,
  hashListParam,
  hashParam,
  limitParam,
  pageParams,
  readAddressKey,
  requiredList,
  textListParam,
} from '../params.ts'
import { v3Endpoint } from '../v3Endpoint.ts'
import {
  AccountBalanceView,
  AccountStateFullView,
  type ShownCode,
  toAccountBalanceView,
  toAccountStateFullView,
  toWalletStateView,
  WalletStateView,
  walletCodeHashes,
} from '../views/accounts.ts'
import { type AddressBookRow, AddressBookView, MetadataView } from '../views/addressBook.ts'
import { addressText, DecimalText } from '../views/scalars.ts'

export const accountStates = v3Endpoint({
  name: 'accountStates',
  tags: ['accounts'],
  summary: 'Current account states. Unknown accounts are omitted.',
  params: {
    address: whenMissing(
      addressFilterParam('The accounts.'),
      new RefusedRequestError('address of account is required'),
    ),
    include_boc: withDefault(boolParam('Include code and data.'), true),
    code_hash: optional(hashListParam('Filter by code hash.')),
  },
  result: Type.Object(
    { accounts: Type.Array(AccountStateFullView), address_book: AddressBookView, metadata: MetadataView },
    { $id: 'AccountStatesResponse' },
  ),
  errors: [],
  async handle(context, { address, include_boc, code_hash }) {
    if (address.length === 0) return { accounts: [], address_book: {}, metadata: {} }
    const accounts = distinctKeys(address)
    const reader = pickReader(context, accounts.length)
    const data = include_boc ? 'all' : 'none'
    const [{ states, codeOf }, besideOf] = await Promise.all([
      findAccountStates(reader, { accounts, codeHashes: code_hash, data }).then(async (found) => ({
        states: found,
        codeOf: await readShownCodes(reader, found, include_boc),
      })),
      hydrateSome(context, accounts),
    ])
    const beside = besideOf(states.map(({ account }) => account))
    return { accounts: states.map((state) => toAccountStateFullView(state, codeOf(state))), ...beside }
  },
})

const readShownCodes = async (reader: Reader, states: readonly AccountState[], withBocs: boolean) => {
  const hashes = distinctKeys(states.flatMap(({ codeHash }) => codeHash ?? []))
  const [bocOf, codeOf] = await Promise.all([readCodeBocs(reader, withBocs ? hashes : []), readCodes(reader, hashes)])
  return ({ codeHash }: AccountState): ShownCode | undefined =>
    codeHash && { boc: bocOf(codeHash), ...codeOf(codeHash) }
}

export const walletStates = v3Endpoint({
  name: 'walletStates',
  tags: ['accounts'],
  summary: 'Current wallet states. Unknown accounts are omitted.',
  params: { address: requiredList(addressListParam('Account addresses.'), 'address of account is required') },
  result: Type.Object(
    { wallets: Type.Array(WalletStateView), address_book: AddressBookView, metadata: MetadataView },
    { $id: 'WalletStatesResponse' },
  ),
  errors: [],
  async handle(context, { address }) {
    const accounts = distinctKeys(address)
    const reader = pickReader(context, accounts.length)
    const [states, besideOf] = await Promise.all([
      findAccountStates(reader, { accounts, data: walletCodeHashes }),
      hydrateSome(context, accounts),
    ])
    return { wallets: states.map(toWalletStateView), ...besideOf(states.map(({ account }) => account)) }
  },
})

export const topAccountsByBalance = v3Endpoint({
  name: 'topAccountsByBalance',
  tags: ['stats'],
  summary: 'Accounts with the largest balances, largest first.',
  params: pageParams,
  result: Type.Array(AccountBalanceView),
  errors: [],
  async handle({ listReads, readPage, tellNext }, params) {
    const { rows, next } = await listTopAccounts(listReads, readPage(params))
    tellNext(next)
    return rows.map(toAccountBalanceView)
  },
})

const AccountsByCodeView = Type.Object(
  {
    accounts: Type.Array(AccountBalanceView),
    has_more: Type.Boolean({ description: 'Whether there are more accounts with this code than limit.' }),
    address_book: AddressBookView,
    metadata: MetadataView,
  },
  { $id: 'AccountsByCode' },
)

export const accountsByCode = v3Endpoint({
  name: 'accountsByCode',
  tags: ['accounts'],
  summary: 'Some accounts with the given code, in no particular order.',
  description:
    'A sample: most accounts have the code of one of a few wallets, and there are no pages. All accounts with the code are listed if ' +
    'has_more is false.',
  params: { code_hash: hashParam('Hash of the code.'), limit: limitParam() },
  result: AccountsByCodeView,
  errors: [],
  async handle(context, { code_hash, limit }) {
    const found = await findAccountsByCode(context.listReads, code_hash, limit + 1)
    const rows = found.slice(0, limit)
    const beside = await hydrate(
      context,
      rows.map(({ account }) => account),
    )
    return { accounts: rows.map(toAccountBalanceView), has_more: found.length > limit, ...beside }
  },
})

const MAX_POINTS = 200

export const accountBalances = v3Endpoint({
  name: 'accountBalances',
  tags: ['accounts'],
  summary: 'Balance of an account over time, oldest first.',
  description:
    'One point for each transaction after which the balance is known. An account with more transactions than limit has points spread ' +
    'evenly over its life by logical time, the first and the last included: the cost does not grow with the number of transactions.',
  params: {
    address: addressParam('The account.'),
    limit: withDefault(boundedParam('Maximum number of points.', { minimum: 2, maximum: MAX_POINTS }), 100),
  },
  result: Type.Object(
    {
      balances: Type.Array(
        Type.Object({ lt: DecimalText, utime: Type.Integer(), balance: DecimalText }, { $id: 'BalancePoint' }),
      ),
      is_sampled: Type.Boolean({ description: 'Whether transactions between the points are left out.' }),
    },
    { $id: 'AccountBalances' },
  ),
  errors: [],
  async handle({ listReads }, { address, limit }) {
    const { points, isSampled } = await readBalanceHistory(listReads, address, limit)
    const balances = points.map(({ lt, utime, balance }) => ({ lt: String(lt), utime, balance: String(balance) }))
    return { balances, is_sampled: isSampled }
  },
})

/** Addresses in the form of the caller, which the response repeats. Commas do not separate items. */
const AddressTextsParam = requiredList(textListParam('Addresses in any form.', 1024), 'at least 1 address required')

/** The key of an address; `undefined` if it is malformed. */
const findAddressKey = (text: string): Uint8Array | undefined => {
  try {
    return readAddressKey(text)
  } catch (error) {
    if (error instanceof ParseError) return undefined
    throw error
  }
}

export const addressBook = v3Endpoint({
  name: 'addressBook',
  tags: ['accounts'],
  summary: 'Address book of the given addresses, keyed by the form given.',
  params: { address: AddressTextsParam },
  result: AddressBookView,
  errors: [],
  async handle(context, { address }) {
    const keys = new Map(address.map((text) => [text, findAddressKey(text)]))
    const book = await readBookRows(
      context,
      [...keys.values()].filter((key) => key !== undefined),
    )
    const rowOf = (key: Uint8Array | undefined): string => (key && book.get(addressText(key))) ?? UNREADABLE
    return Object.fromEntries([...keys].map(([text, key]) => [text, asJson<AddressBookRow>(rowOf(key))]))
  },
})

const UNREADABLE = JSON.stringify({ user_friendly: null, domain: null, interfaces: [] } satisfies AddressBookRow)

export const metadata = v3Endpoint({
  name: 'metadata',
  tags: ['accounts'],
  summary: 'Metadata of tokens. Addresses that are not tokens are omitted.',
  params: {
    address: whenMissing(
      textListParam('Addresses in any form.', 1024),
      new RefusedRequestError('at least 1 address required'),
    ),
  },
  result: MetadataView,
  errors: [],
  handle: (context, { address }) =>
    readMetadata(
      context,
      address.flatMap((text) => findAddressKey(text) ?? []),
    ),
})
