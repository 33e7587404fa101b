import type { AccessControl } from '../../api/core/AccessControl.ts'
import type { Call } from '../../api/core/Call.ts'
import type { Dialect } from '../../api/core/Interface.ts'
import { type Mount, mount } from '../../api/core/Mount.ts'
import type { Streams } from '../../api/core/StreamRoute.ts'
import { createStreaming, type StreamHealth, type StreamSource } from '../../api/streaming/createStreaming.ts'
import type { StreamingContext } from '../../api/streaming/endpoints.ts'
import { presentStreaming } from '../../api/streaming/index.ts'
import { createEventRenderer } from '../../api/streaming/renderEvent.ts'
import { StreamConnections } from '../../api/streaming/StreamConnections.ts'
import { createStreamPlans, findCaller } from '../../api/streaming/streamLimits.ts'
import { expandActionTypes } from '../../api/v3/supportedActionTypes.ts'
import type { Config } from '../../config/settings.ts'
import { type BodyDecoder, createBodyDecoder } from '../../contracts/layouts/createBodyDecoder.ts'
import { createIsTrusted } from '../../gateway/clientAddress.ts'
import type { Logger } from '../../observe/Logger.ts'
import type { Metrics } from '../../observe/Metrics.ts'
import type { Shutdown } from '../../observe/Shutdown.ts'
import type { ConfirmedTracker, FinalBlocks } from '../../pending/confirmed/ConfirmedTracker.ts'
import type { Database } from '../../store/connect/Database.ts'
import { DatabaseUnavailableError } from '../../store/errors.ts'
import { findMessageEnds } from '../../store/reader/messageEnds.ts'
import { type DeliverySettings, StreamHub } from '../../streaming/delivery/StreamHub.ts'
import { type BlockEvents, type Journal, NoEventLogError } from '../../streaming/events.ts'
import { MemoryJournal } from '../../streaming/journal/MemoryJournal.ts'
import { readFacts } from '../../streaming/journal/snapshots.ts'
import { IndexLog } from '../../streaming/log/IndexLog.ts'
import type { OpenedPending } from './openPending.ts'

export type StreamingSettings = Pick<
  Config,
  'streamPrefixes' | 'streamPlans' | 'streamStall' | 'streamReplayRate' | 'streamMemory' | 'trustedProxies'
>

export type StreamingParts = {
  /** The index, once it is open. Without it there is no streaming. */
  readonly database: Promise<Database> | undefined
  /** Pending traces; without them there are no speculative events. */
  readonly pending: Pick<OpenedPending, 'changes' | 'openConfirmed'> | undefined
  readonly decoder?: BodyDecoder | undefined
  /** Dialect below /api. */
  readonly dialect: Dialect
  readonly testOnly: boolean
  /** API keys and limits; without it, there are none. */
  readonly accessControl: AccessControl | undefined
  readonly settings: StreamingSettings | undefined
  /** Age at which the newest block makes the service unhealthy; `undefined` if blocks are made on demand. */
  readonly maxHeadAgeMs: number | undefined
  readonly metrics: Metrics
  readonly logger: Logger
  readonly shutdown: Pick<Shutdown, 'add'>
}

export type OpenedStreaming = {
  readonly streams: Streams
  /** The event log as pages; none without an index. */
  readonly mounts: readonly Mount[]
  /** The log and hub of this process, once the index is open. */
  readonly opened: Promise<OpenedLog> | undefined
}

export type OpenedLog = {
  readonly log: IndexLog
  readonly hub: StreamHub
  readonly journal: Journal | undefined
  readonly confirmed: ConfirmedTracker | undefined
}

const OPENING = 'The index is being opened. Try again in a moment.'
const MIB = 1 << 20

/** Streams over the index, below both prefixes and those of the settings. */
export const openStreaming = (parts: StreamingParts): OpenedStreaming => {
  const { database: opening, dialect, accessControl, settings, logger } = parts
  let sources: ReadonlyMap<Dialect, StreamSource> | undefined
  let served: { readonly database: Database; readonly confirmed: ConfirmedTracker | undefined } | undefined
  const opened = opening?.then((database) => {
    const log = openLog(parts, database)
    served = { database, confirmed: log.confirmed }
    sources = createSources(parts, database, log.hub)
    return log
  })
  // The failure is reported by the code that opens the index.
  opened?.catch(() => undefined)
  const sourceOf = (spoken: Dialect) => (): StreamSource => {
    const source = sources?.get(spoken)
    if (opening === undefined) throw new NoEventLogError()
    if (source === undefined) throw new DatabaseUnavailableError(OPENING)
    return source
  }
  const isEnded = accessControl?.isEnded
  const connections = new StreamConnections({ isKeyEnded: isEnded && ((key) => isEnded.call(accessControl, key)) })
  measureConnections(parts.metrics, connections)
  const prefixes: readonly { readonly prefix: `/${string}`; readonly dialect: Dialect }[] = [
    { prefix: '/api/streaming', dialect },
    { prefix: '/ton/api/streaming', dialect: 'ton' },
    ...(settings?.streamPrefixes ?? []).map((prefix) => ({ prefix, dialect })),
  ]
  const plans = createStreamPlans(settings?.streamPlans)
  const isTrustedProxy = createIsTrusted(settings?.trustedProxies ?? [])
  const streams = createStreaming({
    prefixes: prefixes.map((each) => ({ prefix: each.prefix, source: sourceOf(each.dialect) })),
    connections,
    accessControl,
    plans,
    isTrustedProxy,
    expandActionTypes,
    readHealth: () => readHealth(parts, served, opening !== undefined),
    logger,
  })
  // The interface spells the dialect.
  const neutral = sourceOf('chain')
  const toContext = (call: Call): StreamingContext => {
    const { hub, render } = neutral()
    const isTrusted = isTrustedProxy(call.remoteAddress)
    return { log: hub.log, render, limits: findCaller(call.headers, { isTrusted, admission: call, plans }), call }
  }
  const mounts = prefixes.map((each) => mount(presentStreaming(`${each.prefix}/v2`, each.dialect), toContext))
  return { streams, mounts: opening === undefined ? [] : mounts, opened }
}

const openLog = ({ pending, settings, metrics, logger, shutdown }: StreamingParts, database: Database): OpenedLog => {
  const log = new IndexLog({ database, logger, ...(settings && { maxBytes: settings.streamMemory * MIB }) })
  const findHead = () => {
    const { head: seqno } = log
    return seqno === undefined ? undefined : { seqno, utime: database.reader().findHead()?.utime ?? 0 }
  }
  const confirmed = pending?.openConfirmed(database, (listener) =>
    log.follow(
      (block) => listener(listFinalBlocks(block)),
      () => listener(undefined),
    ),
  )
  const journal =
    pending &&
    new MemoryJournal({
      listen: (listener) => pending.changes.listen(listener, { others: true }),
      listenConfirmed: (listener) => confirmed!.listen(listener),
      findHead,
      logger,
      findExecuted: async (hashes) =>
        (await findMessageEnds(database.reader().listReads, hashes)).map(({ messageHash }) => messageHash),
      findFacts: async (trace) => readFacts(database.reader().keyedReads, trace),
    })
  const delivery: Partial<DeliverySettings> = settings
    ? { stallMs: settings.streamStall, replayRate: settings.streamReplayRate }
    : {}
  const hub = new StreamHub({ log, journal, logger, settings: delivery })
  measureHub(metrics, hub)
  // Registered after the database, so that it closes before it.
  shutdown.add('event log', async () => {
    hub.close()
    journal?.close()
    confirmed?.close()
    await log.close()
  })
  return { log, hub, journal, confirmed }
}

const listFinalBlocks = ({ mcSeqno, events }: BlockEvents): FinalBlocks => ({
  mcSeqno,
  blocks: events.flatMap((event) => (event.kind === 'bl' ? [event.block] : [])),
})

/** Both dialects share the hub. */
const createSources = (
  { decoder = createBodyDecoder(), testOnly }: StreamingParts,
  database: Database,
  hub: StreamHub,
): ReadonlyMap<Dialect, StreamSource> => {
  const reads = {
    get keyedReads() {
      return database.reader().keyedReads
    },
    get listReads() {
      return database.reader().listReads
    },
  }
  const toSource = (dialect: Dialect): StreamSource => {
    const renderer = createEventRenderer({ decoder, dialect, reads, testOnly, findHead: () => hub.log.head })
    return { hub, render: (part, subscription) => renderer.render(part, subscription) }
  }
  return new Map((['chain', 'ton'] as const).map((dialect) => [dialect, toSource(dialect)]))
}

const readHealth = async (
  { pending, maxHeadAgeMs }: StreamingParts,
  served: { readonly database: Database; readonly confirmed: ConfirmedTracker | undefined } | undefined,
  hasIndex: boolean,
): Promise<StreamHealth> => {
  if (served === undefined) {
    const error = hasIndex ? OPENING : new NoEventLogError().message
    return { components: { index: { ok: false, error } }, capabilities: [] }
  }
  const { database, confirmed } = served
  const reader = database.reader()
  if (reader.findHead() === undefined) await reader.poll()
  const head = reader.findHead()
  const age = head && Math.max(0, Math.floor(Date.now() / 1000) - head.utime)
  const isOld = age === undefined || (maxHeadAgeMs !== undefined && age * 1000 > maxHeadAgeMs)
  const index = {
    ok: !isOld,
    ...(isOld && { error: age === undefined ? 'missing health data' : 'finalized masterchain block is too old' }),
    ...(head !== undefined && { last_finalized_mc_block_time: head.utime, finalized_age_seconds: age }),
  }
  const hasJournal = pending !== undefined
  const hasConfirmed = (await confirmed?.isEnabled()) === true
  return {
    components: { index, ...(hasJournal && { 'pending-emulation': { ok: true } }) },
    capabilities: [...(hasJournal ? ['pending'] : []), ...(hasConfirmed ? ['confirmed'] : []), 'finalized', 'replay'],
  }
}

const LAG_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const measureConnections = (metrics: Metrics, connections: StreamConnections): void =>
  metrics.reading('gauge', 'chaincenter_streaming_connections', 'Open streaming connections.', () =>
    (['sse', 'ws'] as const).map((transport) => ({ value: connections.count(transport), labels: { transport } })),
  )

const measureHub = (metrics: Metrics, hub: StreamHub): void => {
  const { stats } = hub
  const name = (what: string): string => `chaincenter_streaming_${what}`
  const counter = (what: string, help: string, read: () => number): void =>
    metrics.reading('counter', name(what), help, () => [{ value: read() }])
  counter('events_total', 'Events sent to connections.', () => stats.events)
  counter('characters_total', 'Characters of the events sent to connections.', () => stats.characters)
  counter('dropped_total', 'Speculative events dropped for slow connections.', () => stats.dropped)
  counter('gaps_total', 'Gaps in the events of connections.', () => stats.gaps)
  counter('stalled_total', 'Connections closed because they took no bytes.', () => stats.stalled)
  counter('resumed_total', 'Streams that began after an earlier event.', () => stats.resumed)
  const behind = (): number[] =>
    [...hub.deliveries].map(({ blocksBehind }) => blocksBehind).filter((count) => count > 0)
  metrics.reading('gauge', name('behind_connections'), 'Connections behind the head of the log.', () => [
    { value: behind().length },
  ])
  metrics.reading('gauge', name('behind_blocks_max'), 'Blocks between the slowest connection and the head.', () => [
    { value: Math.max(0, ...behind()) },
  ])
  const help = 'Time from the arrival of a block in the process to the write of one of its events.'
  const lag = metrics.histogram(name('lag_seconds'), help, LAG_SECONDS).of({})
  hub.onSent = (lagMs) => lag.observe(lagMs / 1000)
}
