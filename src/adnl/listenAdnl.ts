import { randomBytes } from 'node:crypto'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { concatBytes } from '../primitives/bytes.ts'
import { AdnlConnection, type AdnlLimits } from './AdnlConnection.ts'
import { answerPing, createAuthNonce, findAuthComplete, findAuthRequest, isPing } from './controlMessages.ts'
import { AdnlError } from './errors.ts'
import { MAX_FRAME } from './frames.ts'
import { acceptHandshake, createServerCiphers, HANDSHAKE_BYTES, type ServerKey } from './handshake.ts'
import { isSignatureValid } from './keys.ts'

export type ListenOptions = {
  readonly keys: readonly ServerKey[]
  readonly host?: string
  /** 0, the default, takes any free port. */
  readonly port?: number
  /** A server that listens already; its socket is taken over. */
  readonly socket?: Server
  readonly onPayload: (connection: AdnlConnection, payload: Uint8Array) => void
  readonly onClose?: (connection: AdnlConnection) => void
  /** A client from which nothing comes for so long is dropped, before the handshake too. */
  readonly idleMs?: number
  readonly maxConnections?: number
  readonly limits?: Partial<AdnlLimits>
}

export type AdnlServer = {
  readonly host: string
  readonly port: number
  readonly connections: ReadonlySet<AdnlConnection>
  /** Stops listening and drops every connection. */
  close(): Promise<void>
}

const AUTH_NONCE_BYTES = 256

/** Listens for clients that know one of the keys. */
export const listenAdnl = async (options: ListenOptions): Promise<AdnlServer> => {
  const { host = '127.0.0.1', port = 0, maxConnections = 1024 } = options
  const sockets = new Set<Socket>()
  const connections = new Set<AdnlConnection>()
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    acceptClient(socket, options, connections)
  })
  server.maxConnections = maxConnections
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => {
      reject(new AdnlError(`Port ${port} on ${host} cannot be opened for listening: ${cause.message}.`, { cause }))
    })
    if (options.socket === undefined) server.listen(port, host, resolve)
    else server.listen(options.socket, resolve)
  })
  return {
    host,
    port: (server.address() as AddressInfo).port,
    connections,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

const acceptClient = (socket: Socket, options: ListenOptions, connections: Set<AdnlConnection>): void => {
  const { keys, idleMs = 60_000, limits } = options
  socket.setTimeout(idleMs, () => socket.destroy())
  socket.on('error', () => socket.destroy())
  let head: Uint8Array = new Uint8Array(0)
  const onHandshake = (chunk: Uint8Array): void => {
    head = concatBytes([head, chunk])
    if (head.length < HANDSHAKE_BYTES) return
    socket.off('data', onHandshake)
    try {
      const params = acceptHandshake(head, keys)
      const dispatch = createDispatch(options)
      const connection: AdnlConnection = new AdnlConnection(
        socket,
        createServerCiphers(params),
        {
          onPayload: (payload) => dispatch(connection, payload),
          onClose: () => {
            connections.delete(connection)
            options.onClose?.(connection)
          },
        },
        { maxFrame: MAX_FRAME, maxQueuedBytes: 64 * 1024 * 1024, ...limits },
      )
      connections.add(connection)
      connection.send(new Uint8Array(0))
      if (head.length > HANDSHAKE_BYTES) connection.receive(head.subarray(HANDSHAKE_BYTES))
    } catch (error) {
      if (!(error instanceof AdnlError)) throw error
      // As the reference does: a client without the key learns nothing.
      socket.destroy()
    }
  }
  socket.on('data', onHandshake)
}

/** Answers what is the transport's own: pings and the optional authentication, which any key passes. */
const createDispatch = ({ onPayload }: ListenOptions): ((connection: AdnlConnection, payload: Uint8Array) => void) => {
  let challenge: Uint8Array | undefined
  let isAuthenticated = false
  return (connection, payload) => {
    if (payload.length === 0) return
    if (isPing(payload)) {
      connection.send(answerPing(payload))
      return
    }
    const clientNonce = findAuthRequest(payload)
    if (clientNonce !== undefined) {
      if (challenge !== undefined) throw new AdnlError('A client began to authenticate itself twice.')
      const serverNonce = randomBytes(AUTH_NONCE_BYTES)
      challenge = concatBytes([clientNonce, serverNonce])
      connection.send(createAuthNonce(serverNonce))
      return
    }
    const completion = findAuthComplete(payload)
    if (completion === undefined) {
      onPayload(connection, payload)
      return
    }
    if (
      challenge === undefined ||
      isAuthenticated ||
      !isSignatureValid(completion.publicKey, challenge, completion.signature)
    ) {
      throw new AdnlError('A client did not prove the key that it named.')
    }
    isAuthenticated = true
  }
}
