import { findWalletKind } from '../../../contracts/wallets.ts'
import { ADDRESS_KEY_BYTES, formatFriendlyAddress, parseAddressKey } from '../../../primitives/Address.ts'
import type { Reader } from '../../../store/connect/Database.ts'
import { type AddressBookEntry, findAddressBookEntries } from '../../../store/reader/accounts.ts'
import { keyText } from '../../../store/reader/TransactionRecord.ts'
import { findTokens, type JettonHolding, type TokenRole } from '../../../store/reader/tokens.ts'
import { recordAsJson, stringifyJson } from '../../core/json/stringifyJson.ts'
import type { V3Context, V3Parts } from '../V3Context.ts'
import type { AddressBook, AddressMetadata, Metadata, TokenInfo } from '../views/addressBook.ts'
import { addressText } from '../views/scalars.ts'
import { type CodeFacts, readCodes } from './readCodes.ts'

/** Most lookups that one call may put on the shared keyed-read connections. */
const MAX_SHORT = 256

/** The reader for this many keyed lookups. */
export const pickReader = (
  { keyedReads, listReads }: Pick<V3Parts, 'keyedReads' | 'listReads'>,
  count: number,
): Reader => (count <= MAX_SHORT ? keyedReads : listReads)

type Parts = Pick<V3Parts, 'keyedReads' | 'listReads' | 'settings'>

/** The address book of these addresses, even if the caller omitted address books. Unknown addresses are included. */
export const readAddressBook = async (parts: Parts, addresses: Iterable<Uint8Array>): Promise<AddressBook> =>
  recordAsJson(await readBookRows(parts, addresses))

/** The JSON of address book rows, by raw address. */
export const readBookRows = async (
  parts: Parts,
  addresses: Iterable<Uint8Array>,
): Promise<ReadonlyMap<string, string>> => {
  const keys = distinctKeys(addresses)
  const accounts = keys.filter(({ length }) => length === ADDRESS_KEY_BYTES)
  const reader = pickReader(parts, accounts.length)
  const entries = await findAddressBookEntries(reader, accounts)
  const codeOf = await readCodes(
    reader,
    entries.flatMap(({ codeHash }) => codeHash ?? []),
  )
  const entryOf = new Map(entries.map((entry) => [keyText(entry.account), entry]))
  const rows = new Map<string, string>()
  for (const key of keys) {
    rows.set(addressText(key), rowJson(key, entryOf.get(keyText(key)), codeOf, parts.settings.testOnly))
  }
  return rows
}

const rowJson = (
  key: Uint8Array,
  entry: AddressBookEntry | undefined,
  codeOf: (codeHash: Uint8Array) => CodeFacts,
  testOnly: boolean,
): string => {
  const codeHash = entry?.codeHash
  const domain = entry?.domain === undefined ? 'null' : JSON.stringify(entry.domain)
  const interfaces = codeHash === undefined ? '[]' : JSON.stringify(codeOf(codeHash).interfaces)
  return `{"user_friendly":"${friendlyForm(key, codeHash, testOnly)}","domain":${domain},"interfaces":${interfaces}}`
}

/** Wallets and uninitialized accounts get the non-bounceable form, contracts the bounceable one. */
const friendlyForm = (key: Uint8Array, codeHash: Uint8Array | undefined, testOnly: boolean): string => {
  const address = parseAddressKey(key)
  if (typeof address === 'string') return 'addr_none'
  const bounceable = codeHash !== undefined && findWalletKind(codeHash)?.walletType === undefined
  return formatFriendlyAddress(address, { bounceable, testOnly })
}

/** Distinct keys in order of first occurrence. */
export const distinctKeys = (keys: Iterable<Uint8Array>): Uint8Array[] => {
  const byText = new Map<string, Uint8Array>()
  for (const key of keys) byText.set(keyText(key), key)
  return [...byText.values()]
}

type MetadataReads = Pick<V3Parts, 'keyedReads' | 'listReads'>

/** The metadata of tokens among these addresses, and of the masters of jetton wallets, even if the caller omitted metadata. */
export const readMetadata = async (parts: MetadataReads, addresses: Iterable<Uint8Array>): Promise<Metadata> =>
  recordAsJson((await readMetadataRows(parts, addresses)).rows)

/** The JSON of metadata by raw address, and the masters of the jetton wallets among them. */
export type MetadataRows = {
  readonly rows: ReadonlyMap<string, string>
  readonly masterOf: ReadonlyMap<string, string>
}

export const readMetadataRows = async (
  parts: MetadataReads,
  addresses: Iterable<Uint8Array>,
): Promise<MetadataRows> => {
  const accounts = distinctKeys(addresses).filter(({ length }) => length === ADDRESS_KEY_BYTES)
  const { roles, wallets } = await findTokens(pickReader(parts, accounts.length), accounts)
  const infos = new Map<string, TokenInfo[]>()
  const masterOf = new Map<string, string>()
  const add = (address: Uint8Array, info: TokenInfo): void => {
    const text = addressText(address)
    const others = infos.get(text)
    if (others === undefined) infos.set(text, [info])
    else others.push(info)
  }
  for (const role of roles) add(role.address, toTokenInfo(role))
  for (const wallet of wallets) {
    add(wallet.address, toWalletInfo(wallet))
    masterOf.set(addressText(wallet.address), addressText(wallet.jetton))
  }
  const rows = new Map<string, string>()
  for (const [text, info] of infos) rows.set(text, stringifyJson(toAddressMetadata(info)))
  return { rows, masterOf }
}

const toAddressMetadata = (token_info: TokenInfo[]): AddressMetadata => ({
  is_indexed: token_info.every(({ valid }) => valid !== undefined),
  token_info,
})

const toWalletInfo = ({ owner, jetton, balance }: JettonHolding): TokenInfo => ({
  valid: true,
  type: 'jetton_wallets',
  extra: { owner: addressText(owner), jetton: addressText(jetton), balance: String(balance) },
})

/** On-chain values took precedence over off-chain ones when the metadata was fetched. */
const toTokenInfo = ({ type, index, said }: TokenRole): TokenInfo => {
  const valid = said?.valid === true ? said : undefined
  // All members in every object, absent ones undefined: objects spread from parts get many hidden classes, which only a major
  // garbage collection frees.
  return {
    valid: said?.valid,
    type,
    name: valid?.name,
    symbol: valid?.symbol,
    description: valid?.description,
    image: valid?.image,
    is_nsfw: valid && false,
    is_scam: valid && false,
    extra: valid && hasMembers(valid.extra) ? valid.extra : undefined,
    nft_index: index === undefined ? undefined : String(index),
  } as TokenInfo
}

const hasMembers = (object: object): boolean => {
  for (const _name in object) return true
  return false
}

/** Reads the address book and metadata of a page concurrently, unless the caller omits them. */
export const hydrate = async (
  context: V3Context,
  addresses: Iterable<Uint8Array>,
): Promise<{ address_book: AddressBook; metadata: Metadata }> => {
  const all = [...addresses]
  const [address_book, metadata] = await Promise.all([
    context.options.withAddressBook ? readAddressBook(context, all) : {},
    context.options.withMetadata ? readMetadata(context, all) : {},
  ])
  return { address_book, metadata }
}

/** Like {@link hydrate}, before it is known which of the addresses are shown: the returned function takes those, in the same order. */
export const hydrateSome = async (
  context: V3Context,
  addresses: readonly Uint8Array[],
): Promise<(shown: readonly Uint8Array[]) => { address_book: AddressBook; metadata: Metadata }> => {
  const [book, metadata] = await Promise.all([
    context.options.withAddressBook ? readBookRows(context, addresses) : undefined,
    context.options.withMetadata ? readMetadataRows(context, addresses) : undefined,
  ])
  return (shown) => {
    const texts = new Set(shown.map(addressText))
    const masters = new Set([...texts].map((text) => metadata?.masterOf.get(text)))
    const bookRows = [...(book ?? [])].filter(([text]) => texts.has(text))
    const metadataRows = [...(metadata?.rows ?? [])].filter(([text]) => texts.has(text) || masters.has(text))
    return { address_book: recordAsJson(bookRows), metadata: recordAsJson(metadataRows) }
  }
}

/** Like {@link hydrate}, for responses without metadata. */
export const hydrateAddressBook = async (
  context: V3Context,
  addresses: Iterable<Uint8Array>,
): Promise<{ address_book: AddressBook }> => ({
  address_book: context.options.withAddressBook ? await readAddressBook(context, addresses) : {},
})
