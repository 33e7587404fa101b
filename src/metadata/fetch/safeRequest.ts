import { lookup } from 'node:dns/promises'
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http'
import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { connect as connectSecure } from 'node:tls'
import { onAbort } from '../../primitives/scheduling.ts'
import { MetadataRefusedError, MetadataUnavailableError } from '../errors.ts'
import type { FetchLimits, FetchRules } from './FetchRules.ts'
import { hostOf, portOf, type Remote } from './parseTarget.ts'

/** The allowed addresses of a host. With `refuseAny`, one address that is not allowed refuses the host. */
export const findAddresses = async (
  { url, isTrusted }: Pick<Remote, 'url' | 'isTrusted'>,
  { resolve, isAllowedAddress, refuseAny = false }: AddressRules,
  signal: AbortSignal,
): Promise<readonly string[]> => {
  const host = hostOf(url)
  const found = isIP(host) !== 0 ? [host] : await (isTrusted ? askSystem : resolve)(host, signal).catch(failure(host))
  signal.throwIfAborted()
  if (found.length === 0) {
    throw new MetadataUnavailableError(`${host} has no address.`, { hostFailed: true })
  }
  const allowed = isTrusted ? found : found.filter((address) => isIP(address) !== 0 && isAllowedAddress(address))
  if (allowed.length === 0 || (refuseAny && allowed.length < found.length)) {
    const refused = found.find((address) => !allowed.includes(address))
    throw new MetadataRefusedError(`${host} resolves to ${refused}, which is not a public address.`)
  }
  return allowed
}

export type AddressRules = Pick<FetchRules, 'resolve' | 'isAllowedAddress'> & { readonly refuseAny?: boolean }

const askSystem = async (host: string): Promise<readonly string[]> =>
  (await lookup(host, { all: true })).map(({ address }) => address)

const failure =
  (host: string) =>
  (cause: unknown): never => {
    const code = (cause as { code?: unknown } | undefined)?.code
    throw new MetadataUnavailableError(
      `${host} could not be resolved: ${typeof code === 'string' ? code : String(cause)}.`,
      { hostFailed: true },
      { cause },
    )
  }

type Rules = Pick<FetchRules, 'ca'> & { readonly limits: Pick<FetchLimits, 'connectMs'> }

const MAX_ADDRESSES = 3

/**
 * Connects to one of the addresses, without another DNS lookup. The TLS certificate is still checked against the host of the
 * URL.
 */
const openSocket = async (
  url: URL,
  addresses: readonly string[],
  rules: Rules,
  signal: AbortSignal,
): Promise<Socket> => {
  const end = performance.now() + rules.limits.connectMs
  const tried = addresses.slice(0, MAX_ADDRESSES)
  let failure: unknown
  for (const [k, address] of tried.entries()) {
    const shareMs = (end - performance.now()) / (tried.length - k)
    try {
      return await connectOnce(url, address, rules, shareMs, signal)
    } catch (error) {
      signal.throwIfAborted()
      failure = error
    }
  }
  const reason = failure instanceof Error ? failure.message : String(failure)
  throw new MetadataUnavailableError(
    `Connection to ${url.host} failed: ${reason}.`,
    { hostFailed: true },
    { cause: failure },
  )
}

const connectOnce = (url: URL, address: string, { ca }: Rules, timeoutMs: number, signal: AbortSignal) =>
  new Promise<Socket>((resolve, reject) => {
    const host = hostOf(url)
    const place = { host: address, port: portOf(url) }
    const isSecure = url.protocol === 'https:'
    const socket = isSecure
      ? connectSecure({
          ...place,
          ...(isIP(host) === 0 && { servername: host }),
          ...(ca !== undefined && { ca }),
          rejectUnauthorized: true,
          ALPNProtocols: ['http/1.1'],
        })
      : connectPlain(place)
    const settle = (act: () => void): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      act()
    }
    const fail = (error: unknown): void =>
      settle(() => {
        socket.destroy()
        reject(error)
      })
    const abort = (): void => fail(signal.reason)
    const timer = setTimeout(() => fail(new Error('timeout')), Math.max(1, timeoutMs))
    signal.addEventListener('abort', abort)
    // The listener stays: an error before the first request has no other handler.
    socket.on('error', fail)
    socket.once(isSecure ? 'secureConnect' : 'connect', () => settle(() => resolve(socket)))
    if (signal.aborted) abort()
  })

const MAX_HEADER_BYTES = 16_384

export type OutgoingRequest = {
  readonly method: 'GET' | 'POST'
  readonly headers: OutgoingHttpHeaders
  readonly body?: string | undefined
}

/**
 * Sends a request to one of the checked addresses over a connection of its own, which is closed when the response was read. Redirects
 * are responses like others, and no proxy is used.
 */
export const requestAt = async <T>(
  url: URL,
  addresses: readonly string[],
  { method, headers, body }: OutgoingRequest,
  rules: Rules,
  signal: AbortSignal,
  read: (response: IncomingMessage) => Promise<T>,
): Promise<T> => {
  const socket = await openSocket(url, addresses, rules, signal)
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request({
        createConnection: () => socket,
        method,
        path: `${url.pathname}${url.search}`,
        headers,
        maxHeaderSize: MAX_HEADER_BYTES,
        signal,
      })
        .on('response', resolve)
        .on('error', reject)
        // Some failures, such as another protocol, emit only close.
        .on('close', () => reject(new Error('connection closed')))
        .end(body)
    })
    // Closing the connection within a body is an error of the body, which may have no reader.
    response.on('error', () => {})
    return await read(response)
  } finally {
    socket.destroy()
  }
}

/** Milliseconds of a Retry-After header: seconds, or a date. */
export const parseRetryAfter = (text: string | undefined, maxMs: number): number | undefined => {
  if (text === undefined) return undefined
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return ms > 0 ? Math.min(ms, maxMs) : undefined
}

/** Stops waiting for work that cannot be aborted, such as a DNS query. */
export const untilAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const leave = onAbort(signal, () => reject(signal.reason))
    work.then(resolve, reject).finally(leave)
  })
