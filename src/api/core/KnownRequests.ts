import type { FastifyRequest } from 'fastify'
import { LruCache } from '../../primitives/LruCache.ts'
import type { Call, Question } from './Call.ts'
import type { Endpoint } from './Endpoint.ts'
import { isJsonObject, type JsonObject, type JsonValue } from './json/JsonValue.ts'
import type { QueryValues } from './parseQuery.ts'

/** What a request asks that came before. */
export type KnownRequest = {
  readonly endpoint: Endpoint
  readonly question: Question
  /** Of a JSON-RPC request. */
  readonly id: JsonValue | undefined
}

const maxBytes = 16 * 1024 * 1024
const maxBodyBytes = 2048
const rpcMembers = new Set(['jsonrpc', 'id', 'method', 'params'])

/**
 * Requests whose answers are kept, known by their bytes: when one comes again, nothing of it need be read. Only such are
 * remembered as say nothing beyond their parameters.
 */
export class KnownRequests {
  private readonly known = new LruCache<KnownRequest>(maxBytes)

  find(request: FastifyRequest): KnownRequest | undefined {
    const key = keyOf(request)
    return key === undefined ? undefined : this.known.find(key)
  }

  /** A GET by its path and query. */
  findUrl(url: string): KnownRequest | undefined {
    return this.known.find(url)
  }

  remember(request: FastifyRequest, endpoint: Endpoint, { trace, query, body, transport }: Call): void {
    const { question } = trace
    const key = question && keyOf(request)
    if (question === undefined || key === undefined || !saysOnly(endpoint, query, body, transport === 'rpc')) return
    const id = transport === 'rpc' ? (body as JsonObject)['id'] : undefined
    this.known.set(key, { endpoint, question, id }, 2 * key.length + 300)
  }
}

const keyOf = ({ method, url, body }: FastifyRequest): string | undefined => {
  if (method === 'GET') return url
  if (!(body instanceof Uint8Array) || body.length > maxBodyBytes) return undefined
  return `${url} ${Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1')}`
}

const saysOnly = ({ params }: Endpoint, query: QueryValues, body: JsonValue | undefined, isRpc: boolean): boolean => {
  const areParams = (names: readonly string[]): boolean => names.every((name) => Object.hasOwn(params, name))
  if (!areParams(Object.keys(query))) return false
  if (body === undefined || !isJsonObject(body)) return body === undefined
  if (!isRpc) return areParams(Object.keys(body))
  const { params: args } = body
  return (
    Object.keys(body).every((name) => rpcMembers.has(name)) && (!isJsonObject(args) || areParams(Object.keys(args)))
  )
}
