import { METHODS } from 'node:http'
import type { Socket } from 'node:net'
import type { ApiReply } from './Exchange.ts'
import { BodyTooLargeError, InvalidRequestError, MethodNotAllowedError, UnknownPathError } from './errors.ts'
import type { HttpLimits } from './limits.ts'
import { type ErrorCode, wireErrors } from './wireErrors.ts'

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
 * Whether Fastify refused a request before routing: methods defined with a body (QUERY) need a content type. No route has such a
 * method.
 */
export const isOfUnservedMethod = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE'

/** The error if no route matches: unknown path, or wrong method, in which case the header `allow` lists the methods. */
export const findRouteError = (
  allowed: readonly string[] | undefined,
  method: string,
  reply: ApiReply,
): UnknownPathError | MethodNotAllowedError => {
  if (allowed === undefined) return new UnknownPathError()
  reply.header('allow', allowed.join(', '))
  return new MethodNotAllowedError(method, allowed)
}

type Refusal = readonly [code: ErrorCode, message: string]

const refusals: { readonly [nodeCode: string]: Refusal } = {
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request was not received in time.'],
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'The headers of the request are too large.'],
}

const noRequest: Refusal = ['invalid_request', 'The data received is not an HTTP request.']
const unknownMethod: Refusal = ['method_not_allowed', 'Method not supported. Use GET or POST.']
/** A request line whose method the parser may not know. */
const requestLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}) \S+ HTTP\/1\.[01]\r?\n/

/** The error of Node's HTTP parser. */
export type ParserError = { readonly code: string; readonly rawPacket?: unknown }

/** Answers a malformed request on its socket and closes it. The interface is not known yet. */
export const refuseConnection = ({ code, rawPacket }: ParserError, socket: Socket): void => {
  if (code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const isMethod = rawPacket instanceof Uint8Array && namesUnknownMethod(rawPacket)
  hangUp(refusals[code] ?? (isMethod ? unknownMethod : noRequest), socket)
}

/** Answers a request with an unsupported method and closes the socket. */
export const refuseMethod = (socket: Socket): void => hangUp(unknownMethod, socket)

const namesUnknownMethod = (bytes: Uint8Array): boolean => {
  const method = requestLine.exec(Buffer.from(bytes).toString('latin1', 0, 1 << 16))?.[1]
  return method !== undefined && !METHODS.includes(method)
}

const hangUp = ([code, error]: Refusal, socket: Socket): void => {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const { status } = wireErrors[code]
  const body = JSON.stringify({ ok: false, error, code: status })
  const allow = code === 'method_not_allowed' ? '\r\nAllow: GET, HEAD, POST, OPTIONS' : ''
  const head = `HTTP/1.1 ${status} Refused${allow}\r\nContent-Type: application/json; charset=utf-8\r\nConnection: close`
  socket.end(`${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`, () => socket.destroy())
}
