import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Cleanup } from './tempFolder.ts'

export type CuttingProxy = {
  /** Of the server, by way of here. */
  readonly url: string
  /** Connections that were cut so far. */
  readonly cuts: number
}

/**
 * Stands before a server and cuts each connection after as many bytes of the server as `nextBytes` says, in the middle of whatever they are.
 * `undefined`: the connection stays.
 */
export const startCuttingProxy = async (
  t: Cleanup,
  serverUrl: string,
  nextBytes: () => number | undefined,
): Promise<CuttingProxy> => {
  const { hostname, port } = new URL(serverUrl)
  const sockets = new Set<Socket>()
  let cuts = 0
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    let left = nextBytes() ?? Number.POSITIVE_INFINITY
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
    near.on('data', (bytes) => far.write(bytes))
    far.on('data', (bytes) => {
      if (left < 0) return
      near.write(bytes.subarray(0, left))
      left -= bytes.length
      if (left >= 0) return
      cuts++
      near.destroySoon()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get cuts() {
      return cuts
    },
  }
}
