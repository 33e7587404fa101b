import { FieldReader, parseSubscription, readTraceHashes, type SubscriptionOptions } from './parseSubscription.ts'
import { noFilters, readAddressKey, type Subscription, SubscriptionError, shownValue } from './Subscription.ts'

/** A request of a WebSocket client. */
export type Operation =
  | { readonly kind: 'ping'; readonly id: string | undefined }
  | { readonly kind: 'subscribe' | 'unsubscribe'; readonly id: string | undefined; readonly subscription: Subscription }

export type OperationOptions = Omit<SubscriptionOptions, 'transport' | 'lastEventId'>

const ENVELOPE = 'invalid request envelope'

/** Parses a text frame. `former` is the present subscription; the result has the one that takes its place. */
export const parseOperation = (frame: string, options: OperationOptions): Operation => {
  const value = parseJson(frame, ENVELOPE)
  const envelope = new FieldReader(value, ENVELOPE)
  const id = envelope.text('id')
  const operation = envelope.find('operation')
  switch (operation) {
    case 'ping':
      return { kind: 'ping', id }
    case 'subscribe':
      return { kind: 'subscribe', ...parseSubscription(value, { ...options, transport: 'ws' }) }
    case 'unsubscribe':
      try {
        return { kind: 'unsubscribe', id, subscription: unsubscribe(value, options.former) }
      } catch (error) {
        throw error instanceof SubscriptionError ? error.ofRequest(id) : error
      }
    default:
      throw new SubscriptionError(`unknown operation: ${operation === undefined ? '' : shownValue(operation)}`, { id })
  }
}

/** The JSON value of a text; `label` begins the error. */
export const parseJson = (text: string, label: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new SubscriptionError(`${label}: not valid JSON`, {}, { cause })
  }
}

/** Without the named addresses and hashes. Types and the rest stay, and so does what selects everything. */
const unsubscribe = (value: unknown, former: Subscription = nothing): Subscription => {
  const read = new FieldReader(value, 'invalid unsubscribe request')
  const addresses = read.texts('addresses') ?? []
  const hashes = read.texts('trace_external_hash_norms') ?? []
  if (addresses.length + hashes.length === 0) {
    throw new SubscriptionError('addresses or trace_external_hash_norms are required')
  }
  const isAll = addresses.includes('*')
  const removed = new Set(addresses.filter((text) => text !== '*').map(readAddressKey))
  const traceHashes = without(former.traceHashes, readTraceHashes(hashes))
  if (former.addresses === 'all') return { ...former, addresses: isAll ? new Set() : 'all', traceHashes }
  return { ...former, addresses: isAll ? new Set() : without(former.addresses, removed), traceHashes }
}

const without = (keys: ReadonlySet<string>, removed: ReadonlySet<string>): ReadonlySet<string> =>
  new Set([...keys].filter((key) => !removed.has(key)))

/** The subscription before the first operation. */
const nothing: Subscription = {
  types: new Set(),
  addresses: new Set(),
  selectsByFilter: false,
  traceHashes: new Set(),
  tracesByAddress: false,
  minFinality: 'finalized',
  actionTypes: new Set(),
  supportedTypes: new Set(),
  withAddressBook: false,
  withMetadata: false,
  extended: false,
  heads: false,
  deliver: 'trace',
  filters: noFilters,
  since: { kind: 'head' },
  until: undefined,
  onGap: 'fail',
}

/** All values of every name in a query string. */
type Query = { readonly [name: string]: readonly string[] }

const textLists = ['types', 'action_types', 'supported_action_types']
/** Of addresses and hashes, which have no commas: lists may be joined by them, as in v3. */
const keyLists = ['addresses', 'trace_external_hash_norms']
const flags = ['include_address_book', 'include_metadata', 'extended']
const texts = ['id', 'min_finality', 'deliver', 'on_gap', 'since', 'until']
const positions = ['since', 'until']
const keyFilters = ['jetton_masters', 'code_hashes']
const listFilters = ['opcodes', 'message_kinds']

/**
 * The JSON value of a subscription in a query. Lists are repeated; members of objects have dotted names (`filters.opcodes`,
 * `since.mc_seqno`). Of other repeated names the last value counts. Malformed values stay text, for the parser to refuse.
 */
export const queryToSubscription = (query: Query): Record<string, unknown> => {
  const value: Record<string, unknown> = {}
  const filters: Record<string, unknown> = Object.create(null)
  for (const [name, values] of Object.entries(query)) {
    const last = values.at(-1) ?? ''
    const [outer = '', inner] = name.split('.', 2)
    if (textLists.includes(name)) value[name] = values.filter((text) => text !== '')
    else if (keyLists.includes(name)) value[name] = splitKeys(values)
    else if (flags.includes(name)) value[name] = readFlag(last)
    else if (texts.includes(name)) value[name] = last
    else if (positions.includes(outer) && inner !== undefined) value[outer] = { [inner]: readNumber(last) }
    else if (outer === 'filters' && inner !== undefined) filters[inner] = readFilter(inner, values, last)
  }
  if (Object.keys(filters).length > 0) value['filters'] = filters
  return value
}

const splitKeys = (values: readonly string[]): string[] =>
  values.flatMap((text) => text.split(',')).filter((text) => text !== '')

const readFilter = (name: string, values: readonly string[], last: string): unknown => {
  if (keyFilters.includes(name)) return splitKeys(values)
  if (listFilters.includes(name)) return values.filter((text) => text !== '')
  return name === 'success' ? readFlag(last) : last
}

const readFlag = (text: string): boolean | string =>
  ['1', 't', 'T', 'true', 'TRUE', 'True', 'on'].includes(text)
    ? true
    : ['0', 'f', 'F', 'false', 'FALSE', 'False'].includes(text)
      ? false
      : text

const readNumber = (text: string): number | string => (/^[0-9]{1,10}$/.test(text) ? Number(text) : text)
