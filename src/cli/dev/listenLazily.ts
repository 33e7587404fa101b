import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Logger } from '../../observe/Logger.ts'

export interface LazyListener {
  /** Without a trailing slash. */
  readonly url: string
  close(): Promise<void>
}

const HOST = '127.0.0.1'

/**
 * A port of loopback whose service is started by the first connection: to load it takes longer than to start a network, and most
 * tests never ask it. Connections are passed on to the URL that `start` resolves with.
 */
export const listenLazily = async (start: () => Promise<URL>, logger: Logger): Promise<LazyListener> => {
  const sockets = new Set<Socket>()
  let started: Promise<URL> | undefined
  const track = (socket: Socket): Socket => {
    sockets.add(socket)
    // The other end is told by closing this one.
    return socket.on('error', () => undefined).once('close', () => sockets.delete(socket))
  }
  const pass = async (socket: Socket): Promise<void> => {
    try {
      started ??= start().catch((error: unknown) => {
        logger.error('http service failed', { error })
        throw error
      })
      const { hostname, port } = await started
      const inner = track(connect({ host: hostname, port: Number(port), noDelay: true, allowHalfOpen: true }))
      socket.pipe(inner).pipe(socket)
      socket.once('close', () => inner.destroy())
      inner.once('close', () => socket.destroySoon())
    } catch (error) {
      socket.end(unavailable(error))
    }
  }
  const server = createServer({ noDelay: true, allowHalfOpen: true }, (socket) => void pass(track(socket)))
  server.listen(0, HOST)
  await once(server, 'listening')
  return {
    url: `http://${HOST}:${(server.address() as AddressInfo).port}`,
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

/** What a client is told when the service could not be started. */
const unavailable = (cause: unknown): string => {
  const error = `The HTTP service of the network could not be started: ${cause instanceof Error ? cause.message : cause}`
  const body = JSON.stringify({ ok: false, error, code: 503 })
  const head = ['HTTP/1.1 503 Service Unavailable', 'content-type: application/json', 'connection: close']
  return [...head, `content-length: ${Buffer.byteLength(body)}`, '', body].join('\r\n')
}
