import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { startNetwork } from '../../../src/cli/dev/startNetwork.ts'
import { formatRawAddress } from '../../../src/primitives/Address.ts'
import { indexedChannel } from '../../../src/store/connect/notifications.ts'
import { openClient } from '../../../src/store/connect/openClient.ts'
import { BusyPayers } from '../busyNetwork.ts'
import { findPort, startDatabase } from '../chaos/parts.ts'
import { childArguments, childScript } from '../childScript.ts'
import { ServeProcess } from '../serveProcess.ts'
import { type Cleanup, tempFolder } from '../tempFolder.ts'
import { untilIndexed } from '../untilIndexed.ts'

export type ClientPlan = {
  readonly transport: 'sse' | 'ws'
  readonly types: readonly string[]
  /** Raw. */
  readonly addresses: readonly string[]
  readonly extended: boolean
}

export type CampaignPlan = {
  readonly port: number
  /** Block after which all clients begin. */
  readonly since: number
  readonly clients: readonly ClientPlan[]
  readonly cutsPerSecond: number
  /** Share of clients that do not read, at any time. */
  readonly stopShare: number
  readonly stopMs: number
}

export type VerifyRequest = {
  readonly port: number
  readonly since: number
  readonly until: number
  readonly patienceMs: number
  /** When each block was committed. */
  readonly commits: readonly (readonly [mcSeqno: number, at: number])[]
  /** While the service or the database was away, and soon after. */
  readonly disturbed: readonly (readonly [from: number, to: number])[]
}

export type ClientsReport = {
  readonly faults: readonly string[]
  readonly events: number
  readonly logged: number
  readonly reconnects: number
  readonly stops: number
  readonly refusals: number
  readonly lags: Readonly<Record<'count' | 'p50' | 'p95' | 'p99' | 'max', number>> & {
    /** The longest of the slowest blocks, each with the seconds since a kill had been got over. */
    readonly slowest: readonly (readonly [ms: number, calmSeconds: number])[]
  }
}

/** A replay of everything by some connections at once. */
export type ReplayRequest = Pick<VerifyRequest, 'port' | 'since' | 'until'> & { readonly connections: number }
export type ReplayReport = Readonly<Record<'events' | 'bytes' | 'ms', number>>

export type CampaignOptions = {
  readonly durationMs: number
  readonly connections: number
  readonly transactionsPerSecond: number
  /** Kills of the service, and of the database. */
  readonly serviceKills: number
  readonly databaseKills: number
  /** Time after which the service closes a connection that takes nothing. */
  readonly stall: string
  readonly stopMs: number
  readonly seed: number
  readonly say: (line: string) => void
}

export type CampaignReport = ClientsReport & {
  readonly transactionsPerSecond: number
  readonly blocks: number
  readonly startBytes: number
  readonly peakBytes: number
  /** Seconds from the arrival of a block in the service to the write of its events: share of events below each bound. */
  readonly served: Readonly<Record<string, number>>
}

const PAYERS = 200
/** A wallet's transaction and those of the messages that it sends. */
export const TRANSACTIONS_PER_SEND = 4
const SENDS_PER_LEAVE = 1000
const SETTLE_MS = 10_000

/** Streams events to many clients, while connections are cut, clients stop reading, and service and database are killed. */
export const runStreamCampaign = async (t: Cleanup, options: CampaignOptions): Promise<CampaignReport> => {
  const { durationMs, connections, transactionsPerSecond, serviceKills, databaseKills, stall, say } = options
  const folder = tempFolder(t)
  const database = await startDatabase(t, join(folder, 'database'))
  const mining = { mode: 'interval', intervalMs: 1000, emptyBlocks: true } as const
  const network = await startNetwork({ shards: 2, mining, http: false, seed: 'chaincenter', keepStates: 0 })
  t.after(() => network.close())
  const payers = new BusyPayers(network, { payers: PAYERS, seed: options.seed, sendsPerLeave: SENDS_PER_LEAVE })
  t.after(() => payers.close())
  await payers.fund()
  const port = await findPort()
  const args = ['start', '--global-config', network.globalConfig.path, '--port', String(port), '--no-limits']
  const more = ['--no-metadata', '--log-level', 'warn', '--stream-stall', stall, '--database-url', database.url]
  const startService = (): ServeProcess => new ServeProcess([...args, ...more], folder)
  let service = startService()
  t.after(() => service.kill())
  const url = await service.url
  const sending = keepSending(payers, transactionsPerSecond / TRANSACTIONS_PER_SEND)
  await untilIndexed(`${url}/api/v3`, network.controls.getStatus().head.seqno)
  await delay(3000)
  const commits = watchCommits(t, database.url)
  await commits.listen()
  const startBytes = residentBytes(service.pid)
  const since = network.controls.getStatus().head.seqno
  await untilIndexed(`${url}/api/v3`, since)
  const child = await startClients(t)
  const clients = planClients(connections, payers)
  const common = { cutsPerSecond: Math.ceil(connections / 1000), stopShare: 0.01, stopMs: options.stopMs }
  child.send({ open: { port, since, clients, ...common } satisfies CampaignPlan })
  await once(child, 'message')
  say(`${connections} clients are open`)
  const disturbed: [number, number][] = [[0, Date.now() + 5000]]
  const begunAt = Date.now()
  let peakBytes = startBytes
  const kills = scheduleKills(durationMs, serviceKills, databaseKills)
  while (Date.now() - begunAt < durationMs) {
    await delay(1000)
    peakBytes = Math.max(peakBytes, residentBytes(service.pid))
    const due = kills.findIndex(({ atMs }) => Date.now() - begunAt >= atMs)
    if (due < 0) continue
    const [{ part }] = kills.splice(due, 1) as [Kill]
    const from = Date.now() - 1000
    if (part === 'service') {
      await service.kill()
      await delay(500)
      service = startService()
      await service.url
    } else {
      await database.kill()
      await delay(1500)
      await database.start()
      await commits.listen()
    }
    const back = Date.now()
    say(`${part} killed, back after ${back - from - 1000} ms`)
    disturbed.push([from, back + SETTLE_MS])
  }
  sending.stop()
  await sending.done
  const seconds = (Date.now() - begunAt) / 1000
  const until = network.controls.getStatus().head.seqno
  await untilIndexed(`${url}/api/v3`, until)
  // Traces of the last blocks may not be finished: all clients are compared up to the same block.
  await delay(2000)
  child.send({
    verify: { port, since, until, patienceMs: 90_000, commits: [...commits.times], disturbed } satisfies VerifyRequest,
  })
  const transactions = await countTransactions(database.url, since, until)
  const served = await readServed((await service.ready).operations)
  const [answer] = (await once(child, 'message')) as [{ report?: ClientsReport; error?: string }]
  if (answer.report === undefined) throw new Error(answer.error)
  return {
    ...answer.report,
    transactionsPerSecond: Math.round(transactions / seconds),
    blocks: until - since,
    startBytes,
    peakBytes,
    served,
  }
}

/** Those without a message are not counted: every masterchain block has some. */
const countTransactions = async (url: string, since: number, until: number): Promise<number> => {
  const client = await openClient({ url, name: 'test', statementTimeoutMs: 0 })
  try {
    const text =
      'SELECT count(*)::int AS n FROM transactions WHERE mc_seqno > $1 AND mc_seqno <= $2 AND in_hash IS NOT NULL'
    const { rows } = await client.query<{ n: number }>(text, [since, until])
    return rows[0]!.n
  } finally {
    await client.end()
  }
}

const readServed = async (operations: string | undefined): Promise<Record<string, number>> => {
  if (operations === undefined) return {}
  const text = await (await fetch(`${operations}/metrics`)).text()
  const buckets = [...text.matchAll(/^chaincenter_streaming_lag_seconds_bucket\{(?:[^}]*,)?le="([^"]+)"\} (\d+)$/gm)]
  const all = Number(buckets.at(-1)?.[2] ?? 0)
  return Object.fromEntries(
    buckets.map(([, bound, count]) => [bound!, Math.round((1000 * Number(count)) / all) / 1000]),
  )
}

type Kill = { readonly atMs: number; readonly part: 'service' | 'database' }

/** In turn, with quiet time between them. */
const scheduleKills = (durationMs: number, serviceKills: number, databaseKills: number): Kill[] => {
  const parts = [
    ...Array.from({ length: serviceKills }, () => 'service' as const),
    ...Array.from({ length: databaseKills }, () => 'database' as const),
  ]
  return parts.map((part, k) => ({ part, atMs: ((k + 1) / (parts.length + 1)) * durationMs }))
}

export const planClients = (connections: number, payers: BusyPayers): ClientPlan[] => {
  const addresses = payers.addresses.map((address) => formatRawAddress(address).toUpperCase())
  return Array.from({ length: connections }, (_, k) => {
    const own = [addresses[k % addresses.length]!, addresses[(k * 7 + 3) % addresses.length]!]
    const types = k % 3 === 0 ? ['transactions'] : ['transactions', 'account_state_change']
    // `account_state_change` alone would be cheap; the rest have both.
    const transport = k % 5 === 4 ? 'ws' : 'sse'
    return { transport, types, addresses: own, extended: transport === 'ws' || k % 10 === 0 }
  })
}

export const keepSending = (payers: BusyPayers, perSecond: number): { stop(): void; readonly done: Promise<void> } => {
  let isEnded = false
  const run = async (): Promise<void> => {
    const begunAt = performance.now()
    let sent = 0
    while (!isEnded) {
      // By the clock: sending itself takes time.
      const due = Math.floor(((performance.now() - begunAt) * perSecond) / 1000)
      const next = delay(250)
      await payers.send(due - sent)
      sent = due
      await next
    }
  }
  return {
    stop: () => {
      isEnded = true
    },
    done: run(),
  }
}

export const startClients = async (t: Cleanup): Promise<ChildProcess> => {
  const child = fork(childScript(import.meta.dirname, 'clientsChild'), [], { execArgv: [...childArguments] })
  t.after(() => child.kill('SIGKILL'))
  await once(child, 'message')
  return child
}

/** Notes when each block was committed: the notification is sent with the commit. */
export const watchCommits = (
  t: Cleanup,
  url: string,
): { readonly times: Map<number, number>; listen(): Promise<void> } => {
  const times = new Map<number, number>()
  let client: pg.Client | undefined
  const end = async (): Promise<void> => {
    await client?.end().catch(() => undefined)
    client = undefined
  }
  t.after(end)
  const listen = async (): Promise<void> => {
    await end()
    client = await openClient({ url, name: 'test', statementTimeoutMs: 0 })
    client.on('error', () => undefined)
    client.on('notification', ({ payload = '' }) => {
      const [first = 0, last = first] = payload.split('-').map(Number)
      for (let seqno = first; seqno <= last; seqno++) times.set(seqno, Date.now())
    })
    await client.query(`LISTEN ${indexedChannel}`)
  }
  return { times, listen }
}

/** Memory of a process and of those that it has started. */
const residentBytes = (pid: number): number => {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
    const own = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024
    return children.reduce((sum, child) => sum + residentBytes(Number(child)), own)
  } catch {
    // It was killed just now.
    return 0
  }
}
