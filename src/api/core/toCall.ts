import type { FastifyRequest } from 'fastify'
import type { Call } from './Call.ts'
import type { Deadline } from './Deadline.ts'
import type { JsonValue } from './json/JsonValue.ts'
import type { QueryValues } from './parseQuery.ts'

const noSignal = new AbortController().signal

/** A request as a call. Without a deadline there is nothing to wait for: it failed before its work began. */
export const toCall = (
  request: FastifyRequest,
  isRpc: boolean,
  endpoint: string | undefined,
  body: JsonValue | undefined,
  deadline: Deadline | undefined,
): Call => ({
  transport: isRpc ? 'rpc' : request.method === 'POST' ? 'post' : 'get',
  endpoint,
  query: request.query as QueryValues,
  body,
  headers: request.headers,
  remoteAddress: request.socket.remoteAddress ?? '',
  receivedAt: performance.now(),
  trace: { nodes: [], isKept: false },
  get signal() {
    return deadline?.signal ?? noSignal
  },
})
