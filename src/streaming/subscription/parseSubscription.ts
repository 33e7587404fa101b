import { ParseError } from '../../primitives/errors.ts'
import { parseHash } from '../../primitives/hash.ts'
import { LruCache } from '../../primitives/LruCache.ts'
import type { Finality } from '../../store/reader/pending.ts'
import { keyText } from '../../store/reader/TransactionRecord.ts'
import { InvalidSinceError, parseSince, type Since } from '../log/eventIds.ts'
import { hasSelector, readFilters } from './filters.ts'
import {
  type EventType,
  eventTypes,
  noFilters,
  readAddressKey,
  type Subscription,
  SubscriptionError,
  shownValue,
} from './Subscription.ts'

/** Longest body or frame with a subscription, in bytes. */
export const MAX_SUBSCRIPTION_BYTES = 1 << 20

const MAX_TYPES = 100
const MAX_ACTION_TYPES = 1000
const MAX_TEXT = 200

export type SubscriptionOptions = {
  readonly transport: 'sse' | 'ws' | 'webhook'
  /** The subscription that this one replaces: some fields that are left out keep its value. */
  readonly former?: Subscription | undefined
  /** Most addresses and trace hashes; no limit if it is absent or negative. */
  readonly maxAddresses?: number | undefined
  /** The key has the scope `stream:all`. */
  readonly mayStreamAll: boolean
  /** Header `X-Actions-Version`. */
  readonly actionsVersion?: string | undefined
  /** Header `Last-Event-ID`; replaces `since`. */
  readonly lastEventId?: string | undefined
  /** Expands shortcuts as v3 does. */
  readonly expandActionTypes: ExpandActionTypes
}

export type ExpandActionTypes = (words: readonly string[]) => readonly string[]

export type ParsedSubscription = { readonly id: string | undefined; readonly subscription: Subscription }

/** Parses the JSON value of a subscription. Faults are found in the order of the contract. */
export const parseSubscription = (value: unknown, options: SubscriptionOptions): ParsedSubscription => {
  const isWs = options.transport === 'ws'
  const fields = decodeFields(value, isWs ? 'invalid subscribe request' : 'invalid subscription request')
  try {
    return { id: fields.id, subscription: toSubscription(fields, options) }
  } catch (error) {
    throw error instanceof SubscriptionError ? error.ofRequest(fields.id) : error
  }
}

/** Fields with their types checked. */
type Fields = {
  readonly id: string | undefined
  readonly types: readonly string[]
  readonly addresses: readonly string[]
  readonly traceHashes: readonly string[]
  readonly minFinality: Finality | undefined
  readonly actionTypes: readonly string[] | undefined
  readonly supportedTypes: readonly string[] | undefined
  readonly withAddressBook: boolean | undefined
  readonly withMetadata: boolean | undefined
  readonly extended: boolean | undefined
  readonly deliver: Subscription['deliver'] | undefined
  readonly onGap: Subscription['onGap'] | undefined
  readonly filters: Readonly<Record<string, unknown>> | undefined
  readonly since: unknown
  readonly until: unknown
}

const decodeFields = (value: unknown, label: string): Fields => {
  const read = new FieldReader(value, label)
  return {
    id: read.text('id'),
    types: read.texts('types', MAX_TYPES) ?? [],
    addresses: read.texts('addresses') ?? [],
    traceHashes: read.texts('trace_external_hash_norms') ?? [],
    minFinality: readFinality(read),
    actionTypes: read.texts('action_types', MAX_ACTION_TYPES),
    supportedTypes: read.texts('supported_action_types', MAX_ACTION_TYPES),
    withAddressBook: read.flag('include_address_book'),
    withMetadata: read.flag('include_metadata'),
    extended: read.flag('extended'),
    deliver: read.word('deliver', ['trace', 'transaction']),
    onGap: read.word('on_gap', ['fail', 'mark']),
    filters: read.object('filters'),
    since: read.find('since'),
    until: read.find('until'),
  }
}

const finalities: readonly Finality[] = ['pending', 'confirmed', 'finalized']

const readFinality = (read: FieldReader): Finality | undefined => {
  const text = read.text('min_finality')
  const known = finalities.find((each) => each === text)
  if (text !== undefined && known === undefined) read.fail(`unknown finality state: ${shownValue(text)}`)
  return known
}

/** Reads members of a JSON object; null counts as absent. */
export class FieldReader {
  private readonly members: Readonly<Record<string, unknown>>
  private readonly label: string

  constructor(value: unknown, label: string) {
    this.label = label
    if (typeof value !== 'object' || value === null || Array.isArray(value)) this.fail('expected a JSON object')
    this.members = value as Record<string, unknown>
  }

  find(name: string): unknown {
    return Object.hasOwn(this.members, name) ? (this.members[name] ?? undefined) : undefined
  }

  text(name: string): string | undefined {
    const value = this.find(name)
    if (value === undefined) return undefined
    if (typeof value !== 'string') this.fail(`${name} must be text`)
    if (value.length > MAX_TEXT) this.fail(`${name} is longer than ${MAX_TEXT} characters`)
    return value
  }

  /** A bounded list has bounded items, too; addresses and hashes are bounded by the length of the request. */
  texts(name: string, maxItems?: number): readonly string[] | undefined {
    const value = this.find(name)
    if (value === undefined) return undefined
    if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) {
      this.fail(`${name} must be a list of text`)
    }
    if (maxItems === undefined) return value
    if (value.length > maxItems) this.fail(`${name} has more than ${maxItems} items`)
    if (value.some(({ length }) => length > MAX_TEXT)) {
      this.fail(`an item of ${name} is longer than ${MAX_TEXT} characters`)
    }
    return value
  }

  flag(name: string): boolean | undefined {
    const value = this.find(name)
    if (value !== undefined && typeof value !== 'boolean') this.fail(`${name} must be true or false`)
    return value
  }

  word<W extends string>(name: string, words: readonly W[]): W | undefined {
    const value = this.find(name)
    const known = words.find((word) => word === value)
    if (value !== undefined && known === undefined) this.fail(`${name} must be ${words.join(' or ')}`)
    return known
  }

  object(name: string): Readonly<Record<string, unknown>> | undefined {
    const value = this.find(name)
    if (value === undefined) return undefined
    if (typeof value !== 'object' || value === null || Array.isArray(value)) this.fail(`${name} must be an object`)
    return value as Record<string, unknown>
  }

  fail(text: string): never {
    throw new SubscriptionError(`${this.label}: ${text}`)
  }
}

const knownTypes: ReadonlySet<string> = new Set(eventTypes)

const toSubscription = (fields: Fields, options: SubscriptionOptions): Subscription => {
  const { transport, former } = options
  const types = readTypes(fields.types, transport)
  const addresses = readAddresses(fields.addresses)
  const traceHashes = readTraceHashes(fields.traceHashes)
  checkSelectors(types, addresses, traceHashes, fields, transport)
  const filters = fields.filters === undefined ? noFilters : readFilters(fields.filters, types)
  const since = readSince(fields, options)
  const until = fields.until === undefined ? undefined : readPosition('until', fields.until)
  if (addresses === 'all' && !options.mayStreamAll) {
    throw new SubscriptionError('addresses "*" need a key with the scope stream:all', { code: 'forbidden' })
  }
  checkCount(addresses, traceHashes, options)
  const tracesWithoutHashes = types.has('trace') && traceHashes.size === 0
  const extended =
    fields.extended === true ||
    transport === 'webhook' ||
    fields.filters !== undefined ||
    fields.deliver !== undefined ||
    addresses === 'all' ||
    tracesWithoutHashes
  return {
    types,
    addresses,
    selectsByFilter: addresses !== 'all' && addresses.size === 0 && hasSelector(fields.filters),
    traceHashes,
    tracesByAddress: types.has('trace') && (tracesWithoutHashes || extended),
    minFinality: fields.minFinality ?? former?.minFinality ?? 'finalized',
    actionTypes: fields.actionTypes === undefined ? (former?.actionTypes ?? none) : new Set(fields.actionTypes),
    supportedTypes: readSupported(fields.supportedTypes, options),
    withAddressBook: fields.withAddressBook ?? former?.withAddressBook ?? false,
    withMetadata: fields.withMetadata ?? former?.withMetadata ?? false,
    extended,
    heads: types.has('blocks') || (extended && transport !== 'webhook'),
    deliver: fields.deliver ?? (transport === 'webhook' ? 'transaction' : 'trace'),
    filters,
    since,
    until,
    onGap: fields.onGap ?? 'fail',
  }
}

const none: ReadonlySet<string> = new Set()

const readTypes = (names: readonly string[], transport: SubscriptionOptions['transport']): ReadonlySet<EventType> => {
  if (names.length === 0) throw new SubscriptionError(requiredText('types', transport))
  const unknown = names.find((name) => !knownTypes.has(name) && name !== 'trace_invalidated')
  if (unknown !== undefined) throw new SubscriptionError(`invalid event type: ${shownValue(unknown)}`)
  // Invalidations come without being asked for.
  const types = new Set(names.filter((name) => name !== 'trace_invalidated') as EventType[])
  if (types.size === 0) throw new SubscriptionError(requiredText('types', transport))
  return types
}

const requiredText = (name: 'types' | 'addresses', transport: SubscriptionOptions['transport']): string =>
  transport === 'ws' ? `${name} are required` : `${name} are required for subscription`

const readAddresses = (texts: readonly string[]): Subscription['addresses'] =>
  texts.includes('*') ? 'all' : new Set(texts.map(readAddressKey))

/** Keys of trace hashes in any form. */
export const readTraceHashes = (texts: readonly string[]): ReadonlySet<string> =>
  new Set(texts.map((text) => readTraceHash(text.trim())))

const readTraceHash = (text: string): string => {
  if (text === '') throw new SubscriptionError('trace_external_hash_norms contains empty value')
  try {
    return keyText(parseHash(text, ['hex', 'prefixed_hex', 'base64', 'unpadded_base64url']))
  } catch (error) {
    if (!(error instanceof ParseError)) throw error
    throw new SubscriptionError(`invalid trace_external_hash_norm: ${shownValue(text)}`, {}, { cause: error })
  }
}

/** Each type needs something that selects its events. */
const checkSelectors = (
  types: ReadonlySet<EventType>,
  addresses: Subscription['addresses'],
  traceHashes: ReadonlySet<string>,
  { filters }: Fields,
  transport: SubscriptionOptions['transport'],
): void => {
  if (traceHashes.size > 0 && !types.has('trace')) {
    throw new SubscriptionError('trace_external_hash_norms requires type "trace"')
  }
  const isSelected = addresses === 'all' || addresses.size > 0 || hasSelector(filters)
  if (types.has('trace') && traceHashes.size === 0 && !isSelected) {
    throw new SubscriptionError('trace_external_hash_norms are required for trace subscription')
  }
  const needsAddresses = [...types].some((type) => type !== 'trace' && type !== 'blocks')
  if (needsAddresses && !isSelected) throw new SubscriptionError(requiredText('addresses', transport))
}

const readSupported = (
  words: readonly string[] | undefined,
  { former, actionsVersion, expandActionTypes }: SubscriptionOptions,
): ReadonlySet<string> => {
  if (words === undefined && former !== undefined) return former.supportedTypes
  const asked = words ?? (actionsVersion === undefined || actionsVersion === '' ? [] : [actionsVersion])
  let sets = expanded.get(expandActionTypes)
  if (sets === undefined) {
    sets = new LruCache(MAX_EXPANDED)
    expanded.set(expandActionTypes, sets)
  }
  const key = JSON.stringify(asked)
  const known = sets.find(key)
  if (known !== undefined) return known
  const types: ReadonlySet<string> = new Set(expandActionTypes(asked))
  sets.set(key, types)
  return types
}

/** Subscriptions share their sets: nearly all ask for the same. */
const MAX_EXPANDED = 100
const expanded = new WeakMap<ExpandActionTypes, LruCache<ReadonlySet<string>>>()

const readSince = ({ since }: Fields, { lastEventId }: SubscriptionOptions): Since => {
  const given = lastEventId === undefined || lastEventId === '' ? since : lastEventId
  return given === undefined ? { kind: 'head' } : readPosition('since', given)
}

const readPosition = (name: 'since' | 'until', value: unknown): Since => {
  try {
    return parseSince(value)
  } catch (error) {
    if (!(error instanceof InvalidSinceError)) throw error
    throw new SubscriptionError(`invalid ${name}: ${shownValue(value)}`, {}, { cause: error })
  }
}

const checkCount = (
  addresses: Subscription['addresses'],
  traceHashes: ReadonlySet<string>,
  { transport, maxAddresses = -1 }: SubscriptionOptions,
): void => {
  const count = (addresses === 'all' ? 0 : addresses.size) + traceHashes.size
  if (maxAddresses < 0 || count <= maxAddresses) return
  throw new SubscriptionError(
    transport === 'ws'
      ? `address limit exceeded: current 0 + new ${count} > max ${maxAddresses}`
      : `too many addresses: ${count} > max ${maxAddresses}`,
  )
}
