import { Socket } from 'node:net'

/** The sockets of a database's connections, those that are being opened among them: each can be cut, whatever the server is busy with. */
export class OpenSockets {
  readonly #open = new Set<Socket>()

  readonly create = (): Socket => {
    const socket = new Socket()
    this.#open.add(socket)
    socket.once('close', () => this.#open.delete(socket))
    return socket
  }

  /** Waits for an orderly end, but not for long: a server that hangs says no goodbye. */
  async endWithin(graceMs: number, ending: Promise<unknown>): Promise<void> {
    const cut = setTimeout(() => {
      for (const socket of this.#open) socket.destroy()
    }, graceMs)
    try {
      await ending
    } finally {
      clearTimeout(cut)
    }
  }
}
