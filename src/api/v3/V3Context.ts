import { Type } from 'typebox'
import type { BodyDecoder } from '../../contracts/layouts/createBodyDecoder.ts'
import type { Reader } from '../../store/connect/Database.ts'
import type { Cursor, Page } from '../../store/reader/page.ts'
import type { PendingTraces } from '../../store/reader/pending.ts'
import type { Call } from '../core/Call.ts'
import type { JsonObject, JsonValue } from '../core/json/parseJson.ts'
import { optional, param, shownAs } from '../core/params.ts'
import type { AnswerBudget } from './AnswerBudget.ts'
import { readBool } from './params.ts'

/**
 * Asks the live interface, in this process: the result of one of its endpoints in the neutral dialect. A refusal of it comes as a
 * `PassedOnError`.
 */
export type AskLive = (
  endpoint: string,
  args: JsonObject,
  call: Pick<Call, 'signal' | 'requestId'>,
) => Promise<JsonValue>

/** What a caller may say beside any question. */
export type RequestOptions = {
  readonly withAddressBook: boolean
  readonly withMetadata: boolean
  /** How long the database may take for all that the answer is made of. */
  readonly timeoutMs: number
  /** Stands in for `supported_action_types`. */
  readonly actionsVersion: string | undefined
}

/** The longest that a caller can have the database work for him. */
export const MAX_TIMEOUT_MS = 3000

const lenient = (shown: ReturnType<typeof Type.Boolean> | ReturnType<typeof Type.Integer>) =>
  optional(
    shownAs(
      param(Type.Unknown(), (wire) => wire),
      shown,
    ),
  )

/** Each is a header, too, which comes before it. What cannot be read is as if it had not been said. */
export const optionParams = {
  x_no_address_book: lenient(
    Type.Boolean({
      description: 'Leaves the address book empty; also the header X-No-Address-Book.',
      default: false,
    }),
  ),
  x_no_metadata: lenient(
    Type.Boolean({ description: 'Leaves the metadata empty; also the header X-No-Metadata.', default: false }),
  ),
  x_timeout: lenient(
    Type.Integer({
      description: `How many milliseconds the database may take for the whole answer, ${MAX_TIMEOUT_MS} at most; also the header X-Timeout. Where that is too short the status is 504.`,
    }),
  ),
} as const

/** What questions about actions know besides. */
export const actionHeaders = {
  'X-Actions-Version': Type.String({
    description: 'One type of actions, or a shortcut for some, in place of supported_action_types.',
    examples: ['latest'],
  }),
} as const

export const readOptions = ({ headers, query }: Call): RequestOptions => {
  const find = <T>(name: string, read: (text: string) => T | undefined): T | undefined => {
    const header = headers[`x-${name}`]
    const given = typeof header === 'string' ? header : query[`x_${name.replaceAll('-', '_')}`]?.at(-1)
    return given === undefined ? undefined : read(given)
  }
  const version = headers['x-actions-version']
  return {
    withAddressBook: find('no-address-book', readFlag) !== true,
    withMetadata: find('no-metadata', readFlag) !== true,
    timeoutMs: find('timeout', readTimeout) ?? MAX_TIMEOUT_MS,
    actionsVersion: typeof version === 'string' && version !== '' ? version : undefined,
  }
}

const readFlag = (text: string): boolean | undefined => {
  try {
    return readBool(text)
  } catch {
    return undefined
  }
}

const readTimeout = (text: string): number | undefined =>
  /^[0-9]{1,10}$/.test(text) ? Math.min(MAX_TIMEOUT_MS, Math.max(1, Number(text))) : undefined

/** What differs from network to network. */
export type V3Settings = {
  /** Friendly addresses say that they are of a test network. */
  readonly testOnly: boolean
}

/** What this interface is made from. */
export type V3Parts = {
  /** For lists and everything else that may take longer; each question has a connection for itself. */
  readonly lists: Reader
  /** For rows by their keys: quick, and in line behind each other. */
  readonly points: Reader
  readonly decoder: BodyDecoder
  /** What is known of traces before they are in the index. */
  readonly pending: PendingTraces
  /** The live interface, where this process has one. */
  readonly live: AskLive | undefined
  readonly settings: V3Settings
  readonly call: Call
}

/** What an endpoint works on. All of one call is asked of the same server. */
export type V3Context = V3Parts & {
  readonly options: RequestOptions
  /** What the answer may cost; it decodes bodies. */
  readonly budget: AnswerBudget
  /** The page that is asked for. */
  readPage(params: PageArguments): Page
  /** Tells the caller where the next page begins. */
  tellNext(next: Cursor | undefined): void
}

export type PageArguments = { readonly limit: number; readonly offset: number; readonly cursor?: string | undefined }
