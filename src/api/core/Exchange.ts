import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { pipeline, Readable } from 'node:stream'
import { parseQuery, type QueryValues } from './parseArguments.ts'

/** A request as the interfaces see it, from Fastify's router or from directRoutes.ts. */
export type ApiRequest = {
  readonly raw: IncomingMessage
  readonly id: string
  readonly method: string
  readonly url: string
  /** {@link QueryValues}; Fastify does not know its type. */
  readonly query: unknown
  readonly params: unknown
  readonly body: unknown
  readonly headers: IncomingHttpHeaders
  readonly socket: Socket
}

/** The response to it. */
export type ApiReply = {
  readonly raw: ServerResponse
  code(status: number): unknown
  header(name: string, value: string | number): unknown
  headers(values: Readonly<Record<string, string>>): unknown
  send(payload?: string | Uint8Array | Readable): unknown
}

/** A request that did not go through the router. */
export class DirectRequest implements ApiRequest {
  readonly raw: IncomingMessage
  readonly id: string
  readonly method: string
  readonly url: string
  readonly query: QueryValues
  readonly params = {}
  readonly body: Uint8Array | undefined

  constructor(raw: IncomingMessage, id: string, queryText: string, body?: Uint8Array) {
    this.raw = raw
    this.id = id
    this.method = raw.method ?? ''
    this.url = raw.url ?? ''
    this.query = parseQuery(queryText)
    this.body = body
  }

  get headers(): IncomingHttpHeaders {
    return this.raw.headers
  }

  get socket(): Socket {
    return this.raw.socket
  }
}

/** Its response. Unlike Fastify's it is no promise, so that functions can return it without a wait for the end of the response. */
export class DirectReply implements ApiReply {
  readonly raw: ServerResponse
  private status = 200
  /** Names and values in turn: an object would get a new shape with each of them. */
  private readonly fields: string[]

  constructor(raw: ServerResponse, fields: readonly string[]) {
    this.raw = raw
    this.fields = fields.slice()
  }

  code(status: number): void {
    this.status = status
  }

  header(name: string, value: string | number): void {
    const { fields } = this
    for (let at = 0; at < fields.length; at += 2) {
      if (fields[at] !== name) continue
      fields[at + 1] = String(value)
      return
    }
    fields.push(name, String(value))
  }

  headers(values: Readonly<Record<string, string>>): void {
    for (const name of Object.keys(values)) this.header(name, values[name]!)
  }

  send(payload?: string | Uint8Array | Readable): void {
    const { raw, fields } = this
    if (payload instanceof Readable) {
      raw.writeHead(this.status, fields)
      // Where one of them fails, the other ends with it: the caller sees that the answer is cut.
      pipeline(payload, raw, () => undefined)
      return
    }
    if (payload !== undefined) this.header('content-length', Buffer.byteLength(payload))
    raw.writeHead(this.status, fields).end(payload)
  }
}
