import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { findAdmission } from './AccessControl.ts'
import { type Call, CallFacts, type CallTrace, newTrace } from './Call.ts'
import { hasBody } from './Endpoint.ts'
import type { ApiRequest } from './Exchange.ts'
import { DeadlineExceededError } from './errors.ts'
import type { JsonValue } from './json/parseJson.ts'
import type { QueryValues } from './parseArguments.ts'

/** Ends the wait for a response when its time is up or the caller has disconnected. */
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
    // Before the response is sent, `close` means that the caller has disconnected.
    response.once('close', this.abandon)
  }

  /** Aborted at the deadline. Created on first use: most work does not need it, and it is expensive. */
  get signal(): AbortSignal {
    if (this.controller === undefined) {
      this.controller = new AbortController()
      if (this.reason !== undefined) this.controller.abort(this.reason)
    }
    return this.controller.signal
  }

  get isOver(): boolean {
    return this.reason !== undefined
  }

  /** Calls back at the deadline, ten times cheaper than an AbortSignal. Returns the function that unsubscribes. */
  onEnd(leave: () => void): () => void {
    this.leavers ??= new Set()
    const { leavers } = this
    leavers.add(leave)
    return () => leavers.delete(leave)
  }

  /** The outcome of the work, or the deadline error if that comes first. One race at a time. */
  race<T>(work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.reason !== undefined) return reject(this.reason)
      this.reject = reject
      work().then(resolve, reject)
    })
  }

  /** Stops watching: the response is ready. */
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

/** Makes a call of a request. A call without a deadline failed before its work began. */
export const toCall = (
  request: ApiRequest,
  isRpc: boolean,
  endpoint: string | undefined,
  body: JsonValue | undefined,
  deadline: Deadline | undefined,
  isShort = false,
): Call => new HttpCall(request, isRpc, endpoint, body, deadline, isShort)

// A class, because its getter is shared by all calls: an object literal with a getter gets a new hidden class each time, which costs
// more than the rest of a request.
class HttpCall extends CallFacts implements Call {
  readonly trace: CallTrace = newTrace()
  private readonly request: ApiRequest
  private readonly deadline: Deadline | undefined

  constructor(
    request: ApiRequest,
    isRpc: boolean,
    endpoint: string | undefined,
    body: JsonValue | undefined,
    deadline: Deadline | undefined,
    isShort: boolean,
  ) {
    const admission = findAdmission(request.raw)
    super({
      transport: isRpc ? 'rpc' : hasBody(request.method) ? 'post' : 'get',
      endpoint,
      query: request.query as QueryValues,
      body,
      requestId: request.id,
      pool: admission?.pool,
      plan: admission?.plan,
      scopes: admission?.scopes,
      caller: admission?.caller,
      receivedAt: performance.now(),
      isShort,
    })
    this.request = request
    this.deadline = deadline
    this.trace.key = admission?.key
  }

  get headers(): IncomingHttpHeaders {
    return this.request.headers
  }

  get remoteAddress(): string {
    return this.request.socket.remoteAddress ?? ''
  }

  get signal(): AbortSignal {
    return this.deadline?.signal ?? noSignal
  }

  isEnded(): boolean {
    return this.deadline?.isOver === true
  }

  onEnd(leave: () => void): () => void {
    return this.deadline?.onEnd(leave) ?? (() => undefined)
  }
}
