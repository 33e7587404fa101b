import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

const ANSWER_MS = 15_000

/** A connection that sends what it likes. */
export class RudeSocket {
  readonly socket: Socket
  /** Everything that came. */
  private readonly chunks: Buffer[] = []
  private readonly ended: Promise<void>

  private constructor(socket: Socket) {
    this.socket = socket
    // A server may end such a connection at any time.
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => this.chunks.push(chunk))
    this.ended = new Promise((resolve) => socket.once('close', () => resolve()))
  }

  /** `undefined` where no connection is to be had: the machine may have run out of ports. */
  static open(url: string): Promise<RudeSocket | undefined> {
    const { hostname, port } = new URL(url)
    return new Promise((resolve) => {
      const socket = connect({ host: hostname, port: Number(port) }, () => resolve(new RudeSocket(socket)))
      socket.once('error', () => resolve(undefined))
    })
  }

  send(bytes: string | Uint8Array): void {
    if (!this.socket.destroyed) this.socket.write(bytes)
  }

  get isClosed(): boolean {
    return this.socket.destroyed
  }

  /** The status of the first answer, when the connection is at its end; 0 where there was none. */
  async readStatus(): Promise<number> {
    const timer = new AbortController()
    await Promise.race([this.ended, delay(ANSWER_MS, undefined, { signal: timer.signal }).catch(() => undefined)])
    timer.abort()
    const isOver = this.socket.destroyed
    this.socket.destroy()
    if (!isOver) throw new Error(`A connection was neither answered nor closed within ${ANSWER_MS} ms.`)
    const [chunk] = this.chunks
    return chunk === undefined ? 0 : Number(chunk.toString('latin1', 9, 12))
  }

  destroy(): void {
    this.socket.destroy()
  }
}
