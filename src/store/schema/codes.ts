import { formatUpperRawAddress, parseAddressKey } from '../../primitives/Address.ts'
import { getU64BE } from '../../primitives/bytes.ts'
import { findShardParent, shardChildren } from '../../primitives/shard.ts'
import type { Json } from './columns.ts'

// As the chain itself numbers them.
const STATUSES = ['uninit', 'frozen', 'active', 'nonexist'] as const

export type AccountStatusName = (typeof STATUSES)[number]

/** The number of an account's status in columns. */
export const accountStatusCode = (status: AccountStatusName): number => STATUSES.indexOf(status)

/** The status behind a number; `undefined` for what was never written. */
export const findAccountStatus = (code: number): AccountStatusName | undefined => STATUSES[code]

/**
 * What the columns `…_extra` hold: amounts as text by the numbers of their currencies; null where there are none. In `balance_extra` the
 * text "unknown" says that there are some, and that nobody here knows how many. A block does not show what it took over from the state
 * before it, so transactions may well have that; latest_account_states has it only where the states of the chain were not to be had.
 */
export type ExtraAmounts = Readonly<Record<string, string>> | 'unknown'

/** The first eight bytes of a hash as the database numbers them: what `transaction_lookup` finds a transaction by. */
export const hashKey = (hash: Uint8Array): bigint => BigInt.asIntN(64, getU64BE(hash, 0))

/** How much of a hash is kept where the rest of it is found elsewhere. */
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

/** The yes-or-no fields of a block header, which share the column `header_bits`: one bit each, the first the lowest. */
export type HeaderBits = Readonly<Record<(typeof NAMES)[number], boolean>>

export const encodeHeaderBits = (header: HeaderBits): number =>
  NAMES.reduce((bits, name, k) => bits | (header[name] ? 1 << k : 0), 0)

export const decodeHeaderBits = (bits: number): HeaderBits =>
  Object.fromEntries(NAMES.map((name, k) => [name, (bits & (1 << k)) !== 0])) as HeaderBits

/**
 * What a message is: the low three bits of `in_bits` and `bits`. A system message is one that the block made in which it is received:
 * it names -1:00…00 as its source and was created at the start_lt of that block, so it is found in `in_bits` only. What the account
 * -1:00…00 sends is internal.
 */
export const STORED_MESSAGE_KIND = { none: 0, internal: 1, externalIn: 2, externalOut: 3, system: 4 } as const

const KIND_MASK = 7
const BOUNCE = 8
const BOUNCED = 16
const IHR_DISABLED = 32
const EXTRA_FLAGS = 64

/**
 * What the columns `in_bits` and `bits` say. The three flags are of internal and system messages alone; their fee for instant
 * routing is null in its column where it is zero.
 */
export type MessageBits = {
  readonly kind: number
  readonly bounce: boolean
  readonly bounced: boolean
  readonly ihrDisabled: boolean
  /** Since global version 12 messages have extra flags in place of that fee. Flags of zero are null in their column. */
  readonly hasExtraFlags: boolean
}

export const encodeMessageBits = (m: MessageBits): number =>
  m.kind |
  (m.bounce ? BOUNCE : 0) |
  (m.bounced ? BOUNCED : 0) |
  (m.ihrDisabled ? IHR_DISABLED : 0) |
  (m.hasExtraFlags ? EXTRA_FLAGS : 0)

export const decodeMessageBits = (bits: number): MessageBits => ({
  kind: bits & KIND_MASK,
  bounce: (bits & BOUNCE) !== 0,
  bounced: (bits & BOUNCED) !== 0,
  ihrDisabled: (bits & IHR_DISABLED) !== 0,
  hasExtraFlags: (bits & EXTRA_FLAGS) !== 0,
})

/** Begins a text that is no text, but the place of an address among the accounts of an action. */
const PLACE = '\u0001'

/** Details name the accounts of their action over and over: each is kept as its place among these, and takes two bytes. */
export const packDetails = (details: Json, accounts: readonly Uint8Array[]): Json => {
  const places = new Map<string, string>()
  for (const [k, account] of accounts.entries()) {
    const text = addressText(account)
    if (text !== undefined && !places.has(text)) places.set(text, `${PLACE}${k}`)
  }
  return mapTexts(details, (text) => places.get(text) ?? (text.startsWith(PLACE) ? PLACE + text : text))
}

/** Details as they are shown. */
export const unpackDetails = (packed: Json, accounts: readonly Uint8Array[]): Json =>
  mapTexts(packed, (text) => {
    if (!text.startsWith(PLACE)) return text
    const rest = text.slice(PLACE.length)
    const account = rest.startsWith(PLACE) ? undefined : accounts[Number(rest)]
    return (account && addressText(account)) ?? rest
  })

/** Accounts of actions may be others than addresses. */
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

/** The shards of the blocks before one, in the order of its `prev_seqnos`: two after a merge. */
export const previousShards = (
  shard: bigint,
  { afterSplit, afterMerge }: { readonly afterSplit: boolean; readonly afterMerge: boolean },
): readonly bigint[] => {
  if (afterMerge) return shardChildren(shard)
  return [afterSplit ? (findShardParent(shard) ?? shard) : shard]
}

/** How far a trace reaches. */
export type TraceSpan = {
  readonly startLt: bigint
  readonly endLt: bigint
  readonly startUtime: number
  readonly endUtime: number
  readonly startSeqno: number
  readonly endSeqno: number
}

/**
 * What a trace may take before it is a long one. Whoever looks for the traces of an account in the order in which they end goes through its
 * transactions, and has to look this much further than where a page ends. The long ones, a few of a hundred, are kept by account.
 * Rows are there that were made with these numbers: others take a migration.
 */
export const LONG_TRACE = {
  // About two minutes of the main network.
  lt: 50_000_000n,
  utime: 120,
  seqnos: 1000,
} as const

export const isLongTrace = ({ startLt, endLt, startUtime, endUtime, startSeqno, endSeqno }: TraceSpan): boolean =>
  endLt - startLt > LONG_TRACE.lt ||
  endUtime - startUtime > LONG_TRACE.utime ||
  endSeqno - startSeqno > LONG_TRACE.seqnos
