import type { Server } from 'node:net'
import type { AdnlConnection } from '../../adnl/AdnlConnection.ts'
import { isPong } from '../../adnl/controlMessages.ts'
import { AdnlError } from '../../adnl/errors.ts'
import type { ServerKey } from '../../adnl/handshake.ts'
import { type AdnlServer, listenAdnl } from '../../adnl/listenAdnl.ts'
import { TlError } from '../../codec/tl/TlError.ts'
import { decodeTlObjectAs, tlIds } from '../../codec/tl/tlObject.ts'
import type { Logger } from '../../observe/Logger.ts'
import { getU32LE } from '../../primitives/bytes.ts'
import type { LiteServerAddress } from '../../primitives/LiteServerAddress.ts'
import { FairQueue, type FairQueueLimits } from './FairQueue.ts'
import type { Liteserver } from './Liteserver.ts'
import { Budget, LiteserverSession, type SessionResources } from './LiteserverSession.ts'

export type ListenLiteserverOptions = {
  readonly liteserver: Liteserver
  readonly key: ServerKey
  readonly logger: Logger
  readonly host?: string
  /** 0, the default, takes any free port. */
  readonly port?: number
  /** A server that listens already; its socket is taken over. */
  readonly socket?: Server
  readonly idleMs?: number
  readonly maxConnections?: number
}

export type LiteserverListener = LiteServerAddress & {
  readonly connections: ReadonlySet<AdnlConnection>
  /** Stops listening and closes all connections. */
  close(): Promise<void>
}

const MIB = 1 << 20

/** High enough for every client, low enough for the memory of one process. */
const QUEUE_LIMITS: FairQueueLimits = {
  maxRunning: 256,
  maxRunningOfLane: 16,
  maxQueuedOfLane: 8192,
  maxQueuedSizeOfLane: 16 * MIB,
  maxQueuedSize: 256 * MIB,
  sliceMs: 8,
}
const MAX_WAITING = 16_384
const MAX_WAITING_BYTES = 16 * MIB
const MAX_UNREAD_BYTES = 256 * MIB

/** Listens for clients of the liteserver protocol. */
export const listenLiteserver = async (options: ListenLiteserverOptions): Promise<LiteserverListener> => {
  const { liteserver, key, logger } = options
  const queue = new FairQueue(QUEUE_LIMITS)
  const sessions = new Map<AdnlConnection, LiteserverSession>()
  const resources: SessionResources = {
    liteserver,
    logger,
    waiting: new Budget(MAX_WAITING, MAX_WAITING_BYTES),
    isClogged: () => sumOf(sessions.keys()) > MAX_UNREAD_BYTES,
  }
  const server = await listenAdnl({
    ...listenOptions(options),
    keys: [key],
    onPayload: (connection, payload) => {
      const request = readRequest(payload)
      if (request === undefined) return
      let session = sessions.get(connection)
      if (session === undefined) {
        session = new LiteserverSession(connection, queue.openLane(), resources)
        sessions.set(connection, session)
      }
      session.receive(request.queryId, request.data)
    },
    onClose: (connection) => {
      sessions.get(connection)?.close()
      sessions.delete(connection)
    },
  })
  return describeServer(server, key)
}

type Request = { readonly queryId: Uint8Array; readonly data: Uint8Array }

/**
 * What is not a query at all ends the connection. A query that is not one for a liteserver, or whose outermost bytes
 * cannot be read, gets no answer and does no harm.
 */
const readRequest = (payload: Uint8Array): Request | undefined => {
  if (isPong(payload)) return undefined
  const { queryId, query } = decodeAdnlQuery(payload)
  if (idOf(query) !== tlIds['liteServer.query']) return undefined
  try {
    return { queryId, data: decodeTlObjectAs('liteServer.query', query).data }
  } catch (error) {
    if (error instanceof TlError) return undefined
    throw error
  }
}

const decodeAdnlQuery = (payload: Uint8Array) => {
  if (idOf(payload) !== tlIds['adnl.message.query']) {
    throw new AdnlError('A client sent a packet that is neither a query nor one of the transport.')
  }
  try {
    return decodeTlObjectAs('adnl.message.query', payload)
  } catch (cause) {
    if (!(cause instanceof TlError)) throw cause
    throw new AdnlError(`A client sent a query that cannot be read: ${cause.message}`, { cause })
  }
}

const idOf = (bytes: Uint8Array): number | undefined => (bytes.length < 4 ? undefined : getU32LE(bytes, 0))

const sumOf = (connections: Iterable<AdnlConnection>): number => {
  let sum = 0
  for (const { queuedBytes } of connections) sum += queuedBytes
  return sum
}

const listenOptions = ({ host, port, socket, idleMs, maxConnections }: ListenLiteserverOptions) => ({
  ...(host === undefined ? {} : { host }),
  ...(port === undefined ? {} : { port }),
  ...(socket === undefined ? {} : { socket }),
  ...(idleMs === undefined ? {} : { idleMs }),
  ...(maxConnections === undefined ? {} : { maxConnections }),
})

const describeServer = (
  { host, port, connections, close }: AdnlServer,
  { publicKey }: ServerKey,
): LiteserverListener => ({
  host,
  port,
  publicKey,
  connections,
  close,
})
