import { findWalletKind } from '../../../contracts/wallets.ts'
import { ADDRESS_KEY_BYTES, formatFriendlyAddress, parseAddressKey } from '../../../primitives/Address.ts'
import { type BookEntry, findBookEntries } from '../../../store/reader/accounts.ts'
import { recordAsJson } from '../../core/json/JsonText.ts'
import type { V3Parts } from '../V3Context.ts'
import type { AddressBook } from '../views/AddressBookView.ts'
import { addressText } from '../views/scalars.ts'
import { pickReader } from './pickReader.ts'
import { type CodeFacts, readCodes } from './readCodes.ts'

type Parts = Pick<V3Parts, 'points' | 'lists' | 'settings'>

/** How to show these addresses, whatever the caller said of address books. Each is in it, also where nobody has it. */
export const readAddressBook = async (parts: Parts, addresses: Iterable<Uint8Array>): Promise<AddressBook> =>
  recordAsJson(await readBookRows(parts, addresses))

/** The JSON of the rows of an address book, by the raw forms of addresses. */
export const readBookRows = async (
  parts: Parts,
  addresses: Iterable<Uint8Array>,
): Promise<ReadonlyMap<string, string>> => {
  const keys = new Map<string, Uint8Array>()
  for (const key of addresses) keys.set(addressText(key), key)
  const accounts = [...keys.values()].filter(({ length }) => length === ADDRESS_KEY_BYTES)
  const reader = pickReader(parts, accounts.length)
  const entries = await findBookEntries(reader, accounts)
  const codeOf = await readCodes(
    reader,
    entries.flatMap(({ codeHash }) => codeHash ?? []),
  )
  const entryOf = new Map(entries.map((entry) => [addressText(entry.account), entry]))
  const rows = new Map<string, string>()
  for (const [text, key] of keys) rows.set(text, rowJson(key, entryOf.get(text), codeOf, parts.settings.testOnly))
  return rows
}

const rowJson = (
  key: Uint8Array,
  entry: BookEntry | undefined,
  codeOf: (codeHash: Uint8Array) => CodeFacts,
  testOnly: boolean,
): string => {
  const codeHash = entry?.codeHash
  const domain = entry?.domain === undefined ? 'null' : JSON.stringify(entry.domain)
  const interfaces = codeHash === undefined ? '[]' : JSON.stringify(codeOf(codeHash).interfaces)
  return `{"user_friendly":"${friendlyForm(key, codeHash, testOnly)}","domain":${domain},"interfaces":${interfaces}}`
}

/** What is sent to a wallet, or to nobody, stays there: bounced messages are for contracts. */
const friendlyForm = (key: Uint8Array, codeHash: Uint8Array | undefined, testOnly: boolean): string => {
  const address = parseAddressKey(key)
  if (typeof address === 'string') return 'addr_none'
  const bounceable = codeHash !== undefined && findWalletKind(codeHash)?.walletType === undefined
  return formatFriendlyAddress(address, { bounceable, testOnly })
}
