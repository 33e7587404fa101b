// The process that answers HTTP. It ends with the process of the network, whose end closes the channel.
import type { Server } from 'node:net'
import { decodeSingleBoc } from '../../../codec/cell/decodeBoc.ts'
import { loadNetworkConfig, type NetworkConfig } from '../../../config/loadFurther.ts'
import type { MetricFamily } from '../../../observe/Metrics.ts'
import { createShutdown } from '../../../observe/Shutdown.ts'
import type { Address } from '../../../primitives/Address.ts'
import { nextTurn } from '../../../primitives/scheduling.ts'
import { connectDatabase } from '../../../store/connect/connectDatabase.ts'
import type { Database, DatabaseSource } from '../../../store/connect/Database.ts'
import { DatabaseUnavailableError } from '../../../store/errors.ts'
import { httpOptionsOf } from '../../dev/httpOptions.ts'
import type { NetworkFacts, NetworkSource } from '../../dev/NetworkSource.ts'
import { serveNetwork } from '../../dev/serveNetwork.ts'
import { UsageError } from '../../errors.ts'
import { openTelemetry, telemetryOf } from '../../operations/openTelemetry.ts'
import type { ServedUrls } from '../../serve/listenService.ts'
import { openDecoder } from '../../serve/openV3.ts'
import { endWithParent, openParentLink } from '../parentLink.ts'
import { answerEarly } from '../reservePort.ts'
import type { Refusal } from '../startChild.ts'
import { type AnsweringStart, LONG_MS, SOCKET, SOCKETS, topics } from './AnsweringProcess.ts'
import { mountForwardedControls } from './controlsLink.ts'

const CLOSE_TIMEOUT_MS = 10_000
/** Nobody is there any more: connections are closed within this time. */
const ORPHAN_MS = 1000
/** API keys, usage and webhooks are all that is written here. */
const WRITE_CONNECTIONS = 2

const { channel, logger, setLogLevel } = openParentLink()
const shutdown = createShutdown({ logger, timeoutMs: CLOSE_TIMEOUT_MS })

const sockets = new Promise<readonly Server[]>((done) => {
  const received: Server[] = []
  process.on('message', (message, handle) => {
    if (typeof message !== 'object' || message === null || !(SOCKET in message)) return
    // It accepts connections from now on, and not only when the service takes it over.
    const server = handle as Server
    server.on('connection', (connection) => answerEarly(connection))
    received.push(server)
    if (received.length === SOCKETS) done(received)
  })
})

const openIndexed = async (): Promise<Database> => {
  const source = (await channel.request(topics.database, undefined, LONG_MS)) as DatabaseSource | undefined
  if (source === undefined) throw new DatabaseUnavailableError('The service has no index.')
  const { signal } = shutdown
  const database = await connectDatabase({ ...source, logger, signal, writeConnections: WRITE_CONNECTIONS })
  shutdown.add('database', () => database.close())
  return database
}

const remoteSource = (facts: NetworkFacts): NetworkSource => ({
  ...facts,
  fork: undefined,
  findPosition: async (hash) =>
    (await channel.request(topics.position, hash, LONG_MS)) as { address: Address; lt: bigint } | undefined,
  mountControls: (options, onSent) => {
    channel.handle(topics.sent, (boc) => onSent(decodeSingleBoc(boc as Uint8Array)))
    return mountForwardedControls(async (call) => String(await channel.request(topics.control, call, LONG_MS)), options)
  },
  watch: ({ appended, reverted }) => {
    channel.handle(topics.appended, (seqno) => appended(Number(seqno)))
    channel.handle(topics.reverted, reverted)
  },
  readNetworkMetrics: readPrimaryMetrics,
})

const readPrimaryMetrics = async () => (await channel.request(topics.metrics)) as readonly MetricFamily[]

const answer = async (start: AnsweringStart): Promise<ServedUrls | Refusal> => {
  try {
    const loaded = await loadNetworkConfig(start)
    setLogLevel(loaded.config.logLevel)
    const telemetry = telemetryOf(loaded.config)
    if (telemetry !== undefined) await openTelemetry(telemetry, logger, shutdown)
    const { facts } = start
    return facts === undefined ? await answerNamed(loaded, start) : await answerEmbedded(loaded, start, facts)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return { refusal: error.message, advice: error.advice }
  }
}

/** Over a configured network. */
const answerNamed = async (
  { config, beside }: NetworkConfig,
  { workingDir, version, port, front }: AnsweringStart,
): Promise<ServedUrls> => {
  const database = await openIndexed()
  const context = { config, beside, logger, shutdown, workingDir, version }
  const given = { database, port, front, sockets: await sockets, readPrimaryMetrics }
  const { openServer } = await import('../../serve/runServe.ts')
  const { urls } = await openServer(context, undefined, given)
  return urls
}

const answerEmbedded = async (
  { config, beside }: NetworkConfig,
  start: AnsweringStart,
  facts: NonNullable<AnsweringStart['facts']>,
): Promise<ServedUrls> => {
  const { workingDir, port, front } = start
  const indexed = config.index ? openIndexed() : undefined
  // Reported where it is opened.
  indexed?.catch(() => undefined)
  channel.handle(topics.indexed, async () => {
    await indexed
    // Pending emulation begins right after.
    await nextTurn()
  })
  const decoder = config.layouts === undefined ? undefined : openDecoder({ config, workingDir })
  const { url, operations } = await serveNetwork(
    remoteSource(facts),
    { ...httpOptionsOf(config, { ...start, beside }), port, front, sockets: await sockets },
    logger,
    shutdown,
    indexed && { indexed, decoder, redisUrl: config.redisUrl?.reveal() },
  )
  return { url, operations }
}

process.title = 'chaincenter answers'
channel.handle(topics.loaded, () => true)
channel.handle(topics.start, (start) => answer(start as AnsweringStart))
channel.handle(topics.stop, () => shutdown.close('the service stops'))
endWithParent(shutdown, ORPHAN_MS)
