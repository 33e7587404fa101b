import type { IncomingMessage } from 'node:http'
import { type Duplex, pipeline } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { onAbort } from '../../primitives/scheduling.ts'
import { MetadataError, MetadataUnavailableError, MetadataUnusableError } from '../errors.ts'
import type { FetchRules } from './FetchRules.ts'
import { parseRedirect, type Remote, type Target } from './parseTarget.ts'
import { findAddresses, parseRetryAfter, requestAt, untilAborted } from './safeRequest.ts'

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

const MAX_RETRY_AFTER_MS = 3_600_000

export type Answer =
  | { readonly kind: 'redirect'; readonly location: string }
  | { readonly kind: 'document'; readonly mediaType: string; readonly bytes: Uint8Array }

/** What is fetched. */
export type Wanted = {
  readonly accept: string
  /** Throws if a content type is not acceptable. */
  readonly checkMediaType: (mediaType: string) => void
}

/** Sends one request over a connection of its own, which is always closed. */
const requestOnce = async (remote: Remote, rules: FetchRules, wanted: Wanted, signal: AbortSignal): Promise<Answer> => {
  const { url } = remote
  const addresses = await findAddresses(remote, rules, signal)
  const headers = {
    host: url.host,
    accept: wanted.accept,
    'accept-encoding': 'gzip',
    'user-agent': rules.userAgent,
  }
  return requestAt(url, addresses, { method: 'GET', headers }, rules, signal, (response) =>
    readAnswer(response, url, rules, wanted),
  )
}

const redirects: readonly (number | undefined)[] = [301, 302, 303, 307, 308]

const readAnswer = async (
  response: IncomingMessage,
  url: URL,
  { limits }: FetchRules,
  wanted: Wanted,
): Promise<Answer> => {
  const { statusCode: status = 0, headers } = response
  if (redirects.includes(status) && headers.location !== undefined) {
    return { kind: 'redirect', location: headers.location }
  }
  if (status !== 200) {
    throw new MetadataUnavailableError(`${url.host} responded with status ${status}; expected 200.`, {
      hostFailed: status === 429 || status >= 500,
      retryAfterMs: parseRetryAfter(headers['retry-after'], MAX_RETRY_AFTER_MS),
    })
  }
  const mediaType = (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase()
  wanted.checkMediaType(mediaType)
  return { kind: 'document', mediaType, bytes: await readBody(response, limits.maxBytes) }
}

// Many hosts serve JSON as plain text or octet-stream.
const JSON_TYPE = /^$|^(application|text)\/([a-z0-9.+-]+\+)?json$|^text\/plain$|^(application|binary)\/octet-stream$/

/** Refuses other content types than JSON. */
const checkMediaType = (mediaType: string): void => {
  if (JSON_TYPE.test(mediaType)) return
  throw new MetadataUnusableError(`Expected JSON, got the content type ${JSON.stringify(mediaType.slice(0, 60))}.`)
}

const json: Wanted = { accept: 'application/json, text/plain;q=0.9, */*;q=0.5', checkMediaType }

/** Fetches the JSON document of a target. */
export const fetchDocument = (target: Target, rules: FetchRules, signal: AbortSignal): Promise<Uint8Array> =>
  fetchBytes(target, rules, json, signal)

/** Fetches what a target holds. Every redirect is subject to the same rules. */
export const fetchBytes = async (
  target: Target,
  rules: FetchRules,
  wanted: Wanted,
  signal: AbortSignal,
): Promise<Uint8Array> => {
  if (target.kind === 'inline') {
    wanted.checkMediaType(target.mediaType)
    return target.bytes
  }
  const { totalMs } = rules.limits
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(tookTooLong(target.url, totalMs)), totalMs)
  const leave = onAbort(signal, () => controller.abort(signal.reason))
  try {
    return await untilAborted(followRedirects(target, rules, wanted, controller.signal), controller.signal)
  } catch (error) {
    controller.signal.throwIfAborted()
    throw error instanceof MetadataError ? error : lostOnTheWay(target.url, error)
  } finally {
    clearTimeout(timer)
    leave()
  }
}

const followRedirects = async (
  first: Remote,
  rules: FetchRules,
  wanted: Wanted,
  signal: AbortSignal,
): Promise<Uint8Array> => {
  let remote = first
  for (let hops = 0; hops <= rules.limits.maxRedirects; hops++) {
    const answer = await requestOnce(remote, rules, wanted, signal)
    if (answer.kind === 'document') return answer.bytes
    remote = parseRedirect(answer.location, remote.url, rules)
  }
  throw new MetadataUnusableError(`More than ${rules.limits.maxRedirects} redirects.`)
}

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
