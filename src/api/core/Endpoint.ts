import type { Static, TSchema } from 'typebox'
import type { ParamTable, ParsedOf } from './params.ts'
import type { ErrorCode } from './wireErrors.ts'

export type HttpMethod = 'GET' | 'POST'

/** How long an answer stays right: until the chain has a new block, or for good. */
export type Lifetime = 'head' | 'forever'

/** A question that can be asked, defined once: every transport, the description and the client derive from it. */
export interface Endpoint<
  Context = unknown,
  P extends ParamTable = ParamTable,
  R extends TSchema = TSchema,
  Name extends string = string,
> {
  /** The JSON-RPC method, the operationId and, behind a slash, the REST path. */
  readonly name: Name
  /** Both when absent. */
  readonly methods?: readonly HttpMethod[]
  readonly tags: readonly string[]
  /** One sentence. */
  readonly summary: string
  /** Whatever more there is to say. */
  readonly description?: string
  readonly params: P
  /** Headers that it reads by itself, as they are described. */
  readonly headers?: { readonly [name: string]: TSchema }
  readonly result: R
  /** What it may fail with, beyond what any call may fail with. */
  readonly errors: readonly ErrorCode[]
  /** Its result is the whole answer, without an envelope. */
  readonly isBare?: boolean
  /** Answered however much its caller has asked already. */
  readonly isFree?: boolean
  /** For how long its answer to these parameters stays right; it is made anew every time unless this says otherwise. */
  lifetime?(params: ParsedOf<P>): Lifetime | undefined
  /** How long it may take, where the server's own limit does not fit. */
  readonly timeoutMs?: number
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

/** By what methods an endpoint is served. */
export const methodsOf = ({ methods = ['GET', 'POST'] }: Endpoint): readonly HttpMethod[] => methods

/** Those that JSON-RPC serves: an answer of it has an envelope, or it is none. */
export const rpcMethodsOf = (endpoints: readonly Endpoint[]): readonly Endpoint[] =>
  endpoints.filter(({ isBare }) => isBare !== true)
