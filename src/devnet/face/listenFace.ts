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
import { Budget } from './Budget.ts'
import { FaceClient, type FaceServing } from './FaceClient.ts'
import type { LiteFace } from './LiteFace.ts'
import { type TurnLimits, TurnQueue } from './TurnQueue.ts'

export type ListenFaceOptions = {
  readonly face: LiteFace
  readonly key: ServerKey
  readonly logger: Logger
  readonly host?: string
  /** 0, the default, takes any free port. */
  readonly port?: number
  readonly idleMs?: number
  readonly maxConnections?: number
}

export type FaceServer = LiteServerAddress & {
  readonly connections: ReadonlySet<AdnlConnection>
  /** Stops listening, and drops every connection with the questions on it. */
  close(): Promise<void>
}

const MIB = 1 << 20

/** Far above what clients do, and low enough for the memory of one process. */
const TURNS: TurnLimits = {
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

/** Answers the liteserver protocol on a port. */
export const listenFace = async (options: ListenFaceOptions): Promise<FaceServer> => {
  const { face, key, logger } = options
  const turns = new TurnQueue(TURNS)
  const clients = new Map<AdnlConnection, FaceClient>()
  const serving: FaceServing = {
    face,
    logger,
    waiting: new Budget(MAX_WAITING, MAX_WAITING_BYTES),
    isClogged: () => sumOf(clients.keys()) > MAX_UNREAD_BYTES,
  }
  const server = await listenAdnl({
    ...listenOptions(options),
    keys: [key],
    onPayload: (connection, payload) => {
      const question = readQuestion(payload)
      if (question === undefined) return
      let client = clients.get(connection)
      if (client === undefined) {
        client = new FaceClient(connection, turns.openLane(), serving)
        clients.set(connection, client)
      }
      client.ask(question.queryId, question.data)
    },
    onClose: (connection) => {
      clients.get(connection)?.close()
      clients.delete(connection)
    },
  })
  return describeServer(server, key)
}

type Question = { readonly queryId: Uint8Array; readonly data: Uint8Array }

/**
 * What is not a query at all ends the connection. A query that is not one for a liteserver, or whose outermost bytes
 * cannot be read, gets no answer and does no harm.
 */
const readQuestion = (payload: Uint8Array): Question | undefined => {
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

const listenOptions = ({ host, port, idleMs, maxConnections }: ListenFaceOptions) => ({
  ...(host === undefined ? {} : { host }),
  ...(port === undefined ? {} : { port }),
  ...(idleMs === undefined ? {} : { idleMs }),
  ...(maxConnections === undefined ? {} : { maxConnections }),
})

const describeServer = ({ host, port, connections, close }: AdnlServer, { publicKey }: ServerKey): FaceServer => ({
  host,
  port,
  publicKey,
  connections,
  close,
})
