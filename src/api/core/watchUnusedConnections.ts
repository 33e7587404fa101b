import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Watches for connections on which no request has ever come. Closing a server ends those between two requests and waits for
 * those within one, but it also waits for these. The returned function ends them.
 */
export const watchUnusedConnections = (server: Server): (() => void) => {
  const unused = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  server.on('request', ({ socket }) => unused.delete(socket))
  return () => {
    for (const socket of unused) socket.destroy()
  }
}
