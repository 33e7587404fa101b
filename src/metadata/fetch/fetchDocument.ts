import { lookup } from 'node:dns/promises'
import { type IncomingMessage, request } from 'node:http'
import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { type Duplex, pipeline } from 'node:stream'
import { connect as connectSecure } from 'node:tls'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { onAbort } from '../../primitives/scheduling.ts'
import { MetadataError, MetadataRefusedError, MetadataUnavailableError, MetadataUnusableError } from '../errors.ts'
import type { FetchRules } from './FetchRules.ts'
import { hostOf, parseRedirect, portOf, type Remote, type Target } from './parseTarget.ts'

/** The allowed addresses of a host. */
const findAddresses = async (
  { url, isTrusted }: Remote,
  { resolve, isAllowedAddress }: Pick<FetchRules, 'resolve' | 'isAllowedAddress'>,
  signal: AbortSignal,
): Promise<readonly string[]> => {
  const host = hostOf(url)
  const found = isIP(host) !== 0 ? [host] : await (isTrusted ? askSystem : resolve)(host, signal).catch(failure(host))
  signal.throwIfAborted()
  if (found.length === 0) {
    throw new MetadataUnavailableError(`${host} has no address.`, { hostFailed: true })
  }
  const allowed = isTrusted ? found : found.filter((address) => isIP(address) !== 0 && isAllowedAddress(address))
  if (allowed.length === 0) {
    throw new MetadataRefusedError(`${host} resolves to ${found[0]}, which is not a public address.`)
  }
  return allowed
}

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

type Rules = Pick<FetchRules, 'limits' | 'ca'>

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

const unpackers: ReadonlyMap<string, () => Duplex> = new Map<string, () => Duplex>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
])

/** Reads and decompresses a body. Stops as soon as it exceeds the limit, whatever its headers say. */
const readBody = async (response: IncomingMessage, maxBytes: number): Promise<Uint8Array> => {
  const tooLong = (): Error => new MetadataUnusableError(`The document exceeds ${maxBytes} bytes.`)
  if (Number(response.headers['content-length'] ?? 0) > maxBytes) throw tooLong()
  const stream = unpack(response)
  if (stream !== response) {
    let received = 0
    response.on('data', (chunk: Buffer) => {
      received += chunk.length
      if (received > maxBytes) stream.destroy(tooLong())
    })
  }
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      length += chunk.length
      if (length > maxBytes) throw tooLong()
      chunks.push(chunk)
    }
  } catch (cause) {
    const code = String((cause as { code?: unknown } | undefined)?.code)
    if (!/^(Z_|ERR_BROTLI|ERR__?(ERROR|BROTLI))/.test(code)) throw cause
    throw new MetadataUnusableError('The document cannot be decompressed.', { cause })
  }
  return Buffer.concat(chunks)
}

const unpack = (response: IncomingMessage): IncomingMessage | Duplex => {
  const encoding = String(response.headers['content-encoding'] ?? 'identity')
    .trim()
    .toLowerCase()
  if (encoding === 'identity' || encoding === '') return response
  const create = unpackers.get(encoding)
  if (create === undefined) {
    throw new MetadataUnusableError(`The content encoding ${JSON.stringify(encoding.slice(0, 40))} is not supported.`)
  }
  // The pipeline forwards every failure to the reader.
  return pipeline(response, create(), () => {})
}

const MAX_HEADER_BYTES = 16_384
const MAX_RETRY_AFTER_MS = 3_600_000

export type Answer =
  | { readonly kind: 'redirect'; readonly location: string }
  | { readonly kind: 'document'; readonly mediaType: string; readonly bytes: Uint8Array }

/** Sends one request over a connection of its own, which is always closed. */
const requestOnce = async (remote: Remote, rules: FetchRules, signal: AbortSignal): Promise<Answer> => {
  const { url } = remote
  const addresses = await findAddresses(remote, rules, signal)
  const socket = await openSocket(url, addresses, rules, signal)
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request({
        createConnection: () => socket,
        path: `${url.pathname}${url.search}`,
        headers: {
          host: url.host,
          accept: 'application/json, text/plain;q=0.9, */*;q=0.5',
          'accept-encoding': 'gzip',
          'user-agent': rules.userAgent,
        },
        maxHeaderSize: MAX_HEADER_BYTES,
        signal,
      })
        .on('response', resolve)
        .on('error', reject)
        // Some failures, such as another protocol, emit only close.
        .on('close', () => reject(new Error('connection closed')))
        .end()
    })
    // Closing the connection within a body is an error of the body, which may have no reader.
    response.on('error', () => {})
    return await readAnswer(response, url, rules)
  } finally {
    socket.destroy()
  }
}

const redirects: readonly (number | undefined)[] = [301, 302, 303, 307, 308]

const readAnswer = async (response: IncomingMessage, url: URL, { limits }: FetchRules): Promise<Answer> => {
  const { statusCode: status = 0, headers } = response
  if (redirects.includes(status) && headers.location !== undefined) {
    return { kind: 'redirect', location: headers.location }
  }
  if (status !== 200) {
    throw new MetadataUnavailableError(`${url.host} responded with status ${status}; expected 200.`, {
      hostFailed: status === 429 || status >= 500,
      retryAfterMs: parseRetryAfter(headers['retry-after']),
    })
  }
  const mediaType = (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase()
  checkMediaType(mediaType)
  return { kind: 'document', mediaType, bytes: await readBody(response, limits.maxBytes) }
}

// Many hosts serve JSON as plain text or octet-stream.
const JSON_TYPE = /^$|^(application|text)\/([a-z0-9.+-]+\+)?json$|^text\/plain$|^(application|binary)\/octet-stream$/

/** Refuses other content types than JSON. */
const checkMediaType = (mediaType: string): void => {
  if (JSON_TYPE.test(mediaType)) return
  throw new MetadataUnusableError(`Expected JSON, got the content type ${JSON.stringify(mediaType.slice(0, 60))}.`)
}

const parseRetryAfter = (text: string | undefined): number | undefined => {
  if (text === undefined) return undefined
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return ms > 0 ? Math.min(ms, MAX_RETRY_AFTER_MS) : undefined
}

/** Fetches the JSON document of a target. Every redirect is subject to the same rules. */
export const fetchDocument = async (target: Target, rules: FetchRules, signal: AbortSignal): Promise<Uint8Array> => {
  if (target.kind === 'inline') {
    checkMediaType(target.mediaType)
    return target.bytes
  }
  const { totalMs } = rules.limits
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(tookTooLong(target.url, totalMs)), totalMs)
  const leave = onAbort(signal, () => controller.abort(signal.reason))
  try {
    return await untilAborted(followRedirects(target, rules, controller.signal), controller.signal)
  } catch (error) {
    controller.signal.throwIfAborted()
    throw error instanceof MetadataError ? error : lostOnTheWay(target.url, error)
  } finally {
    clearTimeout(timer)
    leave()
  }
}

const followRedirects = async (first: Remote, rules: FetchRules, signal: AbortSignal): Promise<Uint8Array> => {
  let remote = first
  for (let hops = 0; hops <= rules.limits.maxRedirects; hops++) {
    const answer = await requestOnce(remote, rules, signal)
    if (answer.kind === 'document') return answer.bytes
    remote = parseRedirect(answer.location, remote.url, rules)
  }
  throw new MetadataUnusableError(`More than ${rules.limits.maxRedirects} redirects.`)
}

/** Stops waiting for work that cannot be aborted, such as a DNS query. */
const untilAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const leave = onAbort(signal, () => reject(signal.reason))
    work.then(resolve, reject).finally(leave)
  })

const tookTooLong = ({ host }: URL, totalMs: number): Error =>
  new MetadataUnavailableError(`${host} timed out after ${totalMs / 1000} s.`, { hostFailed: true })

const lostOnTheWay = ({ host }: URL, cause: unknown): Error => {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new MetadataUnavailableError(
    `The document of ${host} is incomplete: ${reason}.`,
    { hostFailed: true },
    { cause },
  )
}
