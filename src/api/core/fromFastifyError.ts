import type { FastifyReply } from 'fastify'
import { BodyTooLargeError, InvalidRequestError, MethodNotAllowedError, UnknownPathError } from './errors.ts'
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

/**
 * Whether Fastify refused a request before it looked for a route: methods that come with a body by their definition (QUERY) must name
 * its type. No route is served for such a method.
 */
export const isOfUnservedMethod = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE'

/** What is wrong where no route was found: the path, or only the method. The header `allow` then names the methods. */
export const findRouteError = (
  allowed: readonly string[] | undefined,
  method: string,
  reply: FastifyReply,
): UnknownPathError | MethodNotAllowedError => {
  if (allowed === undefined) return new UnknownPathError()
  reply.header('allow', allowed.join(', '))
  return new MethodNotAllowedError(method, allowed)
}
