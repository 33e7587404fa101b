import type { Server } from 'node:http'
import { createServer, type Server as NetServer } from 'node:net'

/**
 * How many connections may wait in the kernel until they are accepted; the kernel has a limit of its own (4096 on Linux). With Node's
 * default, 511, it drops connections of a burst, and clients try again after 1, 3, 7 … seconds.
 */
export const BACKLOG = 4096

/**
 * Has a server listen on sockets that are bound already, whatever address it is told. Each accepts one connection in a turn of the event
 * loop (libuv 1.45 and later), so copies of one socket accept connections faster that come together. The returned function closes the
 * copies; it resolves when the connections that came over them have ended.
 */
export const listenOn = (server: Server, [first, ...copies]: readonly NetServer[]): (() => Promise<void>) => {
  const listenAnywhere = server.listen.bind(server)
  const accepting = copies.map(() =>
    // As the server itself does it.
    createServer({ allowHalfOpen: true, noDelay: true }, (connection) => void server.emit('connection', connection)),
  )
  const listen = (_address: unknown, done?: () => void): Server => {
    for (const [k, copy] of copies.entries()) accepting[k]!.listen(copy, BACKLOG)
    return listenAnywhere(first, BACKLOG, done)
  }
  server.listen = listen as Server['listen']
  return async () => {
    await Promise.all(accepting.map((each) => new Promise((done) => each.close(done))))
  }
}
