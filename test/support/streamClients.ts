import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { WebSocket } from 'ws'
import type { Json } from './v3Client.ts'
import { waitUntil } from './waitUntil.ts'

/** A frame of server-sent events. */
export type SseFrame = { readonly event: string; readonly data: string; readonly id: string | undefined }

/** Reads server-sent events as the HTML standard says: fields by line, a frame ends with an empty line. */
export class SseParser {
  readonly frames: SseFrame[] = []
  comments = 0
  retry: string | undefined
  #rest = ''
  #event = ''
  #data: string[] = []
  #lastId: string | undefined

  push(text: string): void {
    const lines = (this.#rest + text).split('\n')
    this.#rest = lines.pop()!
    for (const line of lines) this.#take(line)
  }

  #take(line: string): void {
    if (line === '') {
      if (this.#data.length > 0) {
        this.frames.push({ event: this.#event || 'message', data: this.#data.join('\n'), id: this.#lastId })
      }
      this.#event = ''
      this.#data = []
      return
    }
    if (line.startsWith(':')) {
      this.comments++
      return
    }
    const [, name, value] = /^([^:]*):? ?(.*)$/s.exec(line)!
    if (name === 'event') this.#event = value!
    else if (name === 'data') this.#data.push(value!)
    else if (name === 'id') this.#lastId = value!
    else if (name === 'retry') this.retry = value!
  }
}

/** A stream of server-sent events over a socket of its own. */
class SseClient {
  readonly parser = new SseParser()
  readonly socket: Socket
  status = 0
  headers = ''
  body = ''
  isClosed = false
  #head = ''
  #chunk = Buffer.alloc(0)

  constructor(socket: Socket) {
    this.socket = socket
    socket.on('data', (bytes) => this.#take(bytes))
    socket.on('error', () => undefined)
    socket.on('close', () => {
      this.isClosed = true
    })
  }

  get events(): Json[] {
    return this.parser.frames.filter(({ event }) => event === 'event').map(({ data }) => JSON.parse(data))
  }

  get ids(): string[] {
    return this.parser.frames.filter(({ event }) => event === 'event').map(({ id }) => id!)
  }

  #take(bytes: Buffer): void {
    if (this.status === 0) {
      this.#head += bytes.toString('latin1')
      const end = this.#head.indexOf('\r\n\r\n')
      if (end < 0) return
      this.headers = this.#head.slice(0, end)
      this.status = Number(this.headers.split(' ')[1])
      const rest = Buffer.from(this.#head.slice(end + 4), 'latin1')
      this.#body(rest)
      return
    }
    this.#body(bytes)
  }

  #body(bytes: Buffer): void {
    if (!/transfer-encoding: chunked/i.test(this.headers)) {
      this.body += bytes.toString()
      return
    }
    this.#chunk = Buffer.concat([this.#chunk, bytes])
    for (;;) {
      const at = this.#chunk.indexOf('\r\n')
      if (at < 0) return
      const length = Number.parseInt(this.#chunk.subarray(0, at).toString(), 16)
      if (this.#chunk.length < at + 2 + length + 2) return
      this.parser.push(this.#chunk.subarray(at + 2, at + 2 + length).toString())
      this.#chunk = this.#chunk.subarray(at + 2 + length + 2)
    }
  }

  close(): void {
    this.socket.destroy()
  }
}

/** Subscribes with POST, or with GET if there is no body. */
export const openSse = async (
  url: string,
  body: object | string | undefined,
  { headers = {}, query = '', path = '/api/streaming/v2/sse', localAddress }: SseRequest = {},
): Promise<SseClient> => {
  const { hostname, port } = new URL(url)
  const local = localAddress === undefined ? {} : { localAddress }
  const socket = connect({ host: hostname, port: Number(port), ...local })
  await once(socket, 'connect')
  const client = new SseClient(socket)
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)
  const all = {
    host: `${hostname}:${port}`,
    ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  socket.write(
    `${body === undefined ? 'GET' : 'POST'} ${path}${query} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${text}`,
  )
  await waitUntil('the response begins', () => client.status !== 0 || client.isClosed)
  const hasBegun = (): boolean => client.parser.frames.length > 0 || client.body !== '' || client.isClosed
  await waitUntil('the body begins', hasBegun, { timeoutMs: 20_000 })
  return client
}

export type SseRequest = {
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: string
  readonly path?: string
  readonly localAddress?: string
}

/** A WebSocket client, as the package `ws` has it. */
export class WsClient {
  readonly socket: WebSocket
  readonly messages: Json[] = []
  code: number | undefined
  /** HTTP status where the upgrade was refused. */
  refusal: { readonly status: number; readonly body: string } | undefined

  constructor(
    url: string,
    options: { readonly headers?: Readonly<Record<string, string>>; readonly path?: string } = {},
  ) {
    const { headers = {}, path = '/api/streaming/v2/ws' } = options
    this.socket = new WebSocket(`${url.replace(/^http/, 'ws')}${path}`, { headers })
    this.socket.on('message', (data) => this.messages.push(JSON.parse(data.toString())))
    this.socket.on('close', (code) => {
      this.code = code
    })
    this.socket.on('error', () => undefined)
    this.socket.on('unexpected-response', (_request, response) => {
      let body = ''
      response.on('data', (bytes) => {
        body += bytes
      })
      response.on('end', () => {
        this.refusal = { status: response.statusCode ?? 0, body }
      })
    })
  }

  async opened(): Promise<this> {
    await waitUntil('the socket is open', () => this.socket.readyState === WebSocket.OPEN)
    return this
  }

  async request(message: object | string): Promise<Json> {
    const isAnswer = (each: Json): boolean => 'status' in each || 'error' in each
    const before = this.messages.filter(isAnswer).length
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message))
    await waitUntil('an answer comes', () => this.messages.filter(isAnswer).length > before)
    return this.messages.filter(isAnswer)[before]!
  }

  get events(): Json[] {
    return this.messages.filter((each) => 'type' in each)
  }

  close(): void {
    this.socket.terminate()
  }
}
