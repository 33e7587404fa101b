import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'

export type FrozenProxy = {
  /** The URL of the server, by way of here. */
  readonly url: string
  /** From now on nothing is handed on, while connections stay open and new ones are taken: a server that hangs, or a cut line. */
  freeze(): void
}

/** Stands before a server and can stop to hand anything on, as a host does that vanishes without a word. */
export const startFrozenProxy = async (
  t: { readonly after: (ending: () => unknown) => void },
  serverUrl: string,
): Promise<FrozenProxy> => {
  // A server may listen at a socket in a folder, which its URL names beside the place where the host would be.
  const url = new URL(serverUrl.replace('@/', '@localhost/'))
  const port = url.searchParams.get('port') ?? url.port
  const folder = url.searchParams.get('host')
  const reach = (): Socket =>
    folder === null ? connect(Number(port), url.hostname) : connect(join(folder, `.s.PGSQL.${port}`))
  const sockets = new Set<Socket>()
  let isFrozen = false
  const server = createServer((near) => {
    sockets.add(near)
    near.on('error', () => undefined)
    if (isFrozen) return
    const far = reach()
    sockets.add(far)
    far.on('error', () => undefined)
    const handOn = (from: Socket, to: Socket): void => {
      from.on('data', (bytes) => isFrozen || to.write(bytes))
      from.on('close', () => isFrozen || to.destroy())
    }
    handOn(near, far)
    handOn(far, near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  url.search = ''
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: url.href,
    freeze: () => {
      isFrozen = true
    },
  }
}
