import type { Static, TSchema } from 'typebox'
import type { Call } from './Call.ts'
import type { Endpoint } from './Endpoint.ts'
import type { Failure, Statuses } from './errors.ts'
import type { JsonValue } from './json/parseJson.ts'
import type { ArgumentsOf, ParamTable } from './params.ts'
import type { ErrorCode } from './wireErrors.ts'

/** The JSON-RPC dialect of an interface. Methods are the names of its endpoints. */
export interface JsonRpc {
  /** Below the prefix of the interface. */
  readonly path: `/${string}`
  /** Maximum calls in a batch; 0 means that batches are refused. */
  readonly maxBatch: number
  /** Whether a call without an id is a notification, without a response. */
  readonly notifications: boolean
  renderResult(result: unknown, call: Call, id: JsonValue | undefined): unknown
  renderError(failure: Failure, call: Call, id: JsonValue | undefined): unknown
  /** The HTTP status of an error response. */
  statusOf(failure: Failure): number
}

/** JSON-RPC 2.0 as specified: error responses have status 200. */
export const standardJsonRpc = (path: `/${string}`, maxBatch: number): JsonRpc => ({
  path,
  maxBatch,
  notifications: true,
  renderResult: (result, _call, id) => ({ jsonrpc: '2.0', id: id ?? null, result }),
  renderError: ({ rpc, message, code }, _call, id) => ({
    jsonrpc: '2.0',
    id: id ?? null,
    error: { code: rpc, message, data: { code } },
  }),
  statusOf: () => 200,
})

/** An OpenAPI document. */
export type Description = { readonly [name: string]: unknown }

/** A family of endpoints with a common prefix, envelope and error format. */
export interface Interface<Context = unknown> {
  readonly prefix: `/${string}`
  readonly title: string
  readonly description: string
  /** Version of the interface, not of the program. */
  readonly version: string
  readonly endpoints: readonly Endpoint<Context>[]
  /** HTTP statuses that differ from the table in wireErrors.ts. */
  readonly statuses?: Statuses
  /** Error codes of all its calls, besides those of every interface. */
  readonly commonErrors?: readonly ErrorCode[]
  /** Statuses of the interface that it proxies to. */
  readonly proxiedStatuses?: readonly number[]
  /** Members of a body that are ignored although they are not parameters. */
  readonly ignoredMembers?: readonly string[] | 'all'
  /** Replaces the URL length limit of the server. */
  readonly maxUrlBytes?: number
  /** Replaces the body length limit of the server. */
  readonly maxBodyBytes?: number
  /** Whether a body needs the JSON content type, and whether an empty body means `{}`. */
  readonly body: { readonly mediaType: 'json' | 'any'; readonly mayBeEmpty: boolean }
  /** Served only to programs on the same machine, and never to pages of other origins. */
  readonly localOnly: boolean
  readonly jsonRpc?: JsonRpc
  /** The response around a result, and its schema. */
  envelope(result: unknown, call: Call): unknown
  envelopeSchema(result: TSchema): TSchema
  /** The result in a response. */
  openEnvelope(answer: unknown): unknown
  renderError(failure: Failure, call: Call): unknown
  readonly errorSchema: TSchema
  /** Rewrites the JSON of results and of the OpenAPI document into the dialect of the interface. */
  applyDialect?(json: string): string
  /** Changes the OpenAPI document where the dialect changes the types of results. */
  describeDialect?(document: Description): Description
  /** Headers of every response. */
  headers?(call: Call): { readonly [name: string]: string }
}

/** Spelling of type names on the wire: neutral (`chain.…`), or the one of TON clients (`ton.…`). */
export type Dialect = 'chain' | 'ton'

/** The calls of an interface: a function for each endpoint, from wire values to the wire shape of its result. */
export type ClientOf<I extends Interface> = {
  readonly [E in I['endpoints'][number] as E['name']]: (
    ...args: CallArguments<E['params']>
  ) => Promise<Static<E['result']>>
}

type CallArguments<T extends ParamTable> =
  Record<never, never> extends ArgumentsOf<T> ? [args?: ArgumentsOf<T>] : [args: ArgumentsOf<T>]
