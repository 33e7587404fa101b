import type { Readable } from 'node:stream'
import type { Endpoint } from './Endpoint.ts'
import type { JsonLimits } from './json/parseJson.ts'
import type { QueryValues } from './parseArguments.ts'

/** A request as another process needs it. */
export type SlowRequest = {
  readonly prefix: string
  readonly endpoint: string
  readonly transport: 'get' | 'post'
  readonly query: QueryValues
  /** As it came. */
  readonly body: Uint8Array | undefined
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly remoteAddress: string
  readonly requestId: string
  readonly limits: JsonLimits
  /** Of its span, where it is traced. */
  readonly traceparent: string | undefined
}

export type SlowAnswer = {
  readonly status: number
  /** A long one comes in parts, at the pace of its reader. */
  readonly json: Uint8Array | Readable
  /** Of the JSON. */
  readonly bytes: number
  /** Headers of this answer alone. */
  readonly headers: { readonly [name: string]: string } | undefined
}

/** No process answers it: answer the request where it came, then call `end`. */
export type AnswerHere = { readonly end: () => void }

/** Answers long requests in a process of its own, so that short ones do not wait for them. */
export interface SlowLane {
  /** `onEnd` calls back when nobody waits any more. */
  answer(request: SlowRequest, onEnd: (leave: () => void) => () => void): Promise<SlowAnswer | AnswerHere>
}

/** A response that was begun as a short one turns out long: it is for the slow lane. */
export class LongAnswerError extends Error {}

/** More rows, list items or bytes of a body than that make a request long. */
const SHORT_ROWS = 100
const SHORT_ITEMS = 100
const SHORT_BODY_BYTES = 32 * 1024

/** Tells from its size alone whether a request is long. */
export const isLongRequest = (endpoint: Endpoint, query: QueryValues, body: Uint8Array | undefined): boolean => {
  if (endpoint.needsNode === true) return false
  if ((body?.length ?? 0) > SHORT_BODY_BYTES || Number(query['limit']?.[0] ?? 0) > SHORT_ROWS) return true
  for (const name in query) if (query[name]!.length > SHORT_ITEMS) return true
  return false
}
