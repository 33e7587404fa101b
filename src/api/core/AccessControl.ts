import type { IncomingMessage } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { CodedError } from '../../primitives/errors.ts'
import type { Lifetime } from './Endpoint.ts'

/** The decision about a request. */
export type Admission = {
  /** Why the request is refused. */
  readonly refusal: CodedError | undefined
  /** Response headers: names and values alternate. */
  readonly headers: readonly string[]
  /** Name of the API key of the request. */
  readonly key: string | undefined
  /** Name of the node pool reserved for its plan. */
  readonly pool: string | undefined
  /** Name of its plan, `anonymous` without a key; `undefined` if nothing is limited. */
  readonly plan: string | undefined
  /** Rights of its key besides those of the plan; `undefined`: the default ones. */
  readonly scopes?: readonly string[] | undefined
  /** Under which name its requests are counted; `undefined` if they are not. */
  readonly caller?: string | undefined
}

/** Decides which requests the interfaces serve: API keys and rate limits. */
export interface AccessControl {
  /**
   * Counts a request to the interface below a prefix. Returns synchronously when the counters are in this process. A returned promise
   * never rejects.
   */
  admit(request: IncomingMessage, prefix: string): Admission | Promise<Admission>
  /** Whether an admitted key was revoked or has expired since. */
  isEnded?(key: string): boolean
}

const noted = Symbol('admission')

type Noted = IncomingMessage & { [noted]?: Admission }

/** Stores the decision on the request, so that it is counted once. */
export const noteAdmission = (request: IncomingMessage, admission: Admission): void => {
  ;(request as Noted)[noted] = admission
}

export const findAdmission = (request: IncomingMessage): Admission | undefined => (request as Noted)[noted]

/** A caller with a node pool of its own sees the head of that pool; responses that never change are shared by all. */
export const mayShareResponse = (pool: string | undefined, lifetime: Lifetime): boolean =>
  pool === undefined || lifetime === 'forever'

/** Runs access control on a request, unless that was done before. */
export const admitRequest = (
  gate: AccessControl,
  prefix: string,
  request: IncomingMessage,
  reply: FastifyReply,
  done: (refusal?: CodedError) => void,
): void => {
  const enter = (admission: Admission): void => {
    const { headers, refusal } = admission
    noteAdmission(request, admission)
    for (let at = 0; at < headers.length; at += 2) reply.header(headers[at]!, headers[at + 1]!)
    done(refusal)
  }
  const admission = findAdmission(request) ?? gate.admit(request, prefix)
  if (admission instanceof Promise) void admission.then(enter)
  else enter(admission)
}
