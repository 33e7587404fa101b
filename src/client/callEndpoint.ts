import { ApiError, codeOfStatus } from './ApiError.ts'
import type { CallOptions } from './Calls.ts'
import { parseExactJson, stringifyExactJson } from './parseExactJson.ts'

/** Where an endpoint is, and by which methods. */
export type Place = {
  readonly endpoint: string
  readonly url: string
  readonly get: boolean
  readonly post: boolean
  /** The result is the member `result` of the answer. */
  readonly isWrapped: boolean
}

export type Caller = {
  readonly fetch: typeof fetch
  readonly apiKey: string | undefined
  readonly timeoutMs: number
  readonly retries: number
  readonly longestWaitMs: number
}

export type Arguments = { readonly [name: string]: unknown }

export type Answer = { readonly result: unknown; readonly nextCursor: string | undefined }

/** Asks until there is an answer, or nothing more is to be tried. */
export const callEndpoint = async (
  caller: Caller,
  place: Place,
  args: Arguments,
  { signal }: CallOptions,
): Promise<Answer> => {
  for (let tries = 0; ; tries++) {
    try {
      return await ask(caller, place, args, signal)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const waitMs = 1000 * (error.retryAfter ?? Math.min(2 ** tries, 8))
      if (tries >= caller.retries || !isWorthAnotherTry(error, place) || waitMs > caller.longestWaitMs) throw error
      await wait(waitMs, signal)
    }
  }
}

// What was refused for its rate was not done. What was answered with 503 may have been, so only questions are repeated.
const isWorthAnotherTry = ({ status }: ApiError, { get }: Place): boolean => status === 429 || (status === 503 && get)

const wait = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
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

const ask = async (caller: Caller, place: Place, args: Arguments, signal?: AbortSignal): Promise<Answer> => {
  const { endpoint } = place
  const [url, init] = toRequest(place, args)
  const headers = { ...init.headers, ...(caller.apiKey !== undefined && { 'x-api-key': caller.apiKey }) }
  const timeout = AbortSignal.timeout(caller.timeoutMs)
  const either = signal === undefined ? timeout : AbortSignal.any([signal, timeout])
  let response: Response
  let text: string
  try {
    response = await caller.fetch(url, { ...init, headers, signal: either })
    text = await response.text()
  } catch (cause) {
    // The caller's own wish is no failure of the call.
    if (signal?.aborted === true) throw signal.reason
    if (timeout.aborted) {
      const message = `${endpoint} was not answered within ${caller.timeoutMs} ms.`
      throw new ApiError({ endpoint, code: 'timeout', message, cause })
    }
    throw new ApiError({ endpoint, code: 'unreachable', message: `${url} cannot be reached.`, cause })
  }
  return readAnswer(place, response, text)
}

/** A longer query may be too long for what stands between here and the server. */
const LONGEST_QUERY = 4000

const toRequest = (
  { url, get, post }: Place,
  args: Arguments,
): [string, { method: string; headers: object; body?: string }] => {
  const query = get ? formatQuery(args) : ''
  if (get && (!post || query.length <= LONGEST_QUERY)) {
    return [query === '' ? url : `${url}?${query}`, { method: 'GET', headers: { accept: 'application/json' } }]
  }
  const headers = { accept: 'application/json', 'content-type': 'application/json' }
  return [url, { method: 'POST', headers, body: stringifyExactJson(args) }]
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

const readAnswer = ({ endpoint, isWrapped }: Place, response: Response, text: string): Answer => {
  const { status, headers } = response
  let answer: unknown
  try {
    answer = parseExactJson(text)
  } catch (cause) {
    if (response.ok) {
      throw new ApiError({
        endpoint,
        status,
        code: 'bad_answer',
        message: `${endpoint} was not answered with JSON.`,
        cause,
      })
    }
  }
  if (response.ok) {
    const result = isWrapped ? (answer as { readonly result: unknown }).result : answer
    return { result, nextCursor: headers.get('x-next-cursor') ?? undefined }
  }
  const said = sayingOf(answer) ?? `status ${status}`
  const retryAfter = readSeconds(headers.get('retry-after'))
  throw new ApiError({
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
