import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { BusyPayers } from '../../../test/support/busyNetwork.ts'
import { createTestDatabase, startTestServer } from '../../../test/support/databaseServer.ts'
import { formatTable } from '../../../test/support/formatTable.ts'
import {
  type CampaignPlan,
  type ClientsReport,
  keepSending,
  planClients,
  type ReplayReport,
  type ReplayRequest,
  startClients,
  TRANSACTIONS_PER_SEND,
  type VerifyRequest,
  watchCommits,
} from '../../../test/support/streamCampaign/campaign.ts'
import { untilIndexed } from '../../../test/support/untilIndexed.ts'
import { startNetwork } from '../dev/startNetwork.ts'

const CONNECTIONS = 1000
const PAYERS = 100
const TRANSACTIONS_PER_SECOND = 60
const LIVE_MS = 20_000
const REPLAYS = 20

/** Network, index and service in this process, clients in another: events of new blocks, memory of connections, replay. */
export const run = async () => {
  const endings: (() => unknown)[] = []
  const t = { after: (ending: () => unknown) => void endings.push(ending) }
  try {
    const server = await startTestServer()
    t.after(() => server.stop())
    const { url: databaseUrl, drop } = await createTestDatabase(server.url, 'migrated')
    t.after(drop)
    const mining = { mode: 'interval', intervalMs: 1000, emptyBlocks: true } as const
    const bounds = { streamStall: 60_000, streamReplayRate: 1_000_000, streamMemory: 256 }
    const streaming = { ...bounds, streamPrefixes: [], streamPlans: [], trustedProxies: [] }
    const network = await startNetwork({ mining, http: { streaming }, index: { databaseUrl }, keepStates: 0 })
    t.after(() => network.close())
    await network.indexed
    const payers = new BusyPayers(network, { payers: PAYERS, seed: 1 })
    t.after(() => payers.close())
    await payers.fund()
    const port = Number(new URL(network.url!).port)
    const untilHead = async (): Promise<number> => {
      const { seqno } = network.controls.getStatus().head
      await untilIndexed(`${network.url}/api/v3`, seqno)
      return seqno
    }
    const since = await untilHead()
    const child = await startClients(t)
    const commits = watchCommits(t, databaseUrl)
    await commits.listen()
    await delay(3000)
    const before = usedBytes()
    const clients = planClients(CONNECTIONS, payers)
    child.send({
      open: { port, since, clients, cutsPerSecond: 0, stopShare: 0, stopMs: 0 } satisfies CampaignPlan,
    })
    await once(child, 'message')
    await delay(3000)
    const bytesPerConnection = (usedBytes() - before) / CONNECTIONS
    const sending = keepSending(payers, TRANSACTIONS_PER_SECOND / TRANSACTIONS_PER_SEND)
    await delay(LIVE_MS)
    sending.stop()
    await sending.done
    const until = await untilHead()
    const verify: VerifyRequest = { port, since, until, patienceMs: 30_000, commits: [...commits.times], disturbed: [] }
    child.send({ verify })
    const { faults, events, lags } = await answerOf<ClientsReport>(child)
    if (faults.length > 0) throw new Error(faults[0])
    // The clients of before are still there; they get nothing new.
    await network.controls.setMining({ mode: 'manual' })
    child.send({ replay: { port, since, until, connections: REPLAYS } satisfies ReplayRequest })
    const replayed = await answerOf<ReplayReport>(child)
    const eventsPerSecond = (1000 * replayed.events) / replayed.ms
    console.log(
      formatTable([
        { what: 'clients', value: CONNECTIONS },
        { what: 'live events', value: events },
        { what: 'commit to client, median ms', value: lags.p50 },
        { what: 'commit to client, p99 ms', value: lags.p99 },
        { what: `replay to ${REPLAYS} clients, events/s`, value: Math.round(eventsPerSecond) },
        { what: 'replay, MB/s', value: Math.round(replayed.bytes / replayed.ms / 1000) },
        { what: 'bytes per connection', value: Math.round(bytesPerConnection) },
      ]),
    )
    return { events_per_s: eventsPerSecond, p99_ms: lags.p99, bytes_per_connection: bytesPerConnection }
  } finally {
    for (const ending of endings.reverse()) await ending()
  }
}

const usedBytes = (): number => {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

const answerOf = async <Report>(child: ChildProcess): Promise<Report> => {
  const [{ report, error }] = (await once(child, 'message')) as [{ readonly report?: Report; readonly error?: string }]
  if (report === undefined) throw new Error(error)
  return report
}
