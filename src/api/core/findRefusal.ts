import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { CodedError } from '../../primitives/errors.ts'
import { TokenRequiredError, UnsupportedMediaTypeError, UrlTooLongError } from './errors.ts'
import type { HttpLimits } from './limits.ts'
import { findForeignSign, findRemoteSign } from './localAccess.ts'
import type { Mount } from './Mount.ts'

const jsonType = /^application\/([\w.+-]+\+)?json\s*(;|$)/i

/** All that can be held against a request before its body has come. */
export const findRefusal = (
  { definition, token, allowedHosts }: Mount,
  limits: HttpLimits,
  { headers, url = '', socket }: IncomingMessage,
): CodedError | undefined => {
  const { maxUrlBytes = limits.maxUrlBytes } = definition
  if (url.length > maxUrlBytes) return new UrlTooLongError(maxUrlBytes)
  const length = headers['content-length']
  const hasBody = headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
  if (hasBody && definition.body.mediaType === 'json' && !jsonType.test(headers['content-type'] ?? '')) {
    return new UnsupportedMediaTypeError()
  }
  if (!definition.localOnly) return undefined
  // No page of another origin knows the token, so there is nothing else to look at.
  if (token !== undefined) return hasToken(headers.authorization, token) ? undefined : new TokenRequiredError()
  return findRemoteSign(socket.remoteAddress, headers, allowedHosts) ?? findForeignSign(headers)
}

/** In a time that tells nothing of the token. */
const hasToken = (header: string | undefined, token: string): boolean => {
  const [, given] = /^Bearer +(\S+) *$/i.exec(header ?? '') ?? []
  return given !== undefined && timingSafeEqual(digest(given), digest(token))
}

const digest = (text: string): Uint8Array => createHash('sha256').update(text).digest()
