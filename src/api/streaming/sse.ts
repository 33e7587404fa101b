import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Delivery, type RenderEvent, type Sink } from '../../streaming/delivery/Delivery.ts'
import type { Start } from '../../streaming/delivery/resolveStart.ts'
import type { StreamHub } from '../../streaming/delivery/StreamHub.ts'
import type { Subscription } from '../../streaming/subscription/Subscription.ts'
import { SharedBytes } from './SharedBytes.ts'
import type { StreamConnection } from './StreamConnections.ts'
import type { StreamCaller } from './streamLimits.ts'

const KEEPALIVE_MS = 15_000
const RETRY_MS = 3000

/** No compression and no buffering on the way: each event is passed on at once. */
const sseHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache',
  connection: 'keep-alive',
  'x-accel-buffering': 'no',
} as const

const toFrame = (text: string, id: string): string => `event: event\ndata: ${text}\nid: ${id}\n\n`

/** Frames as chunks of a response. */
const chunks = new SharedBytes((text, id) => {
  const frame = toFrame(text, id)
  return Buffer.from(`${Buffer.byteLength(frame).toString(16)}\r\n${frame}\r\n`)
})

const uncork = (socket: Socket): void => socket.uncork()

export type SseOptions = {
  readonly response: ServerResponse
  readonly headers: { readonly [name: string]: string }
  readonly caller: StreamCaller
  readonly hub: StreamHub
  readonly render: RenderEvent
  readonly subscription: Subscription
  readonly start: Start | undefined
  /** The `id` of the request. */
  readonly id: string | undefined
  readonly onClose: (connection: StreamConnection) => void
}

/** A connection with server-sent events: one subscription, which does not change. */
export class SseConnection implements StreamConnection, Sink {
  readonly transport = 'sse'
  readonly caller: StreamCaller
  readonly delivery: Delivery
  readonly #response: ServerResponse
  readonly #socket: Socket
  /** Connections that were opened together are not all written to in the same second. */
  #aliveAt = performance.now() - Math.random() * KEEPALIVE_MS
  #heardAt = performance.now()
  #taken = 0

  constructor({ response, headers, caller, hub, render, subscription, start, id, onClose }: SseOptions) {
    this.caller = caller
    this.#response = response
    this.#socket = response.socket!
    response.writeHead(200, { ...headers, ...sseHeaders })
    const answer = JSON.stringify({ ...(id !== undefined && { id }), status: 'subscribed' })
    // A connection that breaks before its first event goes on here.
    const from = start === undefined ? `id: ${hub.headId}\n` : ''
    response.write(`event: connected\ndata: ${answer}\nretry: ${RETRY_MS}\n${from}\n`)
    this.delivery = new Delivery(hub, this, render)
    this.#socket.on('drain', () => this.delivery.drained())
    response.on('error', () => undefined)
    response.once('close', () => {
      this.delivery.close()
      onClose(this)
    })
    this.delivery.subscribe(subscription, start)
  }

  /** A client says nothing; it is there as long as it takes bytes. */
  get heardAt(): number {
    const taken = this.bytesTaken
    if (taken !== this.#taken || this.bytesWaiting === 0) {
      this.#taken = taken
      this.#heardAt = performance.now()
    }
    return this.#heardAt
  }

  get bytesWaiting(): number {
    return this.#response.writableLength
  }

  get bytesTaken(): number {
    return takenBytes(this.#socket)
  }

  send(text: string, id: string): boolean {
    if (!this.#response.chunkedEncoding) return this.#response.write(toFrame(text, id))
    // The headers are written: the response would make the same chunk for each connection again.
    const socket = this.#socket
    if (socket.writableCorked === 0) {
      socket.cork()
      process.nextTick(uncork, socket)
    }
    return socket.write(chunks.find(text, id))
  }

  /** A frame of its own, so that the client does not take the end for a broken connection. */
  complete(): void {
    this.#finish('event: completed\ndata: {"status":"completed"}\n\n')
  }

  close(): void {
    // What waits was not taken for long; a further write would wait behind it.
    this.#response.destroy()
  }

  end(): void {
    this.delivery.close()
    if (this.bytesWaiting > 0) this.#response.destroy()
    else this.#finish('')
  }

  #finish(text: string): void {
    this.#response.end(text, () => this.#socket.destroySoon())
  }

  tick(now: number): void {
    if (now - this.#aliveAt < KEEPALIVE_MS) return
    this.#aliveAt = now
    if (this.#response.writableNeedDrain) return
    // An id without data is no event, but the client resumes from it: not from its last event, which may be of long ago.
    const id = this.delivery.restingId
    this.#response.write(id === undefined ? ': keepalive\n\n' : `: keepalive\nid: ${id}\n\n`)
  }
}

type WithHandle = { readonly _handle?: { readonly writeQueueSize?: number } | null }

/** Changes as the peer takes bytes, also in the middle of a long write. */
export const takenBytes = (socket: Socket): number =>
  socket.bytesWritten - socket.writableLength - ((socket as WithHandle)._handle?.writeQueueSize ?? 0)
