import { lookup } from 'node:dns/promises'
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { FetchRules } from '../metadata/fetch/FetchRules.ts'
import { hostOf, portOf } from '../metadata/fetch/parseTarget.ts'
import { findAddresses, parseRetryAfter, requestAt, untilAborted } from '../metadata/fetch/safeRequest.ts'
import { isGlobalAddress } from '../metadata/isGlobalAddress.ts'
import { onAbort } from '../primitives/scheduling.ts'
import { WebhookRefusedError } from './errors.ts'

/** Exceptions from the rules, for development: plain HTTP, this machine, private networks, literal addresses, any port. */
export const exceptions = ['http', 'loopback', 'private', 'literal', 'ports'] as const
export type Exception = (typeof exceptions)[number]

/** Where requests may go. */
export type CallOutRules = Pick<FetchRules, 'resolve' | 'ca'> & {
  readonly allow: ReadonlySet<Exception>
  /** Names, addresses and ports that this service listens on. */
  readonly own: {
    readonly names: readonly string[]
    readonly addresses: readonly string[]
    readonly ports: readonly number[]
  }
  readonly limits: CallOutLimits
}

export type CallOutLimits = {
  /** Connect timeout, TLS included. */
  readonly connectMs: number
  /** Total timeout: DNS, connection, request and response. */
  readonly totalMs: number
  /** Maximum bytes of a response that are read. */
  readonly maxBytes: number
}

export const callOutLimits: CallOutLimits = { connectMs: 5000, totalMs: 15_000, maxBytes: 65_536 }

const MAX_URL_LENGTH = 2048
const LEAST_FREE_PORT = 1024

// Databases, queues and control planes, some of which would interpret a request.
const refusedPorts: readonly number[] = [
  ...[1433, 1521, 2049, 2181, 2375, 2376, 2379, 2380, 3306, 3389, 4369, 5432, 5672, 5984, 6000, 6379, 6443, 7001],
  ...[8086, 8500, 9042, 9092, 9200, 9300, 10_250, 11_211, 15_672, 26_379, 27_017, 28_017],
]

/** Parses the URL of an endpoint; throws if it is not allowed. */
export const parseWebhookUrl = (text: string, { allow, own }: Pick<CallOutRules, 'allow' | 'own'>): URL => {
  const refuse = (message: string): never => {
    throw new WebhookRefusedError(message)
  }
  if (text.length > MAX_URL_LENGTH || !URL.canParse(text)) {
    return refuse(`Expected a URL of at most ${MAX_URL_LENGTH} characters, got ${JSON.stringify(text.slice(0, 100))}.`)
  }
  const url = new URL(text)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && allow.has('http'))) {
    const advice = url.protocol === 'http:' ? ' (--webhook-allow http)' : ''
    refuse(`The URL scheme ${url.protocol.slice(0, 40)} is not allowed: expected https${advice}.`)
  }
  if (url.username !== '' || url.password !== '') refuse('A URL with a user name or password is not allowed.')
  if (url.hash !== '' || text.includes('#')) refuse('A URL with a fragment is not allowed.')
  const host = hostOf(url)
  if (isIP(host) !== 0 && !allow.has('literal')) refuse(`${host} is an address: expected a host name.`)
  const port = portOf(url)
  const isUsual = port === 443 || port === 8443 || (port === 80 && url.protocol === 'http:')
  if (!isUsual && !allow.has('ports') && (port < LEAST_FREE_PORT || refusedPorts.includes(port))) {
    refuse(`Port ${port} is not allowed: expected 443, 8443, or another from ${LEAST_FREE_PORT} on.`)
  }
  const isOwnPort = !allow.has('loopback') || own.ports.includes(port)
  if (isOwnPort && own.names.includes(host.toLowerCase())) refuse(`${host} is this service itself.`)
  return url
}

const MAX_HEADERS = 10
const MAX_HEADER_LENGTH = 1024
const refusedHeader =
  /^(host|content-.*|webhook-.*|connection|transfer-encoding|cookie|keep-alive|proxy-.*|te|trailer|upgrade|expect)$/

/** Checks request headers of an owner. Returns them with names in lower case. */
export const parseWebhookHeaders = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> => {
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
  if (entries.length > MAX_HEADERS) throw new WebhookRefusedError(`At most ${MAX_HEADERS} headers are allowed.`)
  for (const [name, value] of entries) {
    if (!/^[!#$%&'*+.^_`|~0-9a-z-]{1,100}$/.test(name) || refusedHeader.test(name)) {
      throw new WebhookRefusedError(`The header ${JSON.stringify(name.slice(0, 100))} is not allowed.`)
    }
    if (value.length > MAX_HEADER_LENGTH || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
      throw new WebhookRefusedError(`The value of the header ${name} is not allowed.`)
    }
  }
  return Object.fromEntries(entries)
}

/** Resolves the host of an endpoint. Throws if any of its addresses is not allowed. */
export const checkHost = (url: URL, rules: CallOutRules, signal: AbortSignal): Promise<readonly string[]> =>
  findAddresses({ url, isTrusted: false }, addressRules(url, rules), signal)

const addressRules = (url: URL, { allow, own, resolve }: CallOutRules) => ({
  refuseAny: true,
  resolve: allow.has('loopback')
    ? async (host: string, signal: AbortSignal) =>
        /(^|\.)localhost$/.test(host) ? ['127.0.0.1', '::1'] : resolve(host, signal)
    : resolve,
  isAllowedAddress: (address: string): boolean => {
    const mayBeLocal = allow.has('private') || (allow.has('loopback') && isLoopbackAddress(address))
    if (own.addresses.includes(address) || isLoopbackAddress(address)) {
      return mayBeLocal && !own.ports.includes(portOf(url))
    }
    return mayBeLocal || isGlobalAddress(address)
  },
})

const isLoopbackAddress = (address: string): boolean => address.startsWith('127.') || address === '::1'

/** What became of one request. */
export type Attempt = {
  /** `undefined` if there was no response. */
  readonly status: number | undefined
  readonly durationMs: number
  /** Why there was no response. */
  readonly error: string | undefined
  /** Retry-After of the response. */
  readonly retryAfterMs: number | undefined
  /** The first KiB of the response. */
  readonly body: string
}

export const isSuccess = ({ status }: Pick<Attempt, 'status'>): boolean =>
  status !== undefined && status >= 200 && status < 300

const MAX_RETRY_AFTER_MS = 86_400_000
const SHOWN_BYTES = 1024

/** Sends one request. Its failure is a result, not an error; only an abort by the caller throws. */
export const callOut = async (
  target: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  rules: CallOutRules,
  signal: AbortSignal,
): Promise<Attempt> => {
  signal.throwIfAborted()
  const startedAt = performance.now()
  const { totalMs, maxBytes } = rules.limits
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(new Error(`timeout after ${totalMs / 1000} s`)), totalMs)
  const leave = onAbort(signal, () => controller.abort(signal.reason))
  let status: number | undefined
  let retryAfterMs: number | undefined
  const chunks: Buffer[] = []
  const finish = (error: string | undefined): Attempt => ({
    status,
    durationMs: Math.round(performance.now() - startedAt),
    error,
    retryAfterMs,
    body: Buffer.concat(chunks).subarray(0, SHOWN_BYTES).toString('utf8').replaceAll('\0', '\uFFFD'),
  })
  const send = async (): Promise<void> => {
    const url = parseWebhookUrl(target, rules)
    const addresses = await checkHost(url, rules, controller.signal)
    const sent = { ...headers, host: url.host, 'content-length': String(Buffer.byteLength(body)) }
    await requestAt(url, addresses, { method: 'POST', headers: sent, body }, rules, controller.signal, (response) => {
      status = response.statusCode ?? 0
      retryAfterMs = parseRetryAfter(response.headers['retry-after'], MAX_RETRY_AFTER_MS)
      return readStart(response, maxBytes, chunks)
    })
  }
  try {
    await untilAborted(send(), controller.signal)
    return finish(undefined)
  } catch (error) {
    signal.throwIfAborted()
    // The status decides: a body that does not end changes nothing.
    if (status !== undefined) return finish(undefined)
    return finish(error instanceof Error ? error.message : String(error))
  } finally {
    clearTimeout(timer)
    leave()
  }
}

const readStart = async (response: IncomingMessage, maxBytes: number, chunks: Buffer[]): Promise<void> => {
  let length = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length
    if (chunks.length === 0 || length <= maxBytes) chunks.push(chunk)
    if (length >= maxBytes) return
  }
}

/** Resolves names as other programs of this machine do: with its hosts file. */
export const systemResolve: CallOutRules['resolve'] = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address)
