import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { findAdmission } from './AccessControl.ts'
import { type Call, type CallTrace, newTrace } from './Call.ts'
import { DeadlineExceededError } from './errors.ts'
import type { JsonValue } from './json/parseJson.ts'
import type { QueryValues } from './parseArguments.ts'

/** The end of waiting for an answer: its time is up, or nobody is there any more to get it. */
export class Deadline {
  private readonly timeoutMs: number
  private readonly response: ServerResponse
  private readonly timer: NodeJS.Timeout
  private reason: DeadlineExceededError | undefined
  private reject: ((reason: unknown) => void) | undefined
  private controller: AbortController | undefined
  private leavers: Set<() => void> | undefined

  constructor(timeoutMs: number, response: ServerResponse) {
    this.timeoutMs = timeoutMs
    this.response = response
    this.timer = setTimeout(this.abandon, timeoutMs)
    // Before the answer has been made, this means that the caller has gone.
    response.once('close', this.abandon)
  }

  /** Aborted at the end. It is made when it is first asked for: most work has no use for it, and it is not cheap. */
  get signal(): AbortSignal {
    if (this.controller === undefined) {
      this.controller = new AbortController()
      if (this.reason !== undefined) this.controller.abort(this.reason)
    }
    return this.controller.signal
  }

  /** Calls back at the end, as the signal would for a tenth of its price. What it returns takes that back. */
  onEnd(leave: () => void): () => void {
    this.leavers ??= new Set()
    const { leavers } = this
    leavers.add(leave)
    return () => leavers.delete(leave)
  }

  /** The outcome of the work, unless the end comes first; then it is no longer waited for. One at a time. */
  race<T>(work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.reason !== undefined) return reject(this.reason)
      this.reject = reject
      work().then(resolve, reject)
    })
  }

  /** The answer is made: nothing is to be watched any more. */
  end(): void {
    clearTimeout(this.timer)
    this.response.off('close', this.abandon)
  }

  private readonly abandon = (): void => {
    this.reason ??= new DeadlineExceededError(this.timeoutMs)
    this.controller?.abort(this.reason)
    for (const leave of this.leavers ?? []) leave()
    this.reject?.(this.reason)
  }
}

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
