import type { ClientOf } from '../../api/core/Interface.ts'
import type { debug } from '../../api/debug/index.ts'
import type { dev } from '../../api/dev/index.ts'
import type { emulateApi } from '../../api/emulate/index.ts'
import type { v2 } from '../../api/v2/index.ts'
import type { v3 } from '../../api/v3/index.ts'
import { noteSeen, type SeenBlocks } from '../../client/callEndpoint.ts'
import { learnAddresses } from '../model/addressBook.ts'
import { setup } from '../setup.ts'

/** A failed request: no response, or an error status. */
export class RequestError extends Error {
  /** 0 without a response. */
  readonly status: number
  /** Retry-After of the server. */
  readonly retryAfterMs: number | undefined
  /** Machine-readable code of the error, where the interface has one. */
  readonly code: string | undefined

  constructor(message: string, status: number, retryAfterMs?: number, code?: string) {
    super(message)
    this.name = 'AskError'
    this.status = status
    this.retryAfterMs = retryAfterMs
    this.code = code
  }

  get isAbsence(): boolean {
    return this.status === 404
  }
}

export type Answer = { readonly body: unknown; readonly headers: Headers }

type Arguments = { readonly [name: string]: unknown }

export type RequestOptions = {
  readonly method?: 'GET' | 'POST' | 'DELETE'
  readonly signal?: AbortSignal | undefined
  readonly headers?: { readonly [name: string]: string }
  readonly timeoutMs?: number
}

const TIMEOUT_MS = 20_000

/** Sends a request to our own server: every path begins with a slash. */
export const callServer = async (
  path: `/${string}`,
  args: Arguments,
  { method = 'GET', signal, headers = {}, timeoutMs = TIMEOUT_MS }: RequestOptions = {},
): Promise<Answer> => {
  const limit = AbortSignal.timeout(timeoutMs)
  const init: RequestInit = {
    method,
    signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    headers: method === 'POST' ? { ...headers, 'content-type': 'application/json' } : headers,
    ...(method === 'POST' && { body: JSON.stringify(args) }),
  }
  const url = `${setup.base}${path}${method === 'POST' ? '' : formatQuery(args)}`
  const response = await fetch(url, init).catch((error: unknown) => {
    if (signal?.aborted === true) throw error
    throw new RequestError('The server is not responding.', 0)
  })
  const body: unknown = await response.json().catch(() => undefined)
  if (!response.ok) {
    const { status } = response
    throw new RequestError(describe(body, status), status, readRetryAfter(response), readCode(body))
  }
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
  if (status === 429) return 'Rate limit exceeded. Retrying more slowly.'
  if (typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'string') {
    const said = body.error
    return said === '' ? `The server answered with status ${status}.` : said[0]!.toUpperCase() + said.slice(1)
  }
  return `The server answered with status ${status}.`
}

const readCode = (body: unknown): string | undefined =>
  typeof body === 'object' && body !== null && 'code' in body && typeof body.code === 'string' ? body.code : undefined

const readRetryAfter = (response: Response): number | undefined => {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  return seconds >= 0 ? 1000 * seconds : undefined
}

type V2 = ClientOf<typeof v2>

export type V2Result<N extends keyof V2> = Awaited<ReturnType<V2[N]>>

const v2Posts: ReadonlySet<string> = new Set(['runGetMethod', 'runGetMethodStd', 'sendBocReturnHash'])

/** Calls the v2 interface. */
export const callV2 = async <N extends keyof V2>(
  name: N,
  args: NonNullable<Parameters<V2[N]>[0]>,
  signal?: AbortSignal,
): Promise<V2Result<N>> => {
  const method = v2Posts.has(name) ? 'POST' : 'GET'
  const { body } = await callServer(`/api/v2/${name}`, args as Arguments, { method, signal })
  return (body as { readonly result: V2Result<N> }).result
}

type V3 = ClientOf<typeof v3>

/** What an endpoint of the indexed interface answers. */
export type V3Result<N extends keyof V3> = Awaited<ReturnType<V3[N]>>
export type V3Arguments<N extends keyof V3> = NonNullable<Parameters<V3[N]>[0]>

export type V3Answer<N extends keyof V3> = {
  readonly result: V3Result<N>
  /** Goes on after this page; absent where it is the last. */
  readonly cursor: string | undefined
  /** The newest block in the index. */
  readonly seqno: number | undefined
  /** How old that block is. */
  readonly lagMs: number | undefined
}

const v3Posts: ReadonlySet<string> = new Set(['runGetMethod', 'message'])

/** What this window has shown: behind a load balancer the next request may reach a server whose index is some blocks behind. */
export const seenBlocks: SeenBlocks = { seqno: 0 }

const callIndex = async (path: `/${string}`, args: Arguments, options: RequestOptions): Promise<Answer> => {
  const { seqno } = seenBlocks
  try {
    const answer = await callServer(path, args, { ...options, headers: { 'x-seen-seqno': String(seqno) } })
    noteSeen(seenBlocks, answer.headers.get('x-seen-seqno'))
    return answer
  } catch (error) {
    if (seqno === 0 || !(error instanceof RequestError && error.status === 503)) throw error
    // No server has the block, for instance since the network began anew: what there is is better than nothing.
    seenBlocks.seqno = 0
    return callIndex(path, args, options)
  }
}

export const callV3 = async <N extends keyof V3>(
  name: N,
  args: V3Arguments<N>,
  signal?: AbortSignal,
): Promise<V3Answer<N>> => {
  const method = v3Posts.has(name) ? 'POST' : 'GET'
  const { body, headers } = await callIndex(`/api/v3/${name}`, args as Arguments, { method, signal })
  const result = body as V3Result<N>
  learnAddresses(result)
  return {
    result,
    cursor: headers.get('x-next-cursor') ?? undefined,
    seqno: readNumber(headers.get('x-indexed-seqno')),
    lagMs: readNumber(headers.get('x-indexed-lag-ms')),
  }
}

const readNumber = (text: string | null): number | undefined => (text === null ? undefined : Number(text))

type Debug = ClientOf<typeof debug>
type DebugArguments<N extends keyof Debug> = NonNullable<Parameters<Debug[N]>[0]>
type DebugResult<N extends keyof Debug> = Awaited<ReturnType<Debug[N]>>

/** The server ends a replay after 30 seconds; what it says then should arrive. */
const REPLAY_TIMEOUT_MS = 40_000

/** Replays a transaction. */
export const callReplay = async (
  args: DebugArguments<'transaction'>,
  signal: AbortSignal,
): Promise<DebugResult<'transaction'>> => {
  const options = { method: 'POST', signal, timeoutMs: REPLAY_TIMEOUT_MS } as const
  const { body } = await callServer('/api/debug/v1/transaction', args as Arguments, options)
  return body as DebugResult<'transaction'>
}

/** Steps of a transaction that was replayed a short time ago. */
export const callSteps = async (
  { hash, ...args }: DebugArguments<'transactionSteps'>,
  signal: AbortSignal,
): Promise<DebugResult<'transactionSteps'>> => {
  const options = { signal, timeoutMs: REPLAY_TIMEOUT_MS }
  const path = `/api/debug/v1/transaction/${encodeURIComponent(hash)}/steps` as const
  return (await callServer(path, args as Arguments, options)).body as DebugResult<'transactionSteps'>
}

type Emulate = ClientOf<typeof emulateApi>

type EmulateResult<N extends keyof Emulate> = Awaited<ReturnType<Emulate[N]>>

/** Calls the emulation interface. Nothing is sent. */
export const callEmulate = async <N extends keyof Emulate>(
  name: N,
  args: NonNullable<Parameters<Emulate[N]>[0]>,
  signal?: AbortSignal,
): Promise<EmulateResult<N>> => {
  const { body } = await callServer(`/api/emulate/v1/${name}`, args as Arguments, { method: 'POST', signal })
  learnAddresses(body)
  return body as EmulateResult<N>
}

type Controls = ClientOf<typeof dev>

const read: ReadonlySet<string> = new Set(['status', 'log'])

/** Asks the controls of the embedded network, or has them do something. */
export const callControls = async <N extends keyof Controls>(
  name: N,
  args: NonNullable<Parameters<Controls[N]>[0]>,
  signal?: AbortSignal,
): Promise<Awaited<ReturnType<Controls[N]>>> => {
  const method = read.has(name) ? 'GET' : 'POST'
  const ask = () => callServer(`/dev/${name}`, args as Arguments, { method, signal, headers: tokenHeaders() })
  const { body } = await ask().catch((error: unknown) => {
    // Only where somebody has pressed a button, and not each time that a page looks.
    if (!(error instanceof RequestError && error.status === 401 && method === 'POST' && enterToken())) throw error
    return ask()
  })
  return (body as { readonly result: Awaited<ReturnType<Controls[N]>> }).result
}

/** Where a service is open to other machines, its controls need a token. It is kept for as long as the window is open. */
const TOKEN_KEY = 'chaincenter.controlsToken'

const tokenHeaders = (): { readonly [name: string]: string } => {
  const token = sessionStorage.getItem(TOKEN_KEY)
  return token === null ? {} : { authorization: `Bearer ${token}` }
}

/** Whether somebody has entered one. */
const enterToken = (): boolean => {
  const token = window.prompt('The controls of this network need their token (--controls-token):')?.trim()
  if (token === undefined || !/^[\x21-\x7e]+$/.test(token)) return false
  sessionStorage.setItem(TOKEN_KEY, token)
  return true
}
