import type { TSchema } from 'typebox'
import type { Call } from './Call.ts'
import type { Endpoint } from './Endpoint.ts'
import type { Failure, Statuses } from './errors.ts'
import type { JsonValue } from './json/parseJson.ts'
import type { ErrorCode } from './wireErrors.ts'

/** How an interface speaks JSON-RPC. The methods are the names of its endpoints. */
export interface JsonRpc {
  /** Below the prefix of the interface. */
  readonly path: `/${string}`
  /** Calls in one request; 0 where an array is no request at all. */
  readonly maxBatch: number
  /** Whether a call without an id gets no answer. */
  readonly notifications: boolean
  renderResult(result: unknown, call: Call, id: JsonValue | undefined): unknown
  renderError(failure: Failure, call: Call, id: JsonValue | undefined): unknown
  /** The HTTP status of an answer that is a failure. */
  statusOf(failure: Failure): number
}

/** JSON-RPC 2.0 as its specification has it: failures are answers too, with status 200. */
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

/** A list of endpoints and what is peculiar to them as a family. */
export interface Interface<Context = unknown> {
  readonly prefix: `/${string}`
  readonly title: string
  readonly description: string
  /** Of the interface, not of the program. */
  readonly version: string
  readonly endpoints: readonly Endpoint<Context>[]
  /** Where it departs from the table of statuses. */
  readonly statuses?: Statuses
  /** What any call of it may fail with, besides what any call of any interface may. */
  readonly commonErrors?: readonly ErrorCode[]
  /** The statuses that another interface refuses with, where a request was passed on to it. */
  readonly passedOnStatuses?: readonly number[]
  /** Members of a body that are no parameters and yet no mistake. */
  readonly ignoredMembers?: readonly string[] | 'all'
  /** How long the address of a request may be, where the server's own limit does not fit. */
  readonly maxUrlBytes?: number
  /** Whether a body must say that it is JSON, and whether nothing at all is taken for `{}`. */
  readonly body: { readonly mediaType: 'json' | 'any'; readonly mayBeEmpty: boolean }
  /** Served only to programs on the same machine, and never to a page of another origin. */
  readonly localOnly: boolean
  readonly jsonRpc?: JsonRpc
  /** What an answer looks like around its result, and what its schema is. */
  envelope(result: unknown, call: Call): unknown
  envelopeSchema(result: TSchema): TSchema
  /** The result in an answer. */
  openEnvelope(answer: unknown): unknown
  renderError(failure: Failure, call: Call): unknown
  readonly errorSchema: TSchema
  /** Changes the JSON of results and of the description on their way out, as to spellings. */
  respell?(json: string): string
  /** Changes the description where the spelling of results changes their types. */
  redescribe?(document: Description): Description
  /** Headers of every answer. */
  headers?(call: Call): { readonly [name: string]: string }
}

/** How the network is called where its name stands alone: neutrally, or as the ecosystem of clients spells it. */
export type Dialect = 'chain' | 'ton'
