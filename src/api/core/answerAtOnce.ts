import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { KeptAnswer } from './Answers.ts'
import { type Call, type CallTrace, newTrace } from './Call.ts'
import { openToPages } from './crossOrigin.ts'
import { frameOf, resultMark } from './reply.ts'
import { jsonMediaType, type Service } from './Service.ts'

/**
 * Answers a GET that has come before from what is kept, if its answer is: before it is routed or anything of it is read. Tells
 * whether it did; a request that it did not answer is as it was.
 */
export const answerAtOnce = (service: Service, request: IncomingMessage, response: ServerResponse): boolean => {
  const { answers, definition } = service.mount
  if (answers === undefined || definition.localOnly || request.method !== 'GET') return false
  const known = service.requests.findUrl(request.url ?? '')
  const kept = known && answers.findKept(known.question)
  if (known === undefined || kept === undefined) return false
  const call = new KeptCall(request, known.endpoint.name)
  const frame = known.endpoint.isBare === true ? bare : frameOf(definition.envelope(resultMark, call))
  const headers = flatten(definition.headers?.(call) ?? noHeaders)
  send(response, service.isClosing() ? [...headers, 'connection', 'close'] : headers, frame, kept)
  return true
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
  readonly receivedAt = performance.now()
  readonly trace: CallTrace = newTrace()
  readonly signal = noSignal
  private readonly request: IncomingMessage

  constructor(request: IncomingMessage, endpoint: string) {
    this.request = request
    this.endpoint = endpoint
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
