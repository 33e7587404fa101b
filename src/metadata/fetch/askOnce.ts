import { type IncomingMessage, request } from 'node:http'
import { MetadataUnavailableError, MetadataUnusableError } from '../errors.ts'
import type { FetchRules } from './FetchRules.ts'
import { findAddresses } from './findAddresses.ts'
import { openSocket } from './openSocket.ts'
import type { Remote } from './parseTarget.ts'
import { readBody } from './readBody.ts'

const MAX_HEADER_BYTES = 16_384
const MAX_RETRY_AFTER_MS = 3_600_000

export type Answer =
  | { readonly kind: 'redirect'; readonly location: string }
  | { readonly kind: 'document'; readonly mediaType: string; readonly bytes: Uint8Array }

/** One question to one host over a connection of its own, which is closed whatever happens. */
export const askOnce = async (remote: Remote, rules: FetchRules, signal: AbortSignal): Promise<Answer> => {
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
        // Some ends, as an answer in another protocol, are neither.
        .on('close', () => reject(new Error('the connection was closed')))
        .end()
    })
    // Closing a connection in the middle of a body is a failure of the body, which nobody may be reading.
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
    throw new MetadataUnavailableError(`${url.host} answered with status ${status}, 200 was expected.`, {
      hostFailed: status === 429 || status >= 500,
      retryAfterMs: parseRetryAfter(headers['retry-after']),
    })
  }
  const mediaType = (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase()
  checkMediaType(mediaType)
  return { kind: 'document', mediaType, bytes: await readBody(response, limits.maxBytes) }
}

// Many keep JSON where files have no type of their own, and it comes as plain text or as bytes.
const JSON_TYPE = /^$|^(application|text)\/([a-z0-9.+-]+\+)?json$|^text\/plain$|^(application|binary)\/octet-stream$/

/** Refuses what says of itself that it is not JSON. */
export const checkMediaType = (mediaType: string): void => {
  if (JSON_TYPE.test(mediaType)) return
  throw new MetadataUnusableError(`JSON was expected, ${JSON.stringify(mediaType.slice(0, 60))} came.`)
}

const parseRetryAfter = (text: string | undefined): number | undefined => {
  if (text === undefined) return undefined
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return ms > 0 ? Math.min(ms, MAX_RETRY_AFTER_MS) : undefined
}
