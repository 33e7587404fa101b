import { Agent, type ClientRequest, type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import type { Socket } from 'node:net'
import { type Forwarded, formatForwarded, frontHeader } from '../../api/core/front.ts'
import { defaultLimits } from '../../api/core/limits.ts'

/** Where a request goes. */
export type Destination = Pick<Forwarded, 'base' | 'isOperator'> & {
  /** The port of the network's process. */
  readonly port: number
  /** The path and query there. */
  readonly url: string
}

/** Headers of a connection rather than of a message. */
const ownHeaders = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
  frontHeader,
])

/** Connections end before the process of a network ends them: its limit is a minute. */
const IDLE_MS = 30_000
/** A network refuses a long body within this time, as a rule. */
const REFUSAL_MS = 100

/** Forwards requests to the processes of networks, as they came. */
export class Forwarder {
  private readonly agent = new Agent({ keepAlive: true, timeout: IDLE_MS, scheduling: 'lifo' })
  private readonly token: string

  constructor(token: string) {
    this.token = token
  }

  close(): void {
    this.agent.destroy()
  }

  /** Answers a request with the response of a network. `refuse` is called if there is none. */
  forward(
    request: IncomingMessage,
    response: ServerResponse,
    destination: Destination,
    refuse: (reason: Error) => void,
    isRetry = false,
  ): void {
    const upstream = this.send(request, destination, [])
    upstream.once('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.statusMessage, withoutOwn(answer.rawHeaders))
      // The first event of a stream may be far away.
      if (answer.headers['content-type']?.startsWith('text/event-stream')) response.flushHeaders()
      answer.pipe(response)
      answer.once('close', () => answer.complete || response.destroy())
    })
    upstream.on('error', (error) => {
      if (response.writableEnded) return
      if (response.headersSent || response.destroyed) return void response.destroy()
      // The connection was closed while it was idle: nothing has been read from it.
      const isStale = upstream.reusedSocket && !hasBody(request) && !isRetry
      if (isStale) this.forward(request, response, destination, refuse, true)
      else refuse(error)
    })
    response.once('close', () => (response.writableFinished && upstream.writableEnded) || upstream.destroy())
    // Most interfaces refuse it by its length. If it were sent at once, the connection might break before the refusal is read.
    const isLong = Number(request.headers['content-length'] ?? 0) > defaultLimits.maxBodyBytes
    if (isLong) {
      upstream.flushHeaders()
      setTimeout(() => response.headersSent || response.destroyed || request.pipe(upstream), REFUSAL_MS)
    } else if (hasBody(request)) request.pipe(upstream)
    else upstream.end()
  }

  /** Connects a client that asks for another protocol, such as WebSocket. */
  upgrade(request: IncomingMessage, socket: Socket, head: Buffer, destination: Destination): void {
    const upstream = this.send(request, destination, [
      'connection',
      'Upgrade',
      'upgrade',
      request.headers.upgrade ?? '',
    ])
    const end = (): void => {
      upstream.destroy()
      socket.destroy()
    }
    socket.on('error', end).once('close', end)
    upstream.on('error', end)
    upstream.once('response', (answer) => {
      socket.write(formatHead(answer, ['connection', 'close']))
      answer.pipe(socket)
    })
    upstream.once('upgrade', (answer, other, first) => {
      const headers = ['connection', 'Upgrade', 'upgrade', answer.headers.upgrade ?? '']
      socket.write(formatHead(answer, headers))
      if (first.length > 0) socket.write(first)
      if (head.length > 0) other.write(head)
      other.on('error', end).once('close', end)
      other.pipe(socket).pipe(other)
    })
    upstream.end()
  }

  /** The response to a request of the front itself; `undefined` if there is none in time. */
  async ask(destination: Destination, caller: Pick<IncomingMessage, 'headers' | 'socket'>, timeoutMs: number) {
    const headers = { host: caller.headers.host ?? 'localhost', [frontHeader]: this.mark(destination, caller.socket) }
    try {
      const answer = await new Promise<IncomingMessage>((done, fail) => {
        const { port, url: path } = destination
        const signal = AbortSignal.timeout(timeoutMs)
        send({ host: '127.0.0.1', port, path, headers, agent: this.agent, signal }, done).once('error', fail).end()
      })
      const body = Buffer.concat(await answer.toArray()).toString('utf8')
      return { status: answer.statusCode ?? 502, type: answer.headers['content-type'] ?? '', body }
    } catch {
      return undefined
    }
  }

  private send(request: IncomingMessage, destination: Destination, extra: readonly string[]): ClientRequest {
    const mark = this.mark(destination, request.socket)
    return send({
      host: '127.0.0.1',
      port: destination.port,
      path: destination.url,
      method: request.method,
      headers: [...withoutOwn(request.rawHeaders), ...extra, frontHeader, mark],
      agent: extra.length > 0 ? false : this.agent,
      setHost: false,
    })
  }

  private mark(
    { base, isOperator }: Destination,
    { remoteAddress: caller = '' }: Pick<Socket, 'remoteAddress'>,
  ): string {
    return formatForwarded(this.token, { caller, base, isOperator })
  }
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

/** Names and values in turn, without those of the connection. */
const withoutOwn = (raw: readonly string[]): string[] => {
  const kept: string[] = []
  for (let at = 0; at + 1 < raw.length; at += 2) {
    if (!ownHeaders.has(raw[at]!.toLowerCase())) kept.push(raw[at]!, raw[at + 1]!)
  }
  return kept
}

const formatHead = ({ statusCode, statusMessage, rawHeaders }: IncomingMessage, extra: readonly string[]): string => {
  const headers = [...withoutOwn(rawHeaders), ...extra]
  const lines = headers.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${headers[at + 1]}`] : []))
  // The end of the connection is the end of the body.
  const kept = lines.filter((line) => !/^transfer-encoding:/i.test(line))
  return `HTTP/1.1 ${statusCode} ${statusMessage}\r\n${kept.join('\r\n')}\r\n\r\n`
}
