import { Type } from 'typebox'
import { ParseError } from '../../../primitives/errors.ts'
import type { Reader } from '../../../store/connect/Database.ts'
import { type AccountState, findAccountStates, listTopAccounts } from '../../../store/reader/accounts.ts'
import { asJson } from '../../core/json/stringifyJson.ts'
import { optional, whenMissing, withDefault } from '../../core/params.ts'
import { RefusedRequestError } from '../errors.ts'
import { distinctKeys, hydrate, pickReader, readBookRows, readMetadata } from '../hydrate/hydrate.ts'
import { readCodeBocs, readCodes } from '../hydrate/readCodes.ts'
import {
  addressFilterParam,
  addressListParam,
  boolParam,
  hashListParam,
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
import { addressText } from '../views/scalars.ts'

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
    const states = await findAccountStates(reader, { accounts, codeHashes: code_hash, data })
    const [codeOf, beside] = await Promise.all([
      readShownCodes(reader, states, include_boc),
      hydrate(
        context,
        states.map(({ account }) => account),
      ),
    ])
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
    const states = await findAccountStates(reader, { accounts, data: walletCodeHashes })
    const beside = await hydrate(
      context,
      states.map(({ account }) => account),
    )
    return { wallets: states.map(toWalletStateView), ...beside }
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
