/** Machine-readable error code. */
export type ApiErrorCode =
  | 'bad_request'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'gone'
  | 'rate_limited'
  | 'server_error'
  | 'unavailable'
  | 'unreachable'
  | 'timeout'
  | 'bad_answer'

export type ApiFailure = {
  readonly endpoint: string
  readonly code: ApiErrorCode
  readonly message: string
  /** 0 without a response. */
  readonly status?: number
  readonly retryAfter?: number | undefined
  readonly answer?: unknown
  readonly cause?: unknown
}

/** A failed call: refused by the server, or the server is unreachable. */
export class ApiError extends Error {
  /** As in the path: `getMasterchainInfo`, `jetton/wallets`. */
  readonly endpoint: string
  /** HTTP status; 0 without a response. */
  readonly status: number
  readonly code: ApiErrorCode
  /** Retry-After of the server, in seconds. */
  readonly retryAfter: number | undefined
  /** The JSON response of the server, if any. */
  readonly answer: unknown

  constructor({ endpoint, code, message, status = 0, retryAfter, answer, cause }: ApiFailure) {
    super(message, { cause })
    this.name = 'ApiError'
    this.endpoint = endpoint
    this.status = status
    this.code = code
    this.retryAfter = retryAfter
    this.answer = answer
  }
}

/** Maps an HTTP status to an {@link ApiErrorCode}. */
const codeOfStatus = (status: number): ApiErrorCode => {
  const named = codes.get(status)
  if (named !== undefined) return named
  return status >= 500 ? 'server_error' : 'bad_request'
}

const codes: ReadonlyMap<number, ApiErrorCode> = new Map([
  [401, 'unauthorized'],
  [403, 'forbidden'],
  [404, 'not_found'],
  [410, 'gone'],
  [429, 'rate_limited'],
  [503, 'unavailable'],
])

export type CallOptions = {
  /** Aborts the call, retries included. */
  readonly signal?: AbortSignal
}

// A string, which is skipped, or a whole number.
const tokens = /"(?:[^"\\]|\\.)*"|-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/g
const integer = /^-?[0-9]{16,}$/

/** Parses JSON without losing digits: an integer that does not fit a number becomes a bigint. */
export const parseExactJson = (text: string): unknown => {
  if (!/[0-9]{16}/.test(text)) return JSON.parse(text)
  // A random mark, so that no string of the response starts with it.
  const mark = `${Math.random()}:`
  let isMarked = false
  const marked = text.replace(tokens, (token) => {
    if (!integer.test(token) || Number.isSafeInteger(Number(token))) return token
    isMarked = true
    return `"${mark}${token}"`
  })
  if (!isMarked) return JSON.parse(text)
  return JSON.parse(marked, (_name, value: unknown) =>
    typeof value === 'string' && value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value,
  )
}

/** JSON with bigints as numbers. */
export const stringifyExactJson = (value: unknown): string => {
  const mark = `${Math.random()}:`
  const text = JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'bigint' ? `${mark}${member}` : member,
  )
  return text.includes(mark) ? text.replaceAll(new RegExp(`"${mark}(-?[0-9]+)"`, 'g'), '$1') : text
}

/** Path and methods of an endpoint. */
export type EndpointInfo = {
  readonly endpoint: string
  /** `{hash}` stands for the argument of that name. */
  readonly url: string
  /** Where it is neither GET nor POST. */
  readonly method?: 'PUT' | 'DELETE'
  readonly get: boolean
  readonly post: boolean
  /** The result is the member `result` of the response. */
  readonly isWrapped: boolean
  /** It reads the index: see {@link SeenBlocks}. */
  readonly isIndexed?: boolean
}

/**
 * The newest masterchain block that the client has seen, so that no server answers with an older state. Servers are behind each other
 * by some blocks.
 */
export type SeenBlocks = { seqno: number }

export const noteSeen = (seen: SeenBlocks, seqno: unknown): void => {
  if (Number(seqno) > seen.seqno) seen.seqno = Number(seqno)
}

export type Caller = {
  /** Without it, servers are not told. */
  readonly seen?: SeenBlocks
  readonly fetch: typeof fetch
  readonly apiKey: string | undefined
  readonly timeoutMs: number
  readonly retries: number
  readonly longestWaitMs: number
}

export type Arguments = { readonly [name: string]: unknown }

export type Answer = { readonly result: unknown; readonly nextCursor: string | undefined }

/** Calls an endpoint, with retries. */
export const callEndpoint = async (
  caller: Caller,
  place: EndpointInfo,
  args: Arguments,
  { signal }: CallOptions,
): Promise<Answer> => {
  for (let tries = 0; ; tries++) {
    try {
      return await request(caller, place, args, signal)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const waitMs = 1000 * (error.retryAfter ?? Math.min(2 ** tries, 8))
      if (tries >= caller.retries || !isRetryable(error, place) || waitMs > caller.longestWaitMs) throw error
      await wait(waitMs, signal)
    }
  }
}

// A 429 was not executed. A 503 may have been, so only reads are retried.
const isRetryable = ({ status }: ApiError, { get }: EndpointInfo): boolean => status === 429 || (status === 503 && get)

/** Waits, unless the signal ends it. */
export const wait = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((done, fail) => {
    const end = (): void => {
      clearTimeout(timer)
      fail(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end)
      done()
    }, ms)
    if (signal?.aborted === true) end()
    else signal?.addEventListener('abort', end, { once: true })
  })

const request = async (caller: Caller, place: EndpointInfo, args: Arguments, signal?: AbortSignal): Promise<Answer> => {
  const { endpoint } = place
  const [url, init] = toRequest(place, args)
  const headers = {
    ...init.headers,
    ...(caller.apiKey !== undefined && { 'x-api-key': caller.apiKey }),
    ...(place.isIndexed === true && caller.seen && { 'x-seen-seqno': String(caller.seen.seqno) }),
  }
  const timeout = AbortSignal.timeout(caller.timeoutMs)
  const either = signal === undefined ? timeout : AbortSignal.any([signal, timeout])
  let response: Response
  let text: string
  try {
    response = await caller.fetch(url, { ...init, headers, signal: either })
    text = await response.text()
  } catch (cause) {
    // An abort by the caller is not an ApiError.
    if (signal?.aborted === true) throw signal.reason
    if (timeout.aborted) {
      const message = `${endpoint} timed out after ${caller.timeoutMs} ms.`
      throw new ApiError({ endpoint, code: 'timeout', message, cause })
    }
    throw new ApiError({ endpoint, code: 'unreachable', message: `${url} is unreachable.`, cause })
  }
  if (caller.seen !== undefined) noteSeen(caller.seen, response.headers.get('x-seen-seqno'))
  return readAnswer(place, response, text)
}

/** Longer queries may exceed limits of proxies, so they are sent by POST. */
const LONGEST_QUERY = 4000

const toRequest = (
  { url: template, get, post, method }: EndpointInfo,
  given: Arguments,
): [string, { method: string; headers: object; body?: string }] => {
  const [url, args] = fillPath(template, given)
  if (method === 'DELETE') return [url, { method, headers: { accept: 'application/json' } }]
  const query = get ? formatQuery(args) : ''
  if (get && (!post || query.length <= LONGEST_QUERY)) {
    return [query === '' ? url : `${url}?${query}`, { method: 'GET', headers: { accept: 'application/json' } }]
  }
  const headers = { accept: 'application/json', 'content-type': 'application/json' }
  return [url, { method: method ?? 'POST', headers, body: stringifyExactJson(args) }]
}

/** Arguments that the path has are left out of the rest. */
const fillPath = (template: string, given: Arguments): [url: string, rest: Arguments] => {
  if (!template.includes('{')) return [template, given]
  const rest: Record<string, unknown> = { ...given }
  const url = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    delete rest[name]
    return encodeURIComponent(String(given[name]))
  })
  return [url, rest]
}

const formatQuery = (args: Arguments): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(args)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== undefined && each !== null) query.append(name, String(each))
    }
  }
  return query.toString()
}

const readAnswer = ({ endpoint, isWrapped }: EndpointInfo, response: Response, text: string): Answer => {
  if (!response.ok) throw toApiError(endpoint, response, text)
  let answer: unknown
  try {
    answer = parseExactJson(text)
  } catch (cause) {
    const message = `The response to ${endpoint} is not JSON.`
    throw new ApiError({ endpoint, status: response.status, code: 'bad_answer', message, cause })
  }
  const result = isWrapped ? (answer as { readonly result: unknown }).result : answer
  return { result, nextCursor: response.headers.get('x-next-cursor') ?? undefined }
}

/** The error of a response with an error status. */
export const toApiError = (endpoint: string, { status, headers }: Response, text: string): ApiError => {
  let answer: unknown
  try {
    answer = JSON.parse(text)
  } catch {
    // A proxy may answer in HTML.
  }
  const said = sayingOf(answer) ?? `status ${status}`
  const retryAfter = readSeconds(headers.get('retry-after'))
  return new ApiError({
    endpoint,
    status,
    code: codeOfStatus(status),
    message: `${endpoint}: ${said}`,
    retryAfter,
    answer,
  })
}

const sayingOf = (answer: unknown): string | undefined =>
  typeof answer === 'object' && answer !== null && 'error' in answer && typeof answer.error === 'string'
    ? answer.error
    : undefined

/** A number of seconds, or a date. */
const readSeconds = (text: string | null): number | undefined => {
  if (text === null) return undefined
  const seconds = /^[0-9]{1,9}$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}

/** The method name of an endpoint: `jetton/wallets` → `jettonWallets`. */
export const toCallName = (endpoint: string): string =>
  endpoint.replace(/\/(.)/g, (_slash, letter: string) => letter.toUpperCase())
