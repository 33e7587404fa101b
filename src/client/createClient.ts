import {
  type Answer,
  type Arguments,
  type Caller,
  type CallOptions,
  callEndpoint,
  type DevCalls,
  type ItemOf,
  type ListArguments,
  type ListName,
  type PageOf,
  type Place,
  toCallName,
  type V2Calls,
  type V3Calls,
} from './callEndpoint.ts'
import { type EndpointKind, endpointTable } from './generated/endpointTable.ts'

export type { ApiErrorCode } from './callEndpoint.ts'
// biome-ignore lint/performance/noBarrelFile: what users import from chaincenter/client is in one file
export { ApiError } from './callEndpoint.ts'

export type ClientOptions = {
  /** Where the service is: `http://127.0.0.1:8081`. */
  readonly url: string
  readonly apiKey?: string | undefined
  /** Which spelling is called: `chain`, the default, below /api, or `ton` below /ton/api. */
  readonly dialect?: 'chain' | 'ton' | undefined
  /**
   * How often a call is made again that was refused for its rate (429), or a question when the service was away (503); not at
   * all unless given. The wait between is what the server asks for (Retry-After), else 1 s, 2 s, 4 s and so on.
   */
  readonly retries?: number | undefined
  /** The longest that is waited before another try; where the server asks for more, the call fails. 30 s. */
  readonly longestWaitMs?: number | undefined
  /** How long one try may take. 30 s. */
  readonly timeoutMs?: number | undefined
  /** In place of the global one. */
  readonly fetch?: typeof fetch | undefined
}

/** Everything a service answers, typed: a function for each endpoint. */
export interface Client {
  readonly v2: V2Calls
  readonly v3: V3Calls
  /** Controls of an embedded network. */
  readonly dev: DevCalls
  /** All pages of a list of the indexed interface, one after the other, by cursor. */
  pages<Name extends ListName>(
    name: Name,
    args: ListArguments<Name>,
    options?: CallOptions,
  ): AsyncGenerator<PageOf<Name>, void, undefined>
  /** All that stands in those pages. */
  items<Name extends ListName>(
    name: Name,
    args: ListArguments<Name>,
    options?: CallOptions,
  ): AsyncGenerator<ItemOf<Name>, void, undefined>
}

const DEFAULT_MS = 30_000

/** A client of the service at `url`. It opens nothing, so that there is nothing to close. */
export const createClient = (options: ClientOptions): Client => {
  const { url, dialect = 'chain' } = options
  const base = url.replace(/\/+$/, '')
  const api = `${base}${dialect === 'ton' ? '/ton' : ''}/api`
  const caller: Caller = {
    // A bare reference would lose what it belongs to in browsers.
    fetch: options.fetch ?? ((...request) => fetch(...request)),
    apiKey: options.apiKey,
    timeoutMs: options.timeoutMs ?? DEFAULT_MS,
    retries: options.retries ?? 0,
    longestWaitMs: options.longestWaitMs ?? DEFAULT_MS,
  }
  const v3 = placesOf(endpointTable.v3, `${api}/v3`, false)
  const pages = (name: string, args: Arguments, own: CallOptions = {}) => walkPages(caller, v3, name, args, own)
  const client: { readonly [Name in keyof Client]: unknown } = {
    v2: toCalls(caller, placesOf(endpointTable.v2, `${api}/v2`, true)),
    v3: toCalls(caller, v3),
    dev: toCalls(caller, placesOf(endpointTable.dev, `${base}/dev`, true)),
    pages,
    async *items(...request: Parameters<typeof pages>) {
      for await (const page of pages(...request)) yield* listOf(page)
    },
  }
  return client as Client
}

type Places = ReadonlyMap<string, Place>

const placesOf = (table: { readonly [endpoint: string]: EndpointKind }, base: string, isWrapped: boolean): Places =>
  new Map(
    Object.entries(table).map(([endpoint, kind]) => [
      toCallName(endpoint),
      {
        endpoint,
        url: `${base}/${endpoint}`,
        get: kind !== 'post',
        post: kind === 'both' || kind === 'post',
        isWrapped: isWrapped && kind !== 'bare',
      },
    ]),
  )

const toCalls = (caller: Caller, places: Places): object =>
  Object.fromEntries(
    [...places].map(([name, place]) => [
      name,
      async (args: Arguments = {}, options: CallOptions = {}) =>
        (await callEndpoint(caller, place, args, options)).result,
    ]),
  )

async function* walkPages(
  caller: Caller,
  places: Places,
  name: string,
  args: Arguments,
  options: CallOptions,
): AsyncGenerator<unknown, void, undefined> {
  const place = places.get(name)
  if (place === undefined) throw new TypeError(`There is no list ${name}.`)
  let cursor: string | undefined
  do {
    const answer: Answer = await callEndpoint(caller, place, { ...args, cursor }, options)
    yield answer.result
    cursor = answer.nextCursor
  } while (cursor !== undefined)
}

/** A page is a list, or has one among its members. */
const listOf = (page: unknown): readonly unknown[] =>
  Array.isArray(page) ? page : (Object.values(page as object).find((member) => Array.isArray(member)) ?? [])
