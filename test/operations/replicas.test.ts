import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { type RunningNetwork, startNetwork } from '../../src/cli/dev/startNetwork.ts'
import { createReadiness } from '../../src/cli/operations/createReadiness.ts'
import { measureDatabase } from '../../src/cli/operations/metrics.ts'
import { createClient } from '../../src/client/createClient.ts'
import { Metrics } from '../../src/observe/Metrics.ts'
import { connectDatabase } from '../../src/store/connect/connectDatabase.ts'
import type { Database } from '../../src/store/connect/Database.ts'
import { missingDatabase } from '../support/database.ts'
import { silentLogger } from '../support/databaseServer.ts'
import { runReplicaCampaign } from '../support/replicaCampaign.ts'
import { missingStandby, type Replication, startReplication, type TestServer } from '../support/standby.ts'
import { getV3, type V3Answer } from '../support/v3Client.ts'
import { serveV3 } from '../support/v3Service.ts'
import { waitUntil } from '../support/waitUntil.ts'

const { signal } = new AbortController()

describe('reads over a streaming replica', { skip: missingStandby() || missingDatabase() }, () => {
  const endings: (() => unknown)[] = []
  const cleanup = { after: (ending: () => unknown) => void endings.push(ending) }
  let replication: Replication
  let standby: TestServer
  let network: RunningNetwork
  let database: Database
  let base: string

  before(async () => {
    replication = await startReplication(cleanup)
    network = await startNetwork({
      mining: { mode: 'manual' },
      http: {},
      index: { databaseUrl: replication.primary.url },
      keepStates: 0,
    })
    cleanup.after(() => network.close())
    await network.indexed
    await network.controls.mine(2)
    standby = await replication.addStandby()
    database = await connectDatabase({
      url: replication.primary.url,
      readerUrls: [standby.url],
      readerLagMs: 60_000,
      logger: silentLogger,
      signal,
    })
    cleanup.after(() => database.close())
    base = `${(await serveV3(cleanup, database)).url}/api/v3`
  })
  after(async () => {
    for (const ending of endings.reverse()) await ending()
  })

  const replay = async (what: 'pause' | 'resume'): Promise<void> => {
    const client = new pg.Client({ connectionString: standby.url.replace('?ssl=0', '') })
    await client.connect()
    await client.query(`SELECT pg_wal_replay_${what}()`)
    await client.end()
  }
  const ask = (headers: Record<string, string> = {}, args = {}): Promise<V3Answer> =>
    getV3(base, 'masterchainInfo', args, headers)
  const seenBy = ({ headers }: V3Answer, name = 'x-seen-seqno'): number => Number(headers.get(name) ?? Number.NaN)
  const servers = () => database.stats().servers
  const lagMs = (): number => servers()[1]!.lagMs ?? Number.NaN
  /** Makes a block, and waits until the primary has it. */
  const mine = async (): Promise<number> => {
    database.reader()
    const { seqno } = await network.controls.mine(1)
    await waitUntil(`the primary has block ${seqno}`, () => (servers()[0]!.head?.seqno ?? 0) >= seqno)
    return seqno
  }
  const untilReplayed = async (): Promise<void> => {
    database.reader()
    await waitUntil(
      () => `the replica is used: ${JSON.stringify(servers())}`,
      () => servers()[1]!.isUsable && lagMs() === 0,
    )
  }

  it('a caller gets nothing older than it has seen', async () => {
    await mine()
    await untilReplayed()
    const first = await ask({ 'x-seen-seqno': '0' })
    assert.equal(first.status, 200)
    assert.equal(seenBy(first), first.body.last.seqno)
    assert.equal((await ask()).headers.get('x-seen-seqno'), null)
    await replay('pause')
    const seqno = await mine()
    // The replica lags within its limit, so it is read by a caller that asks for nothing.
    const old = await ask()
    assert.deepEqual([old.status, old.body.last.seqno < seqno], [200, true])
    assert.equal(seenBy(old, 'x-indexed-seqno'), old.body.last.seqno)
    for (let k = 0; k < 3; k++) {
      const answer = await ask({ 'x-seen-seqno': String(seqno) })
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      assert.equal(answer.body.last.seqno, seqno)
      assert.equal(seenBy(answer), seqno)
      assert.equal(seenBy(answer, 'x-indexed-seqno'), seqno)
    }
    const { writer } = database.stats().seenReads
    assert.equal(writer, 3)
    // The replica that catches up answers by itself.
    await replay('resume')
    await untilReplayed()
    assert.equal((await ask({ 'x-seen-seqno': String(seqno) })).body.last.seqno, seqno)
    assert.equal(database.stats().seenReads.writer, writer)
  })

  it('a block that comes in time is waited for, and one that does not is refused', async () => {
    await untilReplayed()
    const { seqno } = network.controls.getStatus().head
    const waiting = ask({ 'x-seen-seqno': String(seqno + 1) })
    await mine()
    assert.deepEqual([(await waiting).status, (await waiting).body.last.seqno], [200, seqno + 1])
    const refusals = [
      await ask({ 'x-seen-seqno': String(seqno + 3) }, { x_timeout: 100 }),
      // Too far ahead to wait for.
      await ask({ 'x-seen-seqno': '4294967295' }),
    ]
    for (const { status, headers, body } of refusals) {
      assert.deepEqual([status, headers.get('retry-after')], [503, '1'])
      assert.match(body.error, new RegExp(`^The index is at masterchain block ${seqno + 1}, and the request asks for`))
    }
    assert.equal(database.stats().seenReads.refused, 2)
  })

  it('a value that is not a seqno is refused', async () => {
    for (const value of ['abc', '-1', '1.5', '4294967296', '0x10', '1, 2', '+1']) {
      const { status, body } = await ask({ 'x-seen-seqno': value })
      assert.deepEqual([status, body], [422, { error: 'X-Seen-Seqno must be the seqno of a masterchain block' }], value)
    }
  })

  it('the client of one server carries over to the next what it has seen, of calls and of events', async () => {
    const primary = createClient({ url: network.url! })
    const stream = primary.subscribe({ types: ['blocks'] })
    const event = stream.next()
    await primary.v3.masterchainInfo()
    await replay('pause')
    const seqno = await mine()
    // Only the event tells of the block.
    await event
    await stream.return()
    assert.equal(primary.seenSeqno, seqno)
    const client = createClient({ url: base.replace('/api/v3', ''), seenSeqno: primary.seenSeqno })
    assert.equal((await client.v3.masterchainInfo()).last.seqno, seqno)
    assert.equal(client.seenSeqno, seqno)
    await replay('resume')
  })

  it('metrics and readiness tell how far a replica is behind', async () => {
    await untilReplayed()
    await replay('pause')
    const seqno = await mine()
    await waitUntil('the lag is seen', () => lagMs() > 300)
    const metrics = new Metrics()
    measureDatabase(metrics, database)
    assert.match(metrics.format(), /chaincenter_database_replica_lag_seconds\{server="replica 1"\} 0\.[3-9]|[1-9]/)
    assert.match(metrics.format(), /chaincenter_database_seen_reads_total\{to="refused"\} 2/)
    const { ready, replicas } = await createReadiness({ database }).check()
    assert.equal(ready, true)
    assert.deepEqual([replicas?.length, replicas?.[0]?.used, replicas?.[0]?.seqno], [1, true, seqno - 1])
    assert.ok(replicas![0]!.lag! >= 0.3)
    await replay('resume')
  })

  it('a replica that is gone is left out until it is back', async () => {
    await untilReplayed()
    const seqno = await mine()
    // No request fails meanwhile: the primary answers those that the replica had.
    let isOver = false
    const asked = Array.from({ length: 4 }, async (_, k) => {
      const statuses: number[] = []
      while (!isOver) statuses.push((await ask(k % 2 === 0 ? {} : { 'x-seen-seqno': String(seqno) })).status)
      return statuses
    })
    await standby.kill()
    await waitUntil('the loss is seen', () => !servers()[1]!.isUsable)
    isOver = true
    const statuses = (await Promise.all(asked)).flat()
    assert.ok(statuses.length > 0)
    assert.deepEqual(
      statuses.filter((status) => status !== 200),
      [],
    )
    for (let k = 0; k < 5; k++) {
      assert.equal((await ask()).body.last.seqno, seqno)
      assert.equal((await ask({ 'x-seen-seqno': String(seqno) })).body.last.seqno, seqno)
    }
    const { ready, replicas } = await createReadiness({ database }).check()
    assert.deepEqual([ready, replicas?.[0]?.used], [true, false])
    await standby.start()
    await untilReplayed()
  })

  it('no client goes back in time while replicas stop, are killed and come back', async (t) => {
    const other = await replication.addStandby()
    await network.controls.setMining({ mode: 'interval', intervalMs: 200, emptyBlocks: true })
    const report = await runReplicaCampaign(
      cleanup,
      {
        durationMs: 2000,
        answerers: 3,
        replicas: 2,
        clients: 2,
        intervalMs: 200,
        faults: ['pause', 'restart', 'resume', 'kill', 'start'],
      },
      { replication, network, standbys: [other, standby] },
    )
    await network.controls.setMining({ mode: 'manual' })
    t.diagnostic(JSON.stringify(report))
    assert.deepEqual([report.wentBack, report.failures], [0, []])
    assert.ok(report.answers > 5, JSON.stringify(report))
  })

  it('without the primary a replica answers, and refuses what it does not have', async () => {
    await untilReplayed()
    await replay('pause')
    const seqno = await mine()
    await replication.primary.kill()
    const isLost = (): boolean => !servers()[0]!.isUsable
    await waitUntil('the loss is seen', isLost)
    const { status, body } = await ask()
    assert.deepEqual([status, body.last.seqno < seqno], [200, true])
    const { status: refused, body: reason } = await ask({ 'x-seen-seqno': String(seqno) }, { x_timeout: 100 })
    assert.equal(refused, 503)
    assert.match(reason.error, /^The index is at masterchain block \d+, and the request asks for block \d+\./)
  })
})
