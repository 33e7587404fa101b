import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { type Admission, mayShareAnswer, noteAdmission } from './AccessControl.ts'
import { type Call, type CallTrace, newTrace, toAnswered } from './Call.ts'
import { openToPages, requestIdHeader, requestIdOf } from './headers.ts'
import { jsonMediaType, type Service } from './Mount.ts'
import type { KeptAnswer, KnownRequest } from './ResponseCache.ts'
import { frameOf, resultMark } from './reply.ts'

/**
 * Answers a GET that has come before from what is kept, if its answer is: before it is routed or anything of it is read. Tells
 * whether it did, or will, or will hand the request on; one that it did not answer is as it was.
 */
export const answerAtOnce = (
  service: Service,
  request: IncomingMessage,
  response: ServerResponse,
  handOn: RequestListener,
): boolean => {
  const { mount, gate } = service
  const { answers, definition } = mount
  if (answers === undefined || definition.localOnly || request.method !== 'GET') return false
  const known = service.requests.findUrl(request.url ?? '')
  const kept = known && answers.findKept(known.question)
  if (known === undefined || kept === undefined) return false
  if (gate === undefined || known.endpoint.isFree) {
    answer(service, known, kept, request, response, undefined)
    return true
  }
  const enter = (admission: Admission): boolean => {
    noteAdmission(request, admission)
    if (admission.refusal !== undefined || !mayShareAnswer(admission.pool, known.question.lifetime)) return false
    answer(service, known, kept, request, response, admission)
    return true
  }
  const admission = gate.admit(request, definition.prefix)
  if (!(admission instanceof Promise)) return enter(admission)
  void admission.then((late) => enter(late) || handOn(request, response))
  return true
}

const answer = (
  service: Service,
  known: KnownRequest,
  kept: KeptAnswer,
  request: IncomingMessage,
  response: ServerResponse,
  admission: Admission | undefined,
): void => {
  const { definition } = service.mount
  const call = new KeptCall(request, known.endpoint.name)
  call.trace.key = admission?.key
  const frame = known.endpoint.isBare === true ? bare : frameOf(definition.envelope(resultMark, call))
  const headers = flatten(definition.headers?.(call) ?? noHeaders)
  const own = service.isClosing() ? [...headers, 'connection', 'close'] : headers
  send(response, [...own, ...(admission?.headers ?? []), requestIdHeader, call.requestId], frame, kept)
  service.onAnswered?.(toAnswered(definition.prefix, call, 200))
}

const bare = ['', ''] as const

/** Up to this many characters a text is put together faster than it is sent in parts. */
const SHORT = 4096

const send = (
  response: ServerResponse,
  headers: readonly string[],
  [before, after]: readonly [string, string],
  kept: KeptAnswer,
): void => {
  if (kept.text.length <= SHORT) {
    const text = before + kept.text + after
    response.writeHead(200, [...headers, 'content-length', String(Buffer.byteLength(text))]).end(text)
    return
  }
  const { bytes } = kept
  const length = Buffer.byteLength(before) + bytes.length + Buffer.byteLength(after)
  response.writeHead(200, [...headers, 'content-length', String(length)])
  response.write(before)
  response.write(bytes)
  response.end(after)
}

type Headers = { readonly [name: string]: string }

const noHeaders: Headers = {}
const flattened = new WeakMap<Headers, readonly string[]>()

/** Names and values in turn, those that every answer has included. An interface gives the same object each time, as a rule. */
const flatten = (headers: Headers): readonly string[] => {
  let flat = flattened.get(headers)
  if (flat === undefined) {
    flat = Object.entries({ ...openToPages, ...headers, 'content-type': jsonMediaType }).flat()
    flattened.set(headers, flat)
  }
  return flat
}

/** A call whose answer was made before, for one that asked the same: nobody reads its parameters any more. */
class KeptCall implements Call {
  readonly transport = 'get'
  readonly endpoint: string
  readonly query = {}
  readonly body = undefined
  readonly requestId: string
  readonly receivedAt = performance.now()
  readonly trace: CallTrace = newTrace()
  readonly signal = noSignal
  private readonly request: IncomingMessage

  constructor(request: IncomingMessage, endpoint: string) {
    this.request = request
    this.endpoint = endpoint
    this.requestId = requestIdOf(request)
    this.trace.isKept = true
  }

  get headers(): IncomingHttpHeaders {
    return this.request.headers
  }

  get remoteAddress(): string {
    return this.request.socket.remoteAddress ?? ''
  }
}

const noSignal = new AbortController().signal
