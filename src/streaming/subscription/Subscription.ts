import { addressKeyOf, parseAddress } from '../../primitives/Address.ts'
import { CodedError, ParseError } from '../../primitives/errors.ts'
import type { Finality } from '../../store/reader/pending.ts'
import { keyText } from '../../store/reader/TransactionRecord.ts'
import type { Since } from '../log/eventIds.ts'

/** Names of the event types that a subscription lists. */
export const eventTypes = [
  'transactions',
  'actions',
  'trace',
  'account_state_change',
  'jettons_change',
  'blocks',
] as const
export type EventType = (typeof eventTypes)[number]

export const messageKinds = ['external_in', 'internal', 'bounced', 'tick_tock'] as const
export type MessageKindFilter = (typeof messageKinds)[number]

/** Most values of each filter with a list. */
export const filterLimits = { opcodes: 100, jetton_masters: 100, code_hashes: 20, message_kinds: messageKinds.length }

/** All given ones must pass; `undefined` passes everything. Sets are of keys (`keyText`). */
export type Filters = {
  /** Signed. */
  readonly opcodes: ReadonlySet<number> | undefined
  readonly jettonMasters: ReadonlySet<string> | undefined
  readonly codeHashes: ReadonlySet<string> | undefined
  readonly messageKinds: ReadonlySet<MessageKindFilter> | undefined
  readonly minValue: bigint | undefined
  readonly success: boolean | undefined
}

export const noFilters: Filters = {
  opcodes: undefined,
  jettonMasters: undefined,
  codeHashes: undefined,
  messageKinds: undefined,
  minValue: undefined,
  success: undefined,
}

/** What a connection or a webhook wants. Immutable. */
export type Subscription = {
  readonly types: ReadonlySet<EventType>
  /** Keys of addresses (`keyText`), or every address. */
  readonly addresses: ReadonlySet<string> | 'all'
  /** Subscribed without addresses: filters by jetton master or code select alone. */
  readonly selectsByFilter: boolean
  /** Normalized hashes of external-in messages (`keyText`). */
  readonly traceHashes: ReadonlySet<string>
  /** Whole traces that touch an address, too, not only those named by hash. */
  readonly tracesByAddress: boolean
  readonly minFinality: Finality
  /** Empty: all. */
  readonly actionTypes: ReadonlySet<string>
  /** Expanded, as in v3. */
  readonly supportedTypes: ReadonlySet<string>
  readonly withAddressBook: boolean
  readonly withMetadata: boolean
  /** Event ids and the further event types are sent. */
  readonly extended: boolean
  /** `masterchain_head` is sent. */
  readonly heads: boolean
  readonly deliver: 'trace' | 'transaction'
  readonly filters: Filters
  readonly since: Since
  readonly until: Since | undefined
  readonly onGap: 'fail' | 'mark'
}

/** A refused subscription or operation, in the words of the contract. */
export class SubscriptionError extends CodedError {
  readonly code: 'invalid_subscription' | 'forbidden'
  /** The `id` of the request, if it could be read. */
  readonly id: string | undefined

  constructor(
    message: string,
    { code = 'invalid_subscription', id }: { code?: SubscriptionError['code']; id?: string | undefined } = {},
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.code = code
    this.id = id
  }

  /** HTTP status. */
  get status(): 400 | 403 {
    return this.code === 'forbidden' ? 403 : 400
  }

  /** The answer: body of a response, or frame of a WebSocket. */
  toAnswer(): { readonly id?: string; readonly error: string } {
    return { ...(this.id !== undefined && { id: this.id }), error: this.message }
  }

  /** The same error of a request with this id. */
  ofRequest(id: string | undefined): SubscriptionError {
    return new SubscriptionError(this.message, { code: this.code, id }, { cause: this.cause })
  }
}

export const sinceAhead = (): SubscriptionError => new SubscriptionError('since is ahead of the chain')

const MAX_SHOWN = 100

/** A value in an error text. */
export const shownValue = (value: unknown): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined')
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}

/** The key of an address. */
export const readAddressKey = (text: string): string => {
  try {
    return keyText(addressKeyOf(parseAddress(text)))
  } catch (error) {
    if (!(error instanceof ParseError)) throw error
    throw new SubscriptionError(`invalid address: ${shownValue(text)}`, {}, { cause: error })
  }
}
