import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { AdnlError } from '../../src/adnl/errors.ts'
import { encodeFrame, FrameDecoder } from '../../src/adnl/frames.ts'
import { createClientCiphers, createHandshake } from '../../src/adnl/handshake.ts'
import { decodeTlObject, encodeTlObject } from '../../src/codec/tl/tlObject.ts'
import { toHex } from '../../src/primitives/hex.ts'
import type { LiteServerAddress } from '../../src/primitives/LiteServerAddress.ts'

/** A client that may send anything behind a right handshake, and sees what comes back. */
export class RudeClient {
  readonly socket: Socket
  readonly closed: Promise<void>
  isClosed = false
  answers = 0
  private readonly encrypt: (bytes: Uint8Array) => Uint8Array
  private readonly waiting = new Map<string, (answer: Uint8Array) => void>()

  private constructor(socket: Socket, publicKey: Uint8Array) {
    const { packet, params } = createHandshake(publicKey)
    const ciphers = createClientCiphers(params)
    this.socket = socket
    this.encrypt = ciphers.encrypt
    const decoder = new FrameDecoder((payload) => this.take(payload))
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => decoder.push(ciphers.decrypt(chunk)))
    this.closed = new Promise((resolve) => {
      socket.once('close', () => {
        this.isClosed = true
        resolve()
      })
    })
    socket.write(packet)
  }

  static async open({ host, port, publicKey }: LiteServerAddress): Promise<RudeClient> {
    const socket = connect({ host, port, noDelay: true })
    await once(socket, 'connect')
    return new RudeClient(socket, publicKey)
  }

  /** Bytes in place of a frame. */
  sendRaw(bytes: Uint8Array): void {
    this.socket.write(this.encrypt(bytes))
  }

  /** Any payload in a right frame. */
  sendPayload(payload: Uint8Array): void {
    this.sendRaw(encodeFrame(payload))
  }

  /** Whatever the function bytes are; resolves with the answer, or `undefined` when the connection ends before one. */
  ask(data: Uint8Array): Promise<Uint8Array | undefined> {
    return this.askQuery(encodeTlObject({ kind: 'liteServer.query', data }))
  }

  /** The same for the bytes of a query that need not be one for a liteserver. */
  askQuery(query: Uint8Array): Promise<Uint8Array | undefined> {
    const queryId = new Uint8Array(randomBytes(32))
    const answer = new Promise<Uint8Array>((resolve) => this.waiting.set(toHex(queryId), resolve))
    this.sendPayload(encodeTlObject({ kind: 'adnl.message.query', queryId, query }))
    return Promise.race([answer, this.closed.then(() => undefined)])
  }

  destroy(): void {
    this.socket.destroy()
  }

  private take(payload: Uint8Array): void {
    if (payload.length === 0) return
    const object = decodeTlObject(payload, payload.length)
    if (object.kind !== 'adnl.message.answer') return
    const key = toHex(object.queryId)
    const resolve = this.waiting.get(key)
    if (resolve === undefined) throw new AdnlError('An answer came to a question that was not asked, or twice.')
    this.waiting.delete(key)
    this.answers++
    resolve(object.answer)
  }
}
