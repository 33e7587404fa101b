import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { AnsweredRequest, OnAnswered } from '../../api/core/Call.ts'
import type { LoadShedder, LoadShedders } from '../../api/core/LoadShedder.ts'
import type { NodePool } from '../../node/pool/NodePool.ts'
import type { ServerStatus } from '../../node/pool/PoolServer.ts'
import { Metrics } from '../../observe/Metrics.ts'
import type { Shutdown } from '../../observe/Shutdown.ts'
import { findTelemetry } from '../../observe/Tracer.ts'
import type { ConnectionStats, Database } from '../../store/connect/Database.ts'
import type { CheckStats } from '../../tvm/checkRuns.ts'
import type { OwnedVirtualMachine } from '../../tvm/createVirtualMachine.ts'
import type { WorkerPoolStats } from '../../tvm/WorkerPool.ts'
import { readVersion } from '../readVersion.ts'

const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

type EndpointMetrics = {
  readonly seconds: { observe(value: number): void }
  /** By what else tells requests apart, as a number: see kindOf. */
  readonly counts: Map<number, { add(amount: number): void }>
}

/** Counts the requests that interfaces have answered, and how long that took. */
export const createRequestMetrics = (metrics: Metrics): OnAnswered => {
  const requests = metrics.counter('chaincenter_http_requests_total', 'Answered HTTP requests.')
  const seconds = metrics.histogram(
    'chaincenter_http_request_seconds',
    'Time from the complete request to the answer.',
    SECONDS,
  )
  const interfaces = new Map<string, Map<string | undefined, EndpointMetrics>>()
  const open = (prefix: string, endpoint: string | undefined): EndpointMetrics => {
    const labels = { interface: prefix, endpoint: endpoint ?? '' }
    const endpointMetrics: EndpointMetrics = { seconds: seconds.of(labels), counts: new Map() }
    const endpoints = interfaces.get(prefix) ?? new Map<string | undefined, EndpointMetrics>()
    interfaces.set(prefix, endpoints.set(endpoint, endpointMetrics))
    return endpointMetrics
  }
  // Labels are put together once for each kind of request, since that takes longer than all the rest.
  return (answered) => {
    const { prefix, endpoint, durationMs } = answered
    const endpointMetrics = interfaces.get(prefix)?.get(endpoint) ?? open(prefix, endpoint)
    const kind = kindOf(answered)
    let count = endpointMetrics.counts.get(kind)
    if (count === undefined) {
      const { transport, status, isCached } = answered
      const own = { transport, status: String(status), kept: String(isCached) }
      count = requests.of({ interface: prefix, endpoint: endpoint ?? '', ...own })
      endpointMetrics.counts.set(kind, count)
    }
    count.add(1)
    endpointMetrics.seconds.observe(durationMs / 1000)
  }
}

const transports = { get: 0, post: 1, rpc: 2 } as const

const kindOf = ({ status, transport, isCached }: AnsweredRequest): number =>
  status * 8 + transports[transport] * 2 + (isCached ? 1 : 0)

/** How connections and servers of the database stand, and how far the index is. */
export const measureDatabase = (metrics: Metrics, database: Pick<Database, 'stats'>): void => {
  const name = (what: string): string => `chaincenter_database_${what}`
  const gauge = (what: string, help: string, read: (stats: ConnectionStats) => number): void =>
    metrics.reading('gauge', name(what), help, () =>
      database.stats().connections.map((stats) => ({
        value: read(stats),
        labels: { server: stats.server, for: stats.name },
      })),
    )
  gauge('connections', 'Open connections to the database.', ({ open }) => open)
  gauge('busy_connections', 'Connections to the database in use.', ({ busy }) => busy)
  gauge('waiting', 'Queries waiting for a connection.', ({ waiting }) => waiting)
  metrics.reading('gauge', name('server_up'), '1 if the database server is usable for reads.', () =>
    database.stats().servers.map(({ server, isUsable }) => ({
      value: isUsable ? 1 : 0,
      labels: { server },
    })),
  )
  metrics.reading('gauge', name('replica_lag_seconds'), 'How long a replica has been behind the writer.', () =>
    database
      .stats()
      .servers.flatMap(({ server, lagMs }) =>
        lagMs === undefined ? [] : [{ value: lagMs / 1000, labels: { server } }],
      ),
  )
  metrics.reading(
    'counter',
    name('seen_reads_total'),
    'Requests whose X-Seen-Seqno was above the head of the first server, by the server that they were sent to.',
    () => Object.entries(database.stats().seenReads).map(([to, value]) => ({ value, labels: { to } })),
  )
  metrics.reading('gauge', 'chaincenter_index_head_seqno', 'Seqno of the newest masterchain block in the index.', () =>
    database
      .stats()
      .servers.flatMap(({ server, head }) => (head === undefined ? [] : [{ value: head.seqno, labels: { server } }])),
  )
  metrics.reading('gauge', 'chaincenter_index_lag_seconds', 'Age of the newest block in the index.', () =>
    database
      .stats()
      .servers.flatMap(({ server, head }) =>
        head === undefined ? [] : [{ value: Math.max(0, Date.now() / 1000 - head.utime), labels: { server } }],
      ),
  )
}

/** How much work there is of each kind, and what was refused because it would have taken too long. */
export const measureWork = (metrics: Metrics, shedders: LoadShedders): void => {
  const add = (kind: 'gauge' | 'counter', what: string, help: string, read: (shedder: LoadShedder) => number): void =>
    metrics.reading(kind, `chaincenter_work_${what}`, help, () =>
      Object.entries(shedders).map(([work, shedder]) => ({ value: read(shedder), labels: { work } })),
    )
  add('gauge', 'in_flight', 'Requests in flight by kind of work.', ({ size }) => size)
  add('gauge', 'expected_seconds', 'Expected time of a new request.', ({ expectedMs }) => expectedMs / 1000)
  add('counter', 'refused_total', 'Requests refused because of overload.', ({ stats }) => stats.refused)
}

/** How the threads of the virtual machine stand. */
export const measureMachine = (metrics: Metrics, vm: Pick<OwnedVirtualMachine, 'stats' | 'checkStats'>): void => {
  const add = (kind: 'gauge' | 'counter', what: string, help: string, read: (stats: WorkerPoolStats) => number): void =>
    metrics.reading(kind, `chaincenter_vm_${what}`, help, () =>
      Object.entries(vm.stats()).map(([pool, stats]) => ({ value: read(stats), labels: { pool } })),
    )
  add('gauge', 'threads', 'TVM threads.', ({ threads }) => threads)
  add('gauge', 'busy_threads', 'Busy TVM threads.', ({ busy }) => busy)
  add('gauge', 'waiting_runs', 'TVM runs waiting for a thread.', ({ waiting }) => waiting)
  add('counter', 'runs_total', 'Completed TVM runs.', ({ done }) => done)
  add('counter', 'failures_total', 'Failed TVM runs.', ({ failed }) => failed)
  if (vm.checkStats() !== undefined) measureChecks(metrics, () => vm.checkStats()!)
}

/** Comparison of TVM runs with those of the emulator. */
const measureChecks = (metrics: Metrics, read: () => CheckStats): void =>
  metrics.reading('counter', 'chaincenter_vm_checks_total', 'TVM runs repeated on the emulator, by outcome.', () => {
    const { checked, different, failed } = read()
    return [
      { value: checked - different, labels: { outcome: 'equal' } },
      { value: different, labels: { outcome: 'different' } },
      { value: failed, labels: { outcome: 'failed' } },
    ]
  })

type Pool = Pick<NodePool, 'status' | 'bestSeqno'>

/** How the liteservers stand, each by its name. */
export const measureNode = (metrics: Metrics, pool: Pool): void => {
  type Read = (status: ServerStatus) => number | undefined
  const add = (kind: 'gauge' | 'counter', name: string, help: string, read: Read): void =>
    metrics.reading(kind, `chaincenter_node_server_${name}`, help, () =>
      pool.status.flatMap((status) => {
        const value = read(status)
        return value === undefined ? [] : [{ value, labels: { server: status.name } }]
      }),
    )
  add('gauge', 'up', '1 if the liteserver is in sync.', ({ condition }) => (condition === 'alive' ? 1 : 0))
  add('gauge', 'head_seqno', 'Seqno of the newest masterchain block of the liteserver.', ({ seqno }) => seqno)
  add('gauge', 'lag_seconds', 'Age of the newest block of the liteserver.', ({ lagSeconds }) => lagSeconds)
  add('gauge', 'latency_seconds', 'Median latency of liteserver requests.', ({ latencyMs }) => seconds(latencyMs))
  add('gauge', 'in_flight', 'Requests in flight.', ({ inFlight }) => inFlight)
  add('counter', 'answers_total', 'Requests answered by the liteserver.', ({ answered }) => answered)
  add('counter', 'failures_total', 'Failed requests to the liteserver.', ({ failed }) => failed)
  metrics.reading('gauge', 'chaincenter_node_servers', 'Number of liteservers by condition.', () => {
    const counts = new Map<string, number>()
    for (const { condition } of pool.status) counts.set(condition, (counts.get(condition) ?? 0) + 1)
    return [...counts].map(([condition, value]) => ({ value, labels: { condition } }))
  })
  metrics.reading('gauge', 'chaincenter_head_seqno', 'Seqno of the newest masterchain block of the network.', () =>
    pool.bestSeqno === undefined ? [] : [{ value: pool.bestSeqno }],
  )
  metrics.reading('gauge', 'chaincenter_head_age_seconds', 'Age of the newest block of the network.', () => {
    const age = findHeadAge(pool)
    return age === undefined ? [] : [{ value: age }]
  })
}

/** How old the newest block of the servers in step is, in seconds, where one of them tells. */
export const findHeadAge = ({ status }: Pick<NodePool, 'status'>): number | undefined => {
  const ages = status.flatMap(({ condition, lagSeconds }) =>
    condition === 'alive' && lagSeconds !== undefined ? [lagSeconds] : [],
  )
  return ages.length === 0 ? undefined : Math.min(...ages)
}

const seconds = (ms: number | undefined): number | undefined => (ms === undefined ? undefined : ms / 1000)

const RESOLUTION_MS = 20
const NS = 1e9

/** What the process itself takes, all its threads together. */
const measureProcess = (metrics: Metrics, version: string): { close(): void } => {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  const startedAt = Date.now() / 1000 - process.uptime()
  metrics.reading('gauge', 'chaincenter_build_info', 'Always 1; labels contain the version.', () => [
    { value: 1, labels: { version, node: process.version } },
  ])
  metrics.reading('gauge', 'process_start_time_seconds', 'Start time of the process.', () => [{ value: startedAt }])
  metrics.reading('counter', 'process_cpu_seconds_total', 'CPU time used.', () => {
    const { user, system } = process.cpuUsage()
    return [{ value: (user + system) / 1e6 }]
  })
  metrics.reading('gauge', 'process_resident_memory_bytes', 'Resident memory.', () => [
    { value: process.memoryUsage.rss() },
  ])
  metrics.reading('gauge', 'nodejs_heap_used_bytes', 'Heap used by the main thread.', () => [
    { value: process.memoryUsage().heapUsed },
  ])
  const help = 'Event loop delay since the last scrape.'
  metrics.reading('gauge', 'nodejs_eventloop_delay_seconds', help, () => {
    const late = (ns: number): number => Math.max(0, ns / NS - RESOLUTION_MS / 1000)
    const readings = [0.5, 0.99, 1].map((quantile) => ({
      value: delay.count === 0 ? 0 : late(delay.percentile(100 * quantile)),
      labels: { quantile: String(quantile) },
    }))
    delay.reset()
    return readings
  })
  return { close: () => delay.disable() }
}

/** The numbers of a process, those of itself first. */
export const createMetrics = (shutdown: Pick<Shutdown, 'add'>): Metrics => {
  const metrics = new Metrics()
  const watch = measureProcess(metrics, readVersion())
  shutdown.add('metrics', () => watch.close())
  findTelemetry()?.exportMetrics(() => metrics.read())
  return metrics
}
