import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { type Call, type CallTrace, newTrace } from './Call.ts'
import type { Deadline } from './Deadline.ts'
import { findAdmission } from './Gate.ts'
import type { JsonValue } from './json/JsonValue.ts'
import type { QueryValues } from './parseQuery.ts'

const noSignal = new AbortController().signal

/** A request as a call. Without a deadline there is nothing to wait for: it failed before its work began. */
export const toCall = (
  request: FastifyRequest,
  isRpc: boolean,
  endpoint: string | undefined,
  body: JsonValue | undefined,
  deadline: Deadline | undefined,
): Call => new HttpCall(request, isRpc, endpoint, body, deadline)

// A class, because its getter is one for all calls. A literal with a getter has a shape of its own each time, which costs more
// than the rest of a request.
class HttpCall implements Call {
  readonly transport: Call['transport']
  readonly endpoint: string | undefined
  readonly query: QueryValues
  readonly body: JsonValue | undefined
  readonly headers: IncomingHttpHeaders
  readonly remoteAddress: string
  readonly requestId: string
  readonly pool: string | undefined
  readonly receivedAt = performance.now()
  readonly trace: CallTrace = newTrace()
  private readonly deadline: Deadline | undefined

  constructor(
    request: FastifyRequest,
    isRpc: boolean,
    endpoint: string | undefined,
    body: JsonValue | undefined,
    deadline: Deadline | undefined,
  ) {
    this.transport = isRpc ? 'rpc' : request.method === 'POST' ? 'post' : 'get'
    this.endpoint = endpoint
    this.query = request.query as QueryValues
    this.body = body
    this.headers = request.headers
    this.remoteAddress = request.socket.remoteAddress ?? ''
    this.requestId = request.id
    this.deadline = deadline
    const admission = findAdmission(request.raw)
    this.pool = admission?.pool
    this.trace.key = admission?.key
  }

  get signal(): AbortSignal {
    return this.deadline?.signal ?? noSignal
  }

  onEnd(leave: () => void): () => void {
    return this.deadline?.onEnd(leave) ?? (() => undefined)
  }
}
