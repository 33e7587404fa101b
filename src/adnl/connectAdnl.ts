import { randomBytes } from 'node:crypto'
import { connect as connectSocket } from 'node:net'
import { AdnlConnection, type AdnlHandlers } from './AdnlConnection.ts'
import { createPing, isPong } from './controlMessages.ts'
import { AdnlError } from './errors.ts'
import { MAX_FRAME } from './frames.ts'
import { createClientCiphers, createHandshake } from './handshake.ts'

export type ConnectOptions = AdnlHandlers & {
  readonly host: string
  readonly port: number
  /** The server's Ed25519 key: the handshake fails if the server does not hold it. */
  readonly publicKey: Uint8Array
  readonly timeoutMs?: number
  /** A ping goes out after this much silence. */
  readonly pingAfterMs?: number
  /** After this much silence the other end counts as gone. */
  readonly deadAfterMs?: number
  readonly signal?: AbortSignal
}

const MAX_QUEUED_BYTES = 64 * 1024 * 1024
/** As much as a socket gives at a time by itself. */
const READ_BYTES = 64 * 1024

/** Connects and resolves when the server has shown that it holds the key. */
export const connectAdnl = (options: ConnectOptions): Promise<AdnlConnection> => {
  const { host, port, publicKey, timeoutMs = 5000, pingAfterMs = 10_000, deadAfterMs = 20_000, signal } = options
  if (signal?.aborted === true) return Promise.reject(new AdnlError('The connection attempt was aborted.'))
  return new Promise((resolve, reject) => {
    let isReady = false
    // First, since a key that is none throws here, and nothing is open yet.
    const { packet, params } = createHandshake(publicKey)
    // One buffer for all that comes in, since it is decrypted into another one at once: by itself a socket takes a new one for each read.
    const onread = {
      buffer: new Uint8Array(READ_BYTES),
      callback: (length: number, buffer: Uint8Array): boolean => {
        connection.receive(buffer.subarray(0, length))
        return true
      },
    }
    const socket = connectSocket({ host, port, noDelay: true, onread })
    socket.once('connect', () => socket.write(packet))
    const connection = new AdnlConnection(
      socket,
      createClientCiphers(params),
      {
        onPayload: (payload) => {
          if (!isReady) {
            isReady = true
            clearTimeout(deadline)
            resolve(connection)
          }
          if (payload.length > 0 && !isPong(payload)) options.onPayload(payload)
        },
        onClose: (error) => {
          clearTimeout(deadline)
          clearInterval(heartbeat)
          signal?.removeEventListener('abort', onAbort)
          if (isReady) options.onClose(error)
          else reject(describeFailure(error, host, port))
        },
      },
      { maxFrame: MAX_FRAME, maxQueuedBytes: MAX_QUEUED_BYTES },
    )
    const onAbort = (): void => connection.fail(new AdnlError('The connection attempt was aborted.'))
    signal?.addEventListener('abort', onAbort, { once: true })
    const deadline = setTimeout(() => {
      connection.fail(new AdnlError(`The handshake timed out after ${timeoutMs} ms.`))
    }, timeoutMs)
    const heartbeat = setInterval(
      () => {
        if (!isReady || !connection.isOpen) return
        const silence = performance.now() - connection.lastReceivedAt
        if (silence >= deadAfterMs)
          connection.fail(new AdnlError(`Timeout: the server sent nothing for ${Math.round(silence)} ms.`))
        else if (silence >= pingAfterMs) connection.send(createPing(randomBytes(8)))
      },
      Math.max(10, Math.min(pingAfterMs, deadAfterMs) / 2),
    )
    heartbeat.unref()
  })
}

const describeFailure = (error: AdnlError | undefined, host: string, port: number): AdnlError => {
  const reason = error?.message ?? 'it was closed at once.'
  return new AdnlError(`No connection to ${host}:${port}: ${reason}`, { cause: error?.cause ?? error })
}
