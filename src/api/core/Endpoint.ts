import type { IncomingHttpHeaders } from 'node:http'
import type { Static, TSchema } from 'typebox'
import type { JsonValue } from './json/parseJson.ts'
import type { ParamTable, ParsedOf } from './params.ts'
import type { ErrorCode } from './wireErrors.ts'

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** How long a response stays valid: until the next masterchain block, or for ever. */
export type Lifetime = 'head' | 'forever'

/** An endpoint, defined once: every transport, the OpenAPI document and the client derive from it. */
export interface Endpoint<
  Context = unknown,
  P extends ParamTable = ParamTable,
  R extends TSchema = TSchema,
  Name extends string = string,
> {
  /** The JSON-RPC method, the operationId and, behind a slash, the REST path. */
  readonly name: Name
  /** The REST path where it is not the name; `{hash}` stands for the parameter of that name. */
  readonly path?: string
  /** GET and POST when absent. */
  readonly methods?: readonly HttpMethod[]
  readonly tags: readonly string[]
  /** One sentence. */
  readonly summary: string
  /** Further details. */
  readonly description?: string
  readonly params: P
  /** Request headers that the endpoint reads, with their schemas. */
  readonly headers?: { readonly [name: string]: TSchema }
  readonly result: R
  /** HTTP status of the result; 200 by default. With 204 nothing is sent. */
  readonly status?: 200 | 201 | 202 | 204
  /** Error codes beyond those that any call may fail with. */
  readonly errors: readonly ErrorCode[]
  /** The result is the whole response, without an envelope. */
  readonly isBare?: boolean
  /** Exempt from rate limits. */
  readonly isFree?: boolean
  /** How long the response to these parameters may be cached; not at all by default. */
  lifetime?(params: ParsedOf<P>): Lifetime | undefined
  /** Replaces the time limit of the server. */
  readonly timeoutMs?: number
  /** A shorter time limit for the whole call, where the caller sets one in a parameter or a header. */
  readonly callerTimeout?: {
    readonly param: string
    readMs(headers: IncomingHttpHeaders, given: JsonValue | undefined): number | undefined
  }
  /** It asks the node or reads pending traces, which only the main thread has: it never takes the slow lane. */
  readonly needsNode?: boolean
  handle(context: Context, params: ParsedOf<P>): Static<R> | Promise<Static<R>>
}

/** The function that defines endpoints for a context: `const devEndpoint = endpointFor<DevContext>()`. */
export const endpointFor =
  <Context>() =>
  <const Name extends string, P extends ParamTable, R extends TSchema>(
    definition: Endpoint<Context, P, R, Name>,
  ): Endpoint<Context, P, R, Name> =>
    definition

/** The REST path of an endpoint below its interface, without a leading slash. */
export const pathOf = ({ path, name }: Pick<Endpoint, 'path' | 'name'>): string => path ?? name

/** Whether arguments come in a body. */
export const hasBody = (method: string): boolean => method === 'POST' || method === 'PUT' || method === 'PATCH'

/** The HTTP methods of an endpoint. */
export const methodsOf = ({ methods = ['GET', 'POST'] }: Endpoint): readonly HttpMethod[] => methods

/** The endpoints that JSON-RPC serves: those with an envelope. */
export const rpcMethodsOf = (endpoints: readonly Endpoint[]): readonly Endpoint[] =>
  endpoints.filter(({ isBare }) => isBare !== true)
