import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { type Call, type CallTrace, newTrace } from './Call.ts'
import { openToPages } from './crossOrigin.ts'
import { restRendering, wrap } from './reply.ts'
import { jsonMediaType, type Service } from './Service.ts'

/**
 * Answers a GET that has come before from what is kept, if its answer is: before it is routed or anything of it is read. Tells
 * whether it did; a request that it did not answer is as it was.
 */
export const answerAtOnce = (service: Service, request: IncomingMessage, response: ServerResponse): boolean => {
  const { mount, requests, isClosing } = service
  const { answers, definition } = mount
  if (answers === undefined || definition.localOnly || request.method !== 'GET') return false
  const known = requests.findUrl(request.url ?? '')
  const kept = known && answers.find(known.question)
  if (known === undefined || kept === undefined) return false
  const call = new KeptCall(request, known.endpoint.name)
  const text = wrap(restRendering(definition, call, known.endpoint), kept)
  const headers = flatten(definition.headers?.(call) ?? noHeaders)
  const length = String(Buffer.byteLength(text))
  response.writeHead(
    200,
    isClosing()
      ? [...headers, 'connection', 'close', 'content-length', length]
      : [...headers, 'content-length', length],
  )
  response.end(text)
  return true
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
