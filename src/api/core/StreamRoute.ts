import { IncomingMessage, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { type PlainRequest, toPlainRequest } from './PlainRoute.ts'

/** A route whose response is a stream: it writes status, headers and body itself, and ends the response. */
export type StreamRoute = {
  readonly method: 'GET' | 'POST' | 'OPTIONS'
  readonly path: `/${string}`
  answer(request: StreamRequest, response: ServerResponse): void | Promise<void>
}

export type StreamRequest = PlainRequest & {
  readonly raw: IncomingMessage
  readonly requestId: string
}

/** Takes over connections whose clients ask for another protocol. */
export type UpgradeHandler = {
  /** Whether the path is one of those. */
  serves(path: string): boolean
  handle(request: IncomingMessage, socket: Duplex, head: Buffer): void
}

/** Streams of a server, next to its interfaces. */
export type Streams = {
  readonly routes: readonly StreamRoute[]
  readonly upgrades: UpgradeHandler | undefined
  /** Ends all streams, spread over some time if there are many. */
  close(): Promise<void>
}

export const registerStreamRoute = (server: FastifyInstance, { method, path, answer }: StreamRoute): void => {
  server.route({
    method,
    url: path,
    handler: async (request, reply): Promise<void> => {
      // A stream may be silent for longer than the server allows a response to stall.
      request.raw.socket.setTimeout(0)
      reply.hijack()
      await answer({ ...toPlainRequest(request), raw: request.raw, requestId: request.id }, reply.raw)
    },
  })
}

/**
 * Requests of a server that upgrades at some paths. Node hands every request with an `Upgrade` header to the upgrade listener, also
 * those of clients that offer HTTP/2 with each request; here only those that are served that way count as such.
 */
export const upgradingRequest = ({ serves }: Pick<UpgradeHandler, 'serves'>): typeof IncomingMessage =>
  class UpgradingRequest extends IncomingMessage {
    private isAsked = false

    get upgrade(): boolean {
      return (
        this.isAsked &&
        this.headers.upgrade?.toLowerCase() === 'websocket' &&
        serves((this.url ?? '').replace(/\?.*$/s, ''))
      )
    }

    // The constructor of Node's class assigns it before the field of this class exists.
    set upgrade(isAsked: boolean) {
      this.isAsked = isAsked
    }
  }
