import { AskError } from './AskError.ts'

export type Answer = { readonly body: unknown; readonly headers: Headers }

export type Arguments = { readonly [name: string]: unknown }

export type AskOptions = {
  readonly method?: 'GET' | 'POST'
  readonly signal?: AbortSignal | undefined
  readonly headers?: { readonly [name: string]: string }
}

const TIMEOUT_MS = 20_000

/** Asks our own server, and nobody else: every path begins with a slash. */
export const askServer = async (
  path: `/${string}`,
  args: Arguments,
  { method = 'GET', signal, headers = {} }: AskOptions = {},
): Promise<Answer> => {
  const limit = AbortSignal.timeout(TIMEOUT_MS)
  const init: RequestInit = {
    method,
    signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    headers: method === 'POST' ? { ...headers, 'content-type': 'application/json' } : headers,
    ...(method === 'POST' && { body: JSON.stringify(args) }),
  }
  const url = method === 'POST' ? path : `${path}${formatQuery(args)}`
  const response = await fetch(url, init).catch((error: unknown) => {
    if (signal?.aborted === true) throw error
    throw new AskError('The server does not answer.', 0)
  })
  const body: unknown = await response.json().catch(() => undefined)
  if (!response.ok) throw new AskError(describe(body, response.status), response.status, readRetryAfter(response))
  return { body, headers: response.headers }
}

const formatQuery = (args: Arguments): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(args)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== undefined && each !== null) query.append(name, String(each))
    }
  }
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}

const describe = (body: unknown, status: number): string => {
  if (status === 429) return 'Too many questions in a short time. Asking again more slowly.'
  if (typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'string') {
    const said = body.error
    return said === '' ? `The server answered with status ${status}.` : said[0]!.toUpperCase() + said.slice(1)
  }
  return `The server answered with status ${status}.`
}

const readRetryAfter = (response: Response): number | undefined => {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  return seconds >= 0 ? 1000 * seconds : undefined
}
