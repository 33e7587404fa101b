import { METHODS } from 'node:http'
import type { Socket } from 'node:net'
import { type ErrorCode, wireErrors } from './wireErrors.ts'

type Refusal = readonly [code: ErrorCode, message: string]

const refusals: { readonly [nodeCode: string]: Refusal } = {
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request took too long to come.'],
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'The headers of the request are too large.'],
}

const noRequest: Refusal = ['invalid_request', 'What came is not an HTTP request.']
const unknownMethod: Refusal = ['method_not_allowed', 'This method is not served. Use GET or POST.']
/** A token, a target and the version: a request whose method the parser has not heard of. */
const requestLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}) \S+ HTTP\/1\.[01]\r?\n/

/** What the parser of Node says of bytes that are no request to it. */
export type ParserError = { readonly code: string; readonly rawPacket?: unknown }

/** Says to whoever is at the other end why what it sends is no request, and hangs up. No interface can be known yet. */
export const refuseConnection = ({ code, rawPacket }: ParserError, socket: Socket): void => {
  if (code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const isMethod = rawPacket instanceof Uint8Array && namesUnknownMethod(rawPacket)
  hangUp(refusals[code] ?? (isMethod ? unknownMethod : noRequest), socket)
}

/** The same for a method that no path is served for. */
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
