import {
  type Answer,
  type Arguments,
  type Caller,
  type CallOptions,
  callEndpoint,
  type EndpointInfo,
  noteSeen,
  parseExactJson,
  toCallName,
} from './callEndpoint.ts'
import type { DebugCalls } from './generated/debug.ts'
import type { DevCalls } from './generated/dev.ts'
import type { EmulateCalls } from './generated/emulate.ts'
import { type EndpointKind, endpointTable } from './generated/endpointTable.ts'
import type { V2Calls } from './generated/v2.ts'
import type { V3Calls } from './generated/v3.ts'
import type { EventType, Subscription } from './streamEvents.ts'
import { type EventStream, type StreamOptions, subscribe } from './subscribe.ts'

// biome-ignore lint/performance/noBarrelFile: what users import from chaincenter/client is in one file
export { Address, type AddressFlags } from './Address.ts'
export type { ApiErrorCode } from './callEndpoint.ts'
export { ApiError } from './callEndpoint.ts'
export type { Action } from './generated/v3.ts'
export { type Parsed, parseValues } from './parseValues.ts'
export { readStack, StackError, StackReader } from './StackReader.ts'
export type { EventType, StreamEvent, Subscription } from './streamEvents.ts'
export type { EventStream, StreamOptions, StreamState } from './subscribe.ts'

export type ClientOptions = {
  /** Base URL of the service: `http://127.0.0.1:8081`. */
  readonly url: string
  readonly apiKey?: string | undefined
  /** Dialect: `chain` (default, below /api), or `ton` (below /ton/api). */
  readonly dialect?: 'chain' | 'ton' | undefined
  /**
   * Maximum retries after 429, and after 503 for reads; default 0. The delay is Retry-After, or 1 s, 2 s, 4 s
   * and so on.
   */
  readonly retries?: number | undefined
  /** Maximum delay before a retry; if the server asks for more, the call fails. Default 30 s. */
  readonly longestWaitMs?: number | undefined
  /** Timeout of one attempt. Default 30 s. */
  readonly timeoutMs?: number | undefined
  /** Replaces the global fetch. */
  readonly fetch?: typeof fetch | undefined
  /** `seenSeqno` of another client, for instance of the process before: v3 answers with nothing older. Default 0. */
  readonly seenSeqno?: number | undefined
}

/** The v3 calls that return pages. */
type ListName = {
  [Name in keyof V3Calls]: 'cursor' extends keyof NonNullable<Parameters<V3Calls[Name]>[0]> ? Name : never
}[keyof V3Calls]

type ListArguments<Name extends ListName> = Omit<NonNullable<Parameters<V3Calls[Name]>[0]>, 'cursor' | 'offset'>

/** The response with a page. */
type PageOf<Name extends ListName> = Awaited<ReturnType<V3Calls[Name]>>

/** The item type of a page. */
type ItemOf<Name extends ListName> = PageOf<Name> extends readonly (infer Item)[] ? Item : ListMember<PageOf<Name>>

type ListMember<Page> = { [Name in keyof Page]: Page[Name] extends readonly (infer Item)[] ? Item : never }[keyof Page]

/** A typed client: a function for each endpoint. */
export interface Client {
  /** Newest masterchain block in a v3 response or an event. v3 calls never return an older state, whichever server answers. */
  readonly seenSeqno: number
  readonly v2: V2Calls
  readonly v3: V3Calls
  /** What messages would do; nothing is sent. */
  readonly emulate: EmulateCalls
  /** The transaction debugger. */
  readonly debug: DebugCalls
  /** Controls of the embedded network. */
  readonly dev: DevCalls
  /** All pages of a v3 list, by cursor. */
  pages<Name extends ListName>(
    name: Name,
    args: ListArguments<Name>,
    options?: CallOptions,
  ): AsyncGenerator<PageOf<Name>, void, undefined>
  /** All items of those pages. */
  items<Name extends ListName>(
    name: Name,
    args: ListArguments<Name>,
    options?: CallOptions,
  ): AsyncGenerator<ItemOf<Name>, void, undefined>
  /** Events as they happen; survives broken connections. */
  subscribe<T extends EventType>(subscription: Subscription<T>, options?: StreamOptions): EventStream<T>
  /** Sends a message and waits until its trace is final, at most `timeout` seconds (30). Repeating it sends nothing twice. */
  readonly sendAndWait: V3Calls['sendAndWait']
}

const DEFAULT_MS = 30_000
/** How long sendAndWait waits unless it is told. */
const WAIT_S = 30

/** Creates a client of the service at `url`. It needs no closing. */
export const createClient = (options: ClientOptions): Client => {
  const { url, dialect = 'chain' } = options
  const base = url.replace(/\/+$/, '')
  const api = `${base}${dialect === 'ton' ? '/ton' : ''}/api`
  const seen = { seqno: options.seenSeqno ?? 0 }
  const caller: Caller = {
    // An unbound fetch throws in browsers.
    fetch: options.fetch ?? ((...request) => fetch(...request)),
    apiKey: options.apiKey,
    timeoutMs: options.timeoutMs ?? DEFAULT_MS,
    retries: options.retries ?? 0,
    longestWaitMs: options.longestWaitMs ?? DEFAULT_MS,
    seen,
  }
  const v3 = endpointInfosOf(endpointTable.v3, `${api}/v3`, false, true)
  const parseEvent = (text: string): unknown => {
    const event = parseExactJson(text) as { readonly mc_seqno?: unknown }
    noteSeen(seen, event.mc_seqno)
    return event
  }
  const pages = (name: string, args: Arguments, own: CallOptions = {}) => walkPages(caller, v3, name, args, own)
  const client: { readonly [Name in keyof Client]: unknown } = {
    get seenSeqno() {
      return seen.seqno
    },
    v2: toCalls(caller, endpointInfosOf(endpointTable.v2, `${api}/v2`, true)),
    v3: toCalls(caller, v3),
    emulate: toCalls(caller, endpointInfosOf(endpointTable.emulate, `${api}/emulate/v1`, false)),
    debug: toCalls(caller, endpointInfosOf(endpointTable.debug, `${api}/debug/v1`, false)),
    dev: toCalls(caller, endpointInfosOf(endpointTable.dev, `${base}/dev`, true)),
    pages,
    async *items(...request: Parameters<typeof pages>) {
      for await (const page of pages(...request)) yield* listOf(page)
    },
    sendAndWait: async (args: Arguments, own: CallOptions = {}) => {
      const waitMs = 1000 * Number(args['timeout'] ?? WAIT_S)
      const place = v3.get('sendAndWait')!
      return (await callEndpoint({ ...caller, timeoutMs: caller.timeoutMs + waitMs }, place, args, own)).result
    },
    subscribe: (subscription: Subscription, own?: StreamOptions) =>
      subscribe({ ...caller, url: `${api}/streaming/v2/sse`, parse: parseEvent }, subscription, own),
  }
  return client as Client
}

type EndpointInfos = ReadonlyMap<string, EndpointInfo>

const endpointInfosOf = (
  table: { readonly [endpoint: string]: EndpointKind },
  base: string,
  isWrapped: boolean,
  isIndexed = false,
): EndpointInfos =>
  new Map(
    Object.entries(table).map(([endpoint, kind]) => {
      const [method, path = endpoint] = kind.split(' ')
      return [
        toCallName(endpoint),
        {
          endpoint,
          url: `${base}/${path}`,
          get: kind !== 'post' && method !== 'POST' && method !== 'PUT' && method !== 'DELETE',
          post: kind === 'both' || kind === 'post' || method === 'POST',
          ...((method === 'PUT' || method === 'DELETE') && { method }),
          isWrapped: isWrapped && kind !== 'bare',
          isIndexed,
        },
      ]
    }),
  )

const toCalls = (caller: Caller, places: EndpointInfos): object =>
  Object.fromEntries(
    [...places].map(([name, place]) => [
      name,
      async (args: Arguments = {}, options: CallOptions = {}) =>
        (await callEndpoint(caller, place, args, options)).result,
    ]),
  )

async function* walkPages(
  caller: Caller,
  places: EndpointInfos,
  name: string,
  args: Arguments,
  options: CallOptions,
): AsyncGenerator<unknown, void, undefined> {
  const place = places.get(name)
  if (place === undefined) throw new TypeError(`${name} is not a list endpoint.`)
  let cursor: string | undefined
  do {
    const answer: Answer = await callEndpoint(caller, place, { ...args, cursor }, options)
    yield answer.result
    cursor = answer.nextCursor
  } while (cursor !== undefined)
}

/** A page is an array, or has one among its members. */
const listOf = (page: unknown): readonly unknown[] =>
  Array.isArray(page) ? page : (Object.values(page as object).find((member) => Array.isArray(member)) ?? [])
