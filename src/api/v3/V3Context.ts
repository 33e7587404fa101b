import { Type } from 'typebox'
import type { BodyDecoder } from '../../contracts/layouts/createBodyDecoder.ts'
import type { Reader, ReaderAtOptions, WatchedServer } from '../../store/connect/Database.ts'
import type { Cursor, Page } from '../../store/reader/page.ts'
import type { PendingTraces } from '../../store/reader/pending.ts'
import type { Call } from '../core/Call.ts'
import type { JsonObject, JsonValue } from '../core/json/parseJson.ts'
import { optional, param, shownAs } from '../core/params.ts'
import type { AnswerBudget } from './AnswerBudget.ts'
import { readBool } from './params.ts'
import type { TransactionTexts } from './TransactionTexts.ts'

/**
 * Proxies to the v2 interface of this process: returns the result of one of its endpoints in the neutral dialect. A refusal is thrown as a
 * `ProxiedError`.
 */
export type V2Proxy = (
  endpoint: string,
  args: JsonObject,
  call: Pick<Call, 'signal' | 'requestId'> & Partial<Pick<Call, 'remoteAddress' | 'plan' | 'caller' | 'trace'>>,
) => Promise<JsonValue>

/** Options of every request. */
export type RequestOptions = {
  readonly withAddressBook: boolean
  readonly withMetadata: boolean
  /** Database time limit of the whole response. */
  readonly timeoutMs: number
  /** Replaces `supported_action_types`. */
  readonly actionsVersion: string | undefined
}

/** Upper limit of the database time of a request. */
export const MAX_TIMEOUT_MS = 3000

const lenient = (shown: ReturnType<typeof Type.Boolean> | ReturnType<typeof Type.Integer>) =>
  optional(
    shownAs(
      param(Type.Unknown(), (wire) => wire),
      shown,
    ),
  )

/** Each is also a header, which takes precedence. Malformed values are ignored. */
export const optionParams = {
  x_no_address_book: lenient(
    Type.Boolean({
      description: 'Omit the address book. Also the header X-No-Address-Book.',
      default: false,
    }),
  ),
  x_no_metadata: lenient(
    Type.Boolean({ description: 'Omit the metadata. Also the header X-No-Metadata.', default: false }),
  ),
  x_timeout: lenient(
    Type.Integer({
      description: `Time limit in milliseconds, at most ${MAX_TIMEOUT_MS}: of the database reads of the request, and of decode as a whole. Also the header X-Timeout. The status is 504 if it is exceeded.`,
    }),
  ),
} as const

/** Headers of requests about actions. */
export const actionHeaders = {
  'X-Actions-Version': Type.String({
    description: 'An action type or a shortcut for several, instead of supported_action_types.',
    examples: ['latest'],
  }),
} as const

type Headers = Call['headers']

/** The options as they came in the query or the body. */
export type GivenOptions = { readonly [name in keyof typeof optionParams]?: unknown }

export const readOptions = (headers: Headers, given: GivenOptions): RequestOptions => {
  return {
    withAddressBook: readOption(headers['x-no-address-book'] ?? given.x_no_address_book, readFlag) !== true,
    withMetadata: readOption(headers['x-no-metadata'] ?? given.x_no_metadata, readFlag) !== true,
    timeoutMs: readTimeoutMs(headers, given.x_timeout) ?? MAX_TIMEOUT_MS,
    actionsVersion: findActionsVersion(headers),
  }
}

/** The header that replaces `supported_action_types`. */
export const findActionsVersion = (headers: Headers): string | undefined => {
  const version = headers['x-actions-version']
  return typeof version === 'string' && version !== '' ? version : undefined
}

/** The time limit that the caller sets. */
export const readTimeoutMs = (headers: Headers, given: unknown): number | undefined =>
  readOption(headers['x-timeout'] ?? given, readTimeout)

/** A query has texts, a body may have numbers and booleans. */
const readOption = <T>(given: unknown, read: (text: string) => T | undefined): T | undefined =>
  typeof given === 'string' || typeof given === 'number' || typeof given === 'boolean' ? read(String(given)) : undefined

const readFlag = (text: string): boolean | undefined => {
  try {
    return readBool(text)
  } catch {
    return undefined
  }
}

const readTimeout = (text: string): number | undefined =>
  /^[0-9]{1,10}$/.test(text) ? Math.min(MAX_TIMEOUT_MS, Math.max(1, Number(text))) : undefined

/** Network-specific settings. */
export type V3Settings = {
  /** User-friendly addresses have the testnet flag. */
  readonly testOnly: boolean
}

/** Dependencies of the v3 interface. */
export type V3Parts = {
  /** List reads: slower queries, each on a connection of its own from a pool. */
  readonly listReads: Reader
  /** Keyed reads: fast lookups by key, pipelined on shared connections. */
  readonly keyedReads: Reader
  /** The server of both. */
  readonly server: Pick<WatchedServer, 'isReplica' | 'findHead' | 'readNewest'>
  /** The same over the server whose turn it is. */
  readonly readAgain: (call: Call) => V3Parts
  /** The same over a server that has a masterchain block. */
  readonly moveTo: (call: Call, seqno: number, options: ReaderAtOptions) => Promise<V3Parts>
  readonly decoder: BodyDecoder
  /** Without it every transaction is read and written anew. */
  readonly transactionTexts: TransactionTexts | undefined
  /** Traces that are not in the index yet. */
  readonly pending: PendingTraces
  /** The v2 interface, if this process has one. */
  readonly v2: V2Proxy | undefined
  readonly settings: V3Settings
  readonly call: Call
}

/** Context of an endpoint. All queries of one call go to the same database server. */
export type V3Context = Omit<V3Parts, 'server' | 'readAgain' | 'moveTo'> & {
  readonly options: RequestOptions
  /** Size budget of the response; it also decodes bodies. */
  readonly budget: AnswerBudget
  /** The requested page. */
  readPage(params: PageArguments): Page
  /** Sets the cursor of the next page in the response headers. */
  tellNext(next: Cursor | undefined): void
}

export type PageArguments = { readonly limit: number; readonly offset: number; readonly cursor?: string | undefined }
