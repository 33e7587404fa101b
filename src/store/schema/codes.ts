import { formatUpperRawAddress, parseAddressKey } from '../../primitives/Address.ts'
import { getU64BE } from '../../primitives/bytes.ts'
import { findShardParent, shardChildren } from '../../primitives/shard.ts'
import type { Json } from './columns.ts'

// In the numbering of the chain.
const STATUSES = ['uninit', 'frozen', 'active', 'nonexist'] as const

export type AccountStatusName = (typeof STATUSES)[number]

/** The stored number of an account status. */
export const accountStatusCode = (status: AccountStatusName): number => STATUSES.indexOf(status)

/** The status of a stored number; `undefined` for an unknown number. */
export const findAccountStatus = (code: number): AccountStatusName | undefined => STATUSES[code]

/**
 * Contents of the columns `…_extra`: amounts as text by currency number; null if there are none. In `balance_extra` the text
 * "unknown" says that there are some of unknown amount. A block does not contain unchanged extra currencies, so transactions
 * often have it; latest_account_states has it only if the chain states were not available.
 */
export type ExtraAmounts = Readonly<Record<string, string>> | 'unknown'

/** The first eight bytes of a hash as a signed number: the key of `transaction_lookup`. */
export const hashKey = (hash: Uint8Array): bigint => BigInt.asIntN(64, getU64BE(hash, 0))

/** Length of a stored hash prefix, where the full hash is stored elsewhere. */
export const HASH_START_BYTES = 8

const NAMES = [
  'afterMerge',
  'beforeSplit',
  'afterSplit',
  'wantMerge',
  'wantSplit',
  'keyBlock',
  'vertSeqnoIncr',
] as const

/** The boolean fields of a block header, packed into the column `header_bits`: one bit each, the first the lowest. */
export type HeaderBits = Readonly<Record<(typeof NAMES)[number], boolean>>

export const encodeHeaderBits = (header: HeaderBits): number =>
  NAMES.reduce((bits, name, k) => bits | (header[name] ? 1 << k : 0), 0)

export const decodeHeaderBits = (bits: number): HeaderBits =>
  Object.fromEntries(NAMES.map((name, k) => [name, (bits & (1 << k)) !== 0])) as HeaderBits

/**
 * The message kind: the low three bits of `in_bits` and `bits`. A system message is created by the block that receives it: its
 * source is -1:00…00 and its created_lt the start_lt of that block, so it occurs in `in_bits` only. Messages that the account
 * -1:00…00 sends are internal.
 */
export const STORED_MESSAGE_KIND = { none: 0, internal: 1, externalIn: 2, externalOut: 3, system: 4 } as const

const KIND_MASK = 7
const BOUNCE = 8
const BOUNCED = 16
const IHR_DISABLED = 32
const EXTRA_FLAGS = 64

export const encodeMessageBits = (m: MessageBits): number =>
  m.kind |
  (m.bounce ? BOUNCE : 0) |
  (m.bounced ? BOUNCED : 0) |
  (m.ihrDisabled ? IHR_DISABLED : 0) |
  (m.hasExtraFlags ? EXTRA_FLAGS : 0)

export const decodeMessageBits = (bits: number) => ({
  kind: bits & KIND_MASK,
  bounce: (bits & BOUNCE) !== 0,
  bounced: (bits & BOUNCED) !== 0,
  ihrDisabled: (bits & IHR_DISABLED) !== 0,
  /** Since global version 12 messages have extra flags in place of the IHR fee. Zero flags are stored as null. */
  hasExtraFlags: (bits & EXTRA_FLAGS) !== 0,
})

/**
 * The contents of the columns `in_bits` and `bits`. Only internal and system messages have the three flags; a zero IHR fee is
 * stored as null.
 */
export type MessageBits = Readonly<ReturnType<typeof decodeMessageBits>>

/** Prefix of a text that is the index of an address among the accounts of an action. */
const PLACE = '\u0001'

/** Details repeat the accounts of their action: each is stored as its index among them, in two bytes. */
export const packDetails = (details: Json, accounts: readonly Uint8Array[]): Json => {
  const places = new Map<string, string>()
  for (const [k, account] of accounts.entries()) {
    const text = addressText(account)
    if (text !== undefined && !places.has(text)) places.set(text, `${PLACE}${k}`)
  }
  return mapTexts(details, (text) => places.get(text) ?? (text.startsWith(PLACE) ? PLACE + text : text))
}

/** Restores the addresses in packed details. */
export const unpackDetails = (packed: Json, accounts: readonly Uint8Array[]): Json =>
  mapTexts(packed, (text) => {
    if (!text.startsWith(PLACE)) return text
    const rest = text.slice(PLACE.length)
    const account = rest.startsWith(PLACE) ? undefined : accounts[Number(rest)]
    return (account && addressText(account)) ?? rest
  })

/** An account of an action need not be an address. */
const addressText = (account: Uint8Array): string | undefined => {
  const address = parseAddressKey(account)
  return typeof address === 'string' ? undefined : formatUpperRawAddress(address)
}

const mapTexts = (value: Json, map: (text: string) => string): Json => {
  if (typeof value === 'string') return map(value)
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, map))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mapTexts(each as Json, map)]))
}

/** The shards of the previous blocks, in the order of `prev_seqnos`: two after a merge. */
export const previousShards = (
  shard: bigint,
  { afterSplit, afterMerge }: { readonly afterSplit: boolean; readonly afterMerge: boolean },
): readonly bigint[] => {
  if (afterMerge) return shardChildren(shard)
  return [afterSplit ? (findShardParent(shard) ?? shard) : shard]
}

/** First and last transaction of a trace. */
export type TraceSpan = {
  readonly startLt: bigint
  readonly endLt: bigint
  readonly startUtime: number
  readonly endUtime: number
  readonly startSeqno: number
  readonly endSeqno: number
}

/**
 * Limits above which a trace is long. Listing the traces of an account by their end scans its transactions and has to look this
 * far past the end of a page. Long traces, a few percent, are stored by account instead. Stored rows depend on these numbers:
 * changing them takes a migration.
 */
export const LONG_TRACE = {
  // About two minutes on mainnet.
  lt: 50_000_000n,
  utime: 120,
  seqnos: 1000,
} as const

export const isLongTrace = ({ startLt, endLt, startUtime, endUtime, startSeqno, endSeqno }: TraceSpan): boolean =>
  endLt - startLt > LONG_TRACE.lt ||
  endUtime - startUtime > LONG_TRACE.utime ||
  endSeqno - startSeqno > LONG_TRACE.seqnos
