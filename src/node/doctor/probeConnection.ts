import { connect } from 'node:net'
import { AdnlError } from '../../adnl/errors.ts'
import { FrameDecoder } from '../../adnl/frames.ts'
import { createClientCiphers, createHandshake } from '../../adnl/handshake.ts'
import type { LiteServerAddress } from '../../primitives/LiteServerAddress.ts'
import { onAbort } from '../../primitives/scheduling.ts'

/**
 * How far a connection gets. Before it is open: `unknown_host`, `refused`, `unreachable`. After the handshake was sent:
 * `closed` and `silent` without a byte in return, `garbled` with bytes that only the key's holder would not send, `ready`.
 * `bad_key`: the key is no point of the curve, so that there is nothing to send.
 */
export type ConnectionOutcome =
  | 'unknown_host'
  | 'refused'
  | 'unreachable'
  | 'closed'
  | 'silent'
  | 'garbled'
  | 'ready'
  | 'bad_key'

/** Connects once and classifies the outcome. */
export const probeConnection = (
  { host, port, publicKey }: LiteServerAddress,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<ConnectionOutcome> => {
  const handshake = findHandshake(publicKey)
  if (handshake === undefined) return Promise.resolve('bad_key')
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    let outcomeSoFar: ConnectionOutcome = 'unreachable'
    const socket = connect({ host, port, noDelay: true })
    const cleanUp = (): void => {
      clearTimeout(timer)
      leave()
      socket.destroy()
    }
    const end = (outcome: ConnectionOutcome): void => {
      cleanUp()
      resolve(outcome)
    }
    const timer = setTimeout(() => end(outcomeSoFar), timeoutMs)
    const leave = onAbort(signal, () => {
      cleanUp()
      reject(signal.reason)
    })
    const ciphers = createClientCiphers(handshake.params)
    const decoder = new FrameDecoder(() => end('ready'))
    socket.once('connect', () => {
      outcomeSoFar = 'silent'
      socket.write(handshake.packet)
    })
    socket.on('data', (chunk: Uint8Array) => {
      outcomeSoFar = 'garbled'
      try {
        decoder.push(ciphers.decrypt(chunk))
      } catch (error) {
        if (!(error instanceof AdnlError)) throw error
        end('garbled')
      }
    })
    socket.on('error', (error: NodeJS.ErrnoException) => {
      end(outcomeSoFar === 'unreachable' ? classify(error) : closedAfter(outcomeSoFar))
    })
    socket.on('close', () => end(closedAfter(outcomeSoFar)))
  })
}

const closedAfter = (outcome: ConnectionOutcome): ConnectionOutcome => (outcome === 'silent' ? 'closed' : outcome)

const findHandshake = (publicKey: Uint8Array) => {
  try {
    return createHandshake(publicKey)
  } catch (error) {
    if (error instanceof AdnlError) return undefined
    throw error
  }
}

const classify = ({ code, syscall }: NodeJS.ErrnoException): ConnectionOutcome => {
  if (syscall === 'getaddrinfo') return 'unknown_host'
  return code === 'ECONNREFUSED' ? 'refused' : 'unreachable'
}
