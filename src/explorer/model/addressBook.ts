import type {
  AddressBook,
  AddressBookRow,
  AddressMetadata,
  Metadata,
  TokenInfo,
} from '../../api/v3/views/addressBook.ts'
import { formatFriendly } from './addresses.ts'

const rows = new Map<string, AddressBookRow>()
const tokens = new Map<string, AddressMetadata>()

/** System accounts, and those that the server names. */
const wellKnown = new Map([
  [`-1:${'0'.repeat(64)}`, 'System'],
  [`-1:${'3'.repeat(64)}`, 'Elector'],
  [`-1:${'5'.repeat(64)}`, 'Config'],
])

/** Stores the names that the server gives to accounts. */
export const learnNames = (names: { readonly [raw: string]: string }): void => {
  for (const [raw, name] of Object.entries(names)) wellKnown.set(raw, name)
}

/** Stores the address book and metadata of a response for later use. */
export const learnAddresses = (answer: unknown): void => {
  if (typeof answer !== 'object' || answer === null) return
  const { address_book, metadata } = answer as { address_book?: AddressBook; metadata?: Metadata }
  for (const [raw, row] of Object.entries(address_book ?? {})) rows.set(raw, row)
  for (const [raw, token] of Object.entries(metadata ?? {})) tokens.set(raw, token)
}

/** Known accounts whose name begins with a text, whatever its case. */
export const findKnownAccounts = (text: string): (readonly [raw: string, name: string])[] => {
  const prefix = text.trim().toLowerCase()
  if (prefix === '') return []
  return [...wellKnown].filter(([, name]) => name.toLowerCase().startsWith(prefix))
}

export const isAccount = (raw: string): boolean => /^-?\d+:[0-9A-F]{64}$/.test(raw)

/** User-friendly address. */
export const friendlyOf = (raw: string): string => {
  if (!isAccount(raw)) return raw
  return rows.get(raw)?.user_friendly ?? formatFriendly(raw, { bounceable: true })
}

/** Display name of an account: domain, well-known name, or token name. */
export const nameOf = (raw: string): string | undefined => {
  const domain = rows.get(raw)?.domain
  if (domain !== undefined && domain !== null) return domain
  return wellKnown.get(raw) ?? tokens.get(raw)?.token_info.find(({ name }) => name !== undefined)?.name
}

/** Fetched metadata of a token. */
export const tokenOf = (raw: string, type: TokenInfo['type']): TokenInfo | undefined =>
  tokens.get(raw)?.token_info.find((each) => each.type === type)

export const interfacesOf = (raw: string): readonly string[] => rows.get(raw)?.interfaces ?? []

const words: { readonly [kind: string]: string } = {
  jetton_master: 'Jetton',
  jetton_wallet: 'Jetton wallet',
  nft_item: 'NFT',
  nft_collection: 'NFT collection',
  nft_sale: 'NFT sale',
  nft_auction: 'NFT auction',
  dns: 'DNS',
  multisig_v2: 'Multisig',
  multisig_order_v2: 'Multisig order',
  wallet_vesting: 'Vesting wallet',
  editable: 'Editable',
}

/** The name of a contract kind, as people say it. */
export const describeKind = (kind: string): string => {
  const known = words[kind]
  if (known !== undefined) return known
  const wallet = /^wallet_(v\w+)$/.exec(kind)
  if (wallet !== null) return `Wallet ${wallet[1]}`
  const plain = kind.replaceAll('_', ' ').replace(/^nft\b/, 'NFT')
  return plain.charAt(0).toUpperCase() + plain.slice(1)
}

// The kinds that say most of a contract; others are told beside them.
const telling = ['jetton_master', 'jetton_wallet', 'nft_collection', 'nft_item', 'multisig_v2', 'wallet_vesting']

/** The one that says most. */
export const mainKind = (kinds: readonly string[]): string | undefined =>
  telling.find((kind) => kinds.includes(kind)) ?? kinds.find((kind) => kind.startsWith('wallet_')) ?? kinds[0]
