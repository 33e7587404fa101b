import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { type Admission, mayShareResponse, noteAdmission } from './AccessControl.ts'
import { type Call, type CallTrace, newTrace, toAnswered } from './Call.ts'
import { corsHeaders, requestIdHeader, requestIdOf } from './headers.ts'
import { jsonMediaType, type Service } from './Mount.ts'
import type { CachedRequest, CachedResponse } from './ResponseCache.ts'
import { frameOf, resultMark } from './reply.ts'

/**
 * Answers a GET from the response cache, before routing and parsing. Returns false if the request must be routed as usual; true if
 * it was answered, or will be answered or routed once access control has decided.
 */
export const answerFromCache = (
  service: Service,
  request: IncomingMessage,
  response: ServerResponse,
  handOn: RequestListener,
): boolean => {
  const { mount, accessControl } = service
  const { responseCache, definition } = mount
  if (responseCache === undefined || definition.localOnly || request.method !== 'GET') return false
  const known = service.cachedRequests.findUrl(request.url ?? '')
  const kept = known && responseCache.findCached(known.cacheKey)
  if (known === undefined || kept === undefined) return false
  if (accessControl === undefined || known.endpoint.isFree) {
    answer(service, known, kept, request, response, undefined)
    return true
  }
  const enter = (admission: Admission): boolean => {
    noteAdmission(request, admission)
    if (admission.refusal !== undefined || !mayShareResponse(admission.pool, known.cacheKey.lifetime)) return false
    answer(service, known, kept, request, response, admission)
    return true
  }
  const admission = accessControl.admit(request, definition.prefix)
  if (!(admission instanceof Promise)) return enter(admission)
  void admission.then((late) => enter(late) || handOn(request, response))
  return true
}

const answer = (
  service: Service,
  known: CachedRequest,
  kept: CachedResponse,
  request: IncomingMessage,
  response: ServerResponse,
  admission: Admission | undefined,
): void => {
  const { definition } = service.mount
  const call = new CachedCall(request, known.endpoint.name)
  call.trace.key = admission?.key
  const frame = known.endpoint.isBare === true ? bare : frameOf(definition.envelope(resultMark, call))
  const headers = flatten(definition.headers?.(call) ?? noHeaders)
  const own = service.isClosing() ? [...headers, 'connection', 'close'] : headers
  send(response, [...own, ...(admission?.headers ?? []), requestIdHeader, call.requestId], frame, kept)
  service.onAnswered?.(toAnswered(definition.prefix, call, 200))
}

const bare = ['', ''] as const

/** Up to this many characters, one concatenated write is faster than several writes. */
const SHORT = 4096

const send = (
  response: ServerResponse,
  headers: readonly string[],
  [before, after]: readonly [string, string],
  kept: CachedResponse,
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

/** Header names and values in turn, common headers included. Cached per object: an interface usually passes the same one. */
const flatten = (headers: Headers): readonly string[] => {
  let flat = flattened.get(headers)
  if (flat === undefined) {
    flat = Object.entries({ ...corsHeaders, ...headers, 'content-type': jsonMediaType }).flat()
    flattened.set(headers, flat)
  }
  return flat
}

/** A call that is answered from the cache: its parameters are not parsed. */
class CachedCall implements Call {
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
    this.trace.isCached = true
  }

  get headers(): IncomingHttpHeaders {
    return this.request.headers
  }

  get remoteAddress(): string {
    return this.request.socket.remoteAddress ?? ''
  }
}

const noSignal = new AbortController().signal
