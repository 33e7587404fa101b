import type { Socket } from 'node:net'
import { type ErrorCode, wireErrors } from './wireErrors.ts'

const refusals: { readonly [nodeCode: string]: readonly [code: ErrorCode, message: string] } = {
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request took too long to come.'],
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'The headers of the request are too large.'],
}

/** Says to whoever is at the other end why what it sends is no request, and hangs up. No interface can be known yet. */
export const refuseConnection = (nodeCode: string, socket: Socket): void => {
  if (nodeCode === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const [code, error] = refusals[nodeCode] ?? ['invalid_request', 'What came is not an HTTP request.']
  const { status } = wireErrors[code]
  const body = JSON.stringify({ ok: false, error, code: status })
  const head = `HTTP/1.1 ${status} Refused\r\nContent-Type: application/json; charset=utf-8\r\nConnection: close`
  socket.end(`${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`, () => socket.destroy())
}
