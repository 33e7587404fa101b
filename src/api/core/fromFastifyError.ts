import { BodyTooLargeError, InvalidRequestError } from './errors.ts'
import type { HttpLimits } from './limits.ts'

/** What Fastify finds wrong with a request, in our terms; any other error as it is. */
export const fromFastifyError = (error: unknown, { maxBodyBytes }: HttpLimits): unknown => {
  if (!(error instanceof Error) || !('code' in error)) return error
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new BodyTooLargeError(maxBodyBytes)
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new InvalidRequestError('The body is not as long as the header Content-Length says.')
    case 'FST_ERR_BAD_URL':
      return new InvalidRequestError('The path of the request is not a valid one.')
    case 'ECONNRESET':
    case 'ECONNABORTED':
      return new InvalidRequestError('The connection ended before the request was whole.')
    default:
      return error
  }
}
