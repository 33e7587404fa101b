import { LruCache } from '../../primitives/LruCache.ts'
import { type Flight, SingleFlight } from '../../primitives/SingleFlight.ts'
import { onAbort } from '../../primitives/scheduling.ts'
import { type CacheKey, type Call, CallFacts, type CallTrace, newTrace } from './Call.ts'
import type { Endpoint } from './Endpoint.ts'
import type { ApiRequest } from './Exchange.ts'
import { isJsonObject, type JsonObject, type JsonValue } from './json/parseJson.ts'
import type { QueryValues } from './parseArguments.ts'

/** A response in the making, shared by all callers that wait for it. */
type Making = { readonly result: Promise<string>; readonly trace: CallTrace }

export type ResponseCacheOptions = {
  readonly maxBytes: number
  /** The seqno that responses with lifetime `head` depend on; `undefined` if it is unknown. */
  readonly findHeadSeqno: () => number | undefined
}

/** The cached JSON of a result. */
export class CachedResponse {
  readonly text: string
  private encoded: Buffer | undefined

  constructor(text: string) {
    this.text = text
  }

  /** The JSON as UTF-8, encoded on first use. */
  get bytes(): Buffer {
    this.encoded ??= Buffer.from(this.text)
    return this.encoded
  }
}

/** The call of a response that several callers may wait for: it ends when the last of them has left. */
class SharedCall extends CallFacts implements Call {
  readonly trace: CallTrace
  private readonly first: Call
  private readonly flight: Flight<Making>

  constructor(first: Call, flight: Flight<Making>, trace: CallTrace) {
    super(first)
    this.trace = trace
    this.first = first
    this.flight = flight
  }

  get headers(): Call['headers'] {
    return this.first.headers
  }

  get remoteAddress(): string {
    return this.first.remoteAddress
  }

  /** Created on first use: most work does not need it, and it is expensive. */
  get signal(): AbortSignal {
    return this.flight.signal
  }

  isEnded(): boolean {
    return this.flight.isLeft
  }
}

/** Caches responses while they are valid; concurrent callers of the same response share one computation. */
export class ResponseCache {
  /** Responses that never change, and responses about the newest block, which are dropped when it changes. */
  private readonly lasting: LruCache<CachedResponse>
  private readonly passing: LruCache<CachedResponse>
  private passingSeqno: number | undefined
  private readonly making = new SingleFlight<Making>()
  private readonly findHeadSeqno: () => number | undefined

  constructor({ maxBytes, findHeadSeqno }: ResponseCacheOptions) {
    this.lasting = new LruCache(maxBytes / 2)
    this.passing = new LruCache(maxBytes / 2)
    this.findHeadSeqno = findHeadSeqno
  }

  /** The JSON of a cached result. */
  find(cacheKey: CacheKey): string | undefined {
    return this.findCached(cacheKey)?.text
  }

  findCached({ lifetime, text }: CacheKey): CachedResponse | undefined {
    if (lifetime === 'forever') return this.lasting.find(text)
    return this.takeHead() === undefined ? undefined : this.passing.find(text)
  }

  /** The cached JSON of a result, or the one that `make` returns. */
  async get(cacheKey: CacheKey, call: Call, make: (call: Call) => Promise<string>): Promise<string> {
    const kept = this.find(cacheKey)
    if (kept !== undefined) {
      call.trace.isCached = true
      return kept
    }
    const key = this.findKey(cacheKey)
    // The newest block is unknown, so the response cannot be cached.
    if (key === undefined) return make(call)
    const flight = this.making.join(key, (own) => this.start(own, key, cacheKey, call, make))
    const { result, trace } = flight.work
    const stay = watchEnd(call, () => this.making.leave(key, flight, call.signal.reason))
    try {
      return await result
    } finally {
      stay()
      call.trace.nodes = trace.nodes
      call.trace.isCached = trace.isCached
    }
  }

  /** Drops all responses, including those in the making. */
  clear(): void {
    this.lasting.clear()
    this.passing.clear()
    this.making.clear()
  }

  private start(
    flight: Flight<Making>,
    key: string,
    cacheKey: CacheKey,
    call: Call,
    make: (call: Call) => Promise<string>,
  ): Making {
    const trace = newTrace()
    const result = make(new SharedCall(call, flight, trace))
    result.then(
      (made) => {
        if (this.making.isCurrent(key, flight)) this.keep(key, cacheKey, made)
      },
      () => undefined,
    )
    return { result, trace }
  }

  private keep(key: string, cacheKey: CacheKey, made: string): void {
    // The head may have moved meanwhile.
    if (this.findKey(cacheKey) !== key) return
    const cache = cacheKey.lifetime === 'forever' ? this.lasting : this.passing
    cache.set(cacheKey.text, new CachedResponse(made), bytesOf(cacheKey.text) + bytesOf(made))
  }

  /** The key of a response in the making. */
  private findKey({ lifetime, text }: CacheKey): string | undefined {
    if (lifetime === 'forever') return text
    const seqno = this.takeHead()
    return seqno === undefined ? undefined : `${seqno} ${text}`
  }

  /** The newest seqno; drops responses about the previous one. */
  private takeHead(): number | undefined {
    const seqno = this.findHeadSeqno()
    if (seqno !== undefined && seqno !== this.passingSeqno) {
      this.passing.clear()
      this.passingSeqno = seqno
    }
    return seqno
  }
}

/** Calls `leave` when the caller stops waiting. Returns the function that unsubscribes. */
const watchEnd = (call: Call, leave: () => void): (() => void) => {
  if (call.onEnd !== undefined) return call.onEnd(leave)
  return onAbort(call.signal, leave)
}

/** At most two bytes per character, plus the overhead of an entry. */
const bytesOf = (text: string): number => 2 * text.length + 100

/** A request seen before, resolved to its endpoint and cache key. */
export type CachedRequest = {
  readonly endpoint: Endpoint
  readonly cacheKey: CacheKey
  /** The id of a JSON-RPC request. */
  readonly id: JsonValue | undefined
}

const maxBytes = 16 * 1024 * 1024
const maxBodyBytes = 2048
const rpcMembers = new Set(['jsonrpc', 'id', 'method', 'params'])

/**
 * Maps the raw bytes of requests to cache keys, so that a repeated request is answered without parsing it. Only requests that
 * contain nothing but parameters are remembered, and only from the second on: many are made once.
 */
export class CachedRequests {
  private readonly known = new LruCache<CachedRequest>(maxBytes)

  find(request: ApiRequest): CachedRequest | undefined {
    const key = keyOf(request)
    return key === undefined ? undefined : this.known.find(key)
  }

  /** Finds a GET by its path and query. */
  findUrl(url: string): CachedRequest | undefined {
    return this.known.find(url)
  }

  remember(request: ApiRequest, endpoint: Endpoint, { trace, query, body, transport }: Call): void {
    const { cacheKey } = trace
    const key = cacheKey && keyOf(request)
    if (cacheKey === undefined || key === undefined || !saysOnly(endpoint, query, body, transport === 'rpc')) return
    const id = transport === 'rpc' ? (body as JsonObject)['id'] : undefined
    this.known.set(key, { endpoint, cacheKey, id }, 2 * key.length + 300)
  }
}

const keyOf = ({ method, url, body }: ApiRequest): string | undefined => {
  if (method === 'GET') return url
  if (!(body instanceof Uint8Array) || body.length > maxBodyBytes) return undefined
  return `${url} ${Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1')}`
}

const saysOnly = ({ params }: Endpoint, query: QueryValues, body: JsonValue | undefined, isRpc: boolean): boolean => {
  const areParams = (names: readonly string[]): boolean => names.every((name) => Object.hasOwn(params, name))
  if (!areParams(Object.keys(query))) return false
  if (body === undefined || !isJsonObject(body)) return body === undefined
  if (!isRpc) return areParams(Object.keys(body))
  const { params: args } = body
  return (
    Object.keys(body).every((name) => rpcMembers.has(name)) && (!isJsonObject(args) || areParams(Object.keys(args)))
  )
}
