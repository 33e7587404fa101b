import type { IncomingMessage } from 'node:http'
import type { CodedError } from '../../primitives/CodedError.ts'
import { UnsupportedMediaTypeError, UrlTooLongError } from './errors.ts'
import type { HttpLimits } from './limits.ts'
import { findForeignSign, findRemoteSign } from './localAccess.ts'
import type { Mount } from './Mount.ts'

const jsonType = /^application\/([\w.+-]+\+)?json\s*(;|$)/i

/** All that can be held against a request before its body has come. */
export const findRefusal = (
  { definition, allowRemote }: Mount,
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
  return (allowRemote ? undefined : findRemoteSign(socket.remoteAddress, headers)) ?? findForeignSign(headers)
}
