import type { Socket } from 'node:net'
import { concatBytes } from '../primitives/bytes.ts'
import { AdnlError } from './errors.ts'
import { encodeFrame, FrameDecoder } from './frames.ts'
import type { Ciphers } from './handshake.ts'

export type AdnlHandlers = {
  /** A payload that is not the transport's own business. Its bytes may be kept. */
  readonly onPayload: (payload: Uint8Array) => void
  /** Called once, with the reason where it was not this end that wanted it. */
  readonly onClose: (error: AdnlError | undefined) => void
}

export type AdnlLimits = {
  readonly maxFrame: number
  /** An end that does not read what it asked for is dropped when this much waits for it. */
  readonly maxQueuedBytes: number
}

const PAUSE_MS = 1

/** An established connection, the same at both ends. */
export class AdnlConnection {
  private readonly socket: Socket
  private readonly ciphers: Ciphers
  private readonly decoder: FrameDecoder
  private readonly handlers: AdnlHandlers
  private readonly limits: AdnlLimits
  private unsent: Uint8Array[] = []
  private unsentBytes = 0
  private turn: NodeJS.Immediate | undefined
  private pause: NodeJS.Timeout | undefined
  private closed = false
  private reason: AdnlError | undefined
  /** When something last came in, on the clock of `performance.now()`. */
  lastReceivedAt = performance.now()

  constructor(socket: Socket, ciphers: Ciphers, handlers: AdnlHandlers, limits: AdnlLimits) {
    this.socket = socket
    this.ciphers = ciphers
    this.handlers = handlers
    this.limits = limits
    this.decoder = new FrameDecoder((payload) => {
      if (!this.closed) handlers.onPayload(payload)
    }, limits.maxFrame)
    socket.on('data', (chunk: Uint8Array) => this.receive(chunk))
    socket.on('error', (cause: Error) => this.fail(new AdnlError(`Connection lost: ${cause.message}.`, { cause })))
    socket.on('close', () => this.finish(new AdnlError('The peer closed the connection.')))
  }

  get isOpen(): boolean {
    return !this.closed
  }

  get queuedBytes(): number {
    return this.socket.writableLength + this.unsentBytes
  }

  /** Packets that were not written to the socket yet. */
  get unsentPackets(): number {
    return this.unsent.length
  }

  get remoteAddress(): string {
    return `${this.socket.remoteAddress ?? 'unknown'}:${this.socket.remotePort ?? 0}`
  }

  /** Bytes that came in behind the handshake before this object was there. */
  receive(chunk: Uint8Array): void {
    if (this.closed) return
    this.lastReceivedAt = performance.now()
    try {
      this.decoder.push(this.ciphers.decrypt(chunk))
    } catch (error) {
      if (!(error instanceof AdnlError)) throw error
      this.fail(error)
    }
  }

  /**
   * What is sent within one turn of the event loop goes out as one write: a system call costs more than a small packet. What can wait goes
   * out after a millisecond, together with all that was sent until then, unless it is hurried.
   */
  send(payload: Uint8Array, canWait = false): void {
    if (this.closed) throw new AdnlError('The connection is closed, nothing can be sent on it.')
    const frame = encodeFrame(payload)
    if (canWait && this.turn === undefined) this.pause ??= setTimeout(this.flush, PAUSE_MS)
    else this.turn ??= setImmediate(this.flush)
    this.unsent.push(frame)
    this.unsentBytes += frame.length
    if (this.queuedBytes > this.limits.maxQueuedBytes) {
      this.fail(new AdnlError('The peer does not read what is sent to it.'))
    }
  }

  /** What waits goes out at the end of this turn. */
  hurry(): void {
    if (this.pause !== undefined) this.turn ??= setImmediate(this.flush)
  }

  /** Lets what was sent go out, then closes. */
  close(): void {
    this.flush()
    this.closed = true
    this.socket.end()
    this.socket.destroySoon()
  }

  /** Closes at once, for a reason. */
  fail(reason: AdnlError): void {
    this.reason ??= reason
    this.socket.destroy()
    this.finish(reason)
  }

  private readonly flush = (): void => {
    clearTimeout(this.pause)
    this.pause = undefined
    this.turn = undefined
    const frames = this.unsent
    if (frames.length === 0) return
    this.unsent = []
    this.unsentBytes = 0
    if (this.closed) return
    const [first = new Uint8Array(0)] = frames
    this.socket.write(this.ciphers.encrypt(frames.length === 1 ? first : concatBytes(frames)))
  }

  private isFinished = false

  private finish(fallback: AdnlError): void {
    if (this.isFinished) return
    this.isFinished = true
    const wasWanted = this.closed && this.reason === undefined
    this.closed = true
    this.handlers.onClose(wasWanted ? undefined : (this.reason ?? fallback))
  }
}
