import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type RawData, type WebSocket, WebSocketServer } from 'ws'
import { Delivery, type RenderEvent, type Sink } from '../../streaming/delivery/Delivery.ts'
import { resolveStart } from '../../streaming/delivery/resolveStart.ts'
import type { StreamHub } from '../../streaming/delivery/StreamHub.ts'
import { type OperationOptions, parseOperation } from '../../streaming/subscription/operations.ts'
import { MAX_SUBSCRIPTION_BYTES } from '../../streaming/subscription/parseSubscription.ts'
import { SubscriptionError } from '../../streaming/subscription/Subscription.ts'
import { SharedBytes } from './SharedBytes.ts'
import type { StreamConnection } from './StreamConnections.ts'
import { takenBytes } from './sse.ts'
import type { StreamCaller } from './streamLimits.ts'

const PING_MS = 20_000
const IDLE_MS = 60_000
const FRAMES_PER_SECOND = 20
/** A client that does not answer the close frame of a server that shuts down is cut off. */
const CLOSE_MS = 1000

const CLOSE_BINARY = 1003
const CLOSE_TOO_OFTEN = 4029
const CLOSE_IDLE = 4030

const server = new WebSocketServer({
  noServer: true,
  clientTracking: false,
  perMessageDeflate: false,
  maxPayload: MAX_SUBSCRIPTION_BYTES,
})

/** Completes the handshake of a request that was admitted. */
export const acceptWebSocket = (
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  onOpen: (socket: WebSocket) => void,
): void => server.handleUpgrade(request, socket, head, onOpen)

const texts = new SharedBytes((text) => Buffer.from(text))

export type WsOptions = {
  readonly webSocket: WebSocket
  readonly socket: Socket
  readonly caller: StreamCaller
  readonly hub: StreamHub
  readonly render: RenderEvent
  readonly operations: Omit<OperationOptions, 'former'>
  readonly onClose: (connection: StreamConnection) => void
  /** The frame that answers a failed operation. */
  readonly toAnswer: (error: unknown, id: string | undefined) => object
}

/** A WebSocket connection: the client subscribes, and changes its subscription at any time. */
export class WsConnection implements StreamConnection, Sink {
  readonly transport = 'ws'
  readonly caller: StreamCaller
  readonly delivery: Delivery
  heardAt = performance.now()
  readonly #options: WsOptions
  readonly #webSocket: WebSocket
  readonly #socket: Socket
  /** Connections that were opened together are not all pinged in the same second. */
  #pingedAt = performance.now() - Math.random() * PING_MS
  #frames = { count: 0, since: 0 }
  /** Operations are done one after the other. */
  #doing: Promise<void> = Promise.resolve()

  constructor(options: WsOptions) {
    const { webSocket, socket, caller, hub, render, onClose } = options
    this.#options = options
    this.caller = caller
    this.#webSocket = webSocket
    this.#socket = socket
    this.delivery = new Delivery(hub, this, render)
    socket.on('drain', () => this.delivery.drained())
    webSocket.on('message', (data, isBinary) => this.#receive(data, isBinary))
    webSocket.on('pong', () => this.#hear())
    webSocket.on('ping', () => this.#hear())
    webSocket.on('error', () => undefined)
    webSocket.once('close', () => {
      this.delivery.close()
      onClose(this)
    })
  }

  get bytesWaiting(): number {
    return this.#webSocket.bufferedAmount
  }

  get bytesTaken(): number {
    return takenBytes(this.#socket)
  }

  send(text: string, id: string): boolean {
    this.#webSocket.send(texts.find(text, id), { binary: false })
    return !this.#socket.writableNeedDrain
  }

  complete(): void {
    this.#answer({ status: 'completed' })
  }

  close(code: number, reason: string): void {
    this.delivery.close()
    this.#webSocket.close(code, reason)
  }

  end(code: number, reason: string): void {
    this.close(code, reason)
    setTimeout(() => this.#webSocket.terminate(), CLOSE_MS).unref()
  }

  tick(now: number): void {
    if (now - this.heardAt >= IDLE_MS) {
      this.close(CLOSE_IDLE, 'nothing came for 60 s')
      return
    }
    if (now - this.#pingedAt < PING_MS) return
    this.#pingedAt = now
    this.#webSocket.ping()
  }

  #hear(): void {
    this.heardAt = performance.now()
  }

  #receive(data: RawData, isBinary: boolean): void {
    this.#hear()
    if (this.delivery.isClosed) return
    if (isBinary) {
      this.close(CLOSE_BINARY, 'only text frames are served')
      return
    }
    if (this.#isTooOften()) {
      this.close(CLOSE_TOO_OFTEN, `more than ${FRAMES_PER_SECOND} operations a second`)
      return
    }
    const frame = data.toString()
    this.#doing = this.#doing.then(() => this.#operate(frame))
  }

  #isTooOften(): boolean {
    const now = performance.now()
    if (now - this.#frames.since > 1000) this.#frames = { count: 0, since: now }
    return ++this.#frames.count > FRAMES_PER_SECOND
  }

  async #operate(frame: string): Promise<void> {
    const { hub, operations, caller, toAnswer } = this.#options
    let id: string | undefined
    try {
      const former = this.delivery.subscription
      const operation = parseOperation(frame, { ...operations, former })
      id = operation.id
      if (operation.kind === 'ping') {
        this.#answer({ id, status: 'pong' })
        return
      }
      const isNew = operation.kind === 'subscribe'
      const start = isNew ? await resolveStart(hub, operation.subscription, { maxDepthMs: caller.replayMs }) : undefined
      if (this.delivery.isClosed) return
      this.#answer({ id, status: isNew ? 'subscribed' : 'unsubscribed' })
      if (isNew || former !== undefined) this.delivery.subscribe(operation.subscription, start)
    } catch (error) {
      if (this.delivery.isClosed) return
      this.#answer(
        error instanceof SubscriptionError && error.id !== undefined ? error.toAnswer() : toAnswer(error, id),
      )
    }
  }

  #answer(answer: object): void {
    this.#webSocket.send(JSON.stringify(answer))
  }
}
