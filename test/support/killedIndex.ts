import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { RunningNetwork } from '../../src/cli/dev/startNetwork.ts'
import { decodeBlockSet } from '../../src/indexer/decode/decodeBlockSet.ts'
import { verifyRange } from '../../src/indexer/verify/verifyRange.ts'
import { connectDatabase } from '../../src/store/connect/connectDatabase.ts'
import { openClient } from '../../src/store/connect/openClient.ts'
import { type EmbeddedServer, startEmbeddedServer } from '../../src/store/embedded/startEmbeddedServer.ts'
import { childArguments, childScript } from './childScript.ts'
import { silentLogger } from './databaseServer.ts'
import { checkIndexedNetwork, openEmbeddedChain } from './indexedNetwork.ts'
import { IndexProcess } from './indexProcess.ts'
import { createRandom, type Random } from './ownWorkload.ts'
import { tempFolder } from './tempFolder.ts'
import { isLong } from './testLength.ts'

export type NetworkReady = Pick<RunningNetwork, 'globalConfig' | 'url'>
export type NetworkEnd = { readonly last: number; readonly sent: number }

type Range = { readonly first: number; readonly last: number }

export type KilledIndexOptions = {
  readonly folder: string
  readonly seed: number
  /** Wallets of the network; all of them get money before anything else happens. */
  readonly payers?: number
  readonly say: (line: string) => void
}

/** How long the index may take to go on after it was hit, on a machine that is busy with other things, too. */
const PATIENCE_MS = 60_000
/** What is still missing in the end may be much. */
const CATCH_UP_MS = 120_000
const { signal } = new AbortController()

/** A busy network, a database server of its own and processes that index, each of which can be killed. */
export class KilledIndex {
  readonly random: Random
  private readonly options: KilledIndexOptions
  private readonly child: ChildProcess
  private readonly network: NetworkReady
  private server: EmbeddedServer
  private readonly closing: (() => unknown)[] = []
  private lives = 0
  readonly processes: IndexProcess[] = []
  /** Warnings and errors of all processes, by their message. */
  readonly complaints = new Map<string, number>()

  private constructor(options: KilledIndexOptions, child: ChildProcess, network: NetworkReady, server: EmbeddedServer) {
    this.options = options
    this.child = child
    this.network = network
    this.server = server
    this.random = createRandom(options.seed)
  }

  static async start(options: KilledIndexOptions): Promise<KilledIndex> {
    const script = childScript(import.meta.dirname, 'killedNetworkChild')
    const child = fork(script, [String(options.seed), String(options.payers ?? 400)], { execArgv: [...childArguments] })
    const server = await startServer(options.folder)
    const [ready] = (await once(child, 'message')) as [NetworkReady]
    return new KilledIndex(options, child, ready, server)
  }

  /** Starts another process beside those that run; with its own embedded database where the one of all others is not named. */
  startIndexer(databaseUrl: string | undefined = this.server.url): IndexProcess {
    const folder = join(this.options.folder, `index-${this.lives++}`)
    const named = databaseUrl === '' ? [] : ['--database-url', databaseUrl]
    const { path } = this.network.globalConfig
    const started = new IndexProcess(['--global-config', path, '--data-dir', folder, ...named])
    this.processes.push(started)
    return started
  }

  async killIndexer(hit: IndexProcess): Promise<void> {
    assert.ok(hit.isRunning, `It ended by itself:\n${hit.lines.join('\n')}`)
    this.forget(hit)
    await hit.send('SIGKILL')
  }

  /** Kills the server or one of its processes, which ends all the others, too; it is there again after a while. */
  async killDatabase(): Promise<string> {
    const backend = this.random.below(4) === 0 ? await this.findBackend() : undefined
    process.kill(backend ?? this.server.pid, 'SIGKILL')
    if (backend !== undefined) return 'a process of the server'
    await delay(this.random.below(1500))
    this.server = await startServer(this.options.folder)
    return 'the server'
  }

  /** Has the server and all its processes stand still, or go on. */
  sendToDatabase(signalName: 'SIGSTOP' | 'SIGCONT'): void {
    for (const pid of [...listChildren(this.server.pid), this.server.pid]) {
      try {
        process.kill(pid, signalName)
      } catch {
        // It has just ended.
      }
    }
  }

  /** The same for the network. */
  sendToNetwork(signalName: 'SIGSTOP' | 'SIGCONT'): void {
    this.child.kill(signalName)
  }

  /** Waits until blocks above those that are there have been added. Returns how long that took. */
  async waitForMore(patienceMs = PATIENCE_MS): Promise<number> {
    const start = performance.now()
    const before = await this.readTop(start + patienceMs)
    while ((await this.readTop(start + patienceMs)) <= before) {
      for (const each of this.processes) assert.ok(each.isRunning, `It ended by itself:\n${each.lines.join('\n')}`)
      if (performance.now() - start > patienceMs) {
        const logs = this.processes.map(({ lines }) => lines.slice(-20).join('\n'))
        throw new Error(`Nothing was added above ${before} for ${patienceMs} ms.\n${logs.join('\n\n')}`)
      }
      await delay(50)
    }
    return Math.round(performance.now() - start)
  }

  /** The process that writes, once it is another than the one before. */
  async findLeader(before?: IndexProcess): Promise<IndexProcess> {
    const end = performance.now() + PATIENCE_MS
    while (performance.now() < end) {
      const rows = await this.query<{ holder: string }>('SELECT holder FROM leases')
      const leader = this.processes.find(({ pid }) => rows[0]?.holder.endsWith(`process ${pid}`))
      if (leader !== undefined && leader !== before) return leader
      await delay(50)
    }
    throw new Error('Nobody leads.')
  }

  /** Lets the network come to rest and the index catch up, stops what runs, and holds one against the other. */
  async finish(): Promise<Record<string, unknown>> {
    this.child.send('end')
    const [{ last, sent }] = (await once(this.child, 'message')) as [NetworkEnd]
    const caughtUpMs = await this.waitUntilWhole(last)
    const stopMs: number[] = []
    for (const each of [...this.processes]) {
      this.forget(each)
      stopMs.push(await each.stop())
    }
    await this.expectNothingHeld()
    const found = await this.check(last)
    return { ...found, sent, caughtUpMs, stopMs, complaints: Object.fromEntries(this.complaints) }
  }

  async close(): Promise<void> {
    for (const each of this.processes) await each.send('SIGKILL')
    for (const close of this.closing) await close()
    await this.server.stop()
    if (!this.child.connected) return
    const ended = once(this.child, 'exit')
    this.child.disconnect()
    await ended
  }

  /** Counts what a process has complained about, and does not look after it any more. */
  forget(gone: IndexProcess): void {
    this.processes.splice(this.processes.indexOf(gone), 1)
    for (const line of gone.lines) {
      const { level, message } = parseLine(line)
      if (level !== 'warn' && level !== 'error') continue
      this.complaints.set(message, (this.complaints.get(message) ?? 0) + 1)
    }
  }

  private async waitUntilWhole(last: number): Promise<number> {
    const start = performance.now()
    for (;;) {
      const ranges = await this.readRanges()
      if (ranges.length === 1 && ranges[0]!.first === 1 && ranges[0]!.last === last) break
      if (performance.now() - start > CATCH_UP_MS) {
        const logs = this.processes.map(({ lines }) => lines.slice(-20).join('\n'))
        throw new Error(`Of 1 to ${last} there is ${JSON.stringify(ranges)}.\n${logs.join('\n')}`)
      }
      await delay(100)
    }
    return Math.round(performance.now() - start)
  }

  private async check(last: number): Promise<Record<string, unknown>> {
    const chain = await openEmbeddedChain(
      { after: (close) => void this.closing.push(close as () => unknown) },
      this.network,
    )
    const database = await connectDatabase({ url: this.server.url, logger: silentLogger, signal })
    this.closing.push(() => database.close())
    const figures = await checkIndexedNetwork({ network: this.network, blockSets: chain.blockSets, last }, database)
    const findings: unknown[] = []
    const verified = await verifyRange(database, {
      firstSeqno: 1,
      lastSeqno: last,
      fetchBlockSet: async (seqno, fetching) => decodeBlockSet(await chain.blockSets.fetchBlockSet(seqno, fetching)),
      signal,
      onFinding: (finding) => findings.push(finding),
    })
    assert.deepEqual(findings, [])
    assert.deepEqual(verified, { blocks: last, transactions: figures['transactions'], findings: 0 })
    return figures
  }

  /** Whoever was stopped or killed has left no lock and no connection behind. */
  async expectNothingHeld(): Promise<void> {
    const list = () =>
      this.query<{ name: string; locks: number }>(
        `SELECT a.application_name AS name, count(l.pid)::int AS locks FROM pg_stat_activity a
         LEFT JOIN pg_locks l ON l.pid = a.pid AND l.locktype = 'advisory'
       WHERE a.application_name LIKE 'chaincenter %' AND a.pid <> pg_backend_pid() GROUP BY 1`,
      )
    // The server notices in its own time that somebody is gone.
    for (let tries = 1; tries < 40 && (await list()).length > 0; tries++) await delay(50)
    assert.deepEqual(await list(), [])
    // A server of an indexer's own works in its folder.
    const folder = join(this.options.folder, 'index-')
    for (let tries = 1; tries < 200 && listWorkingIn(folder).length > 0; tries++) await delay(50)
    assert.deepEqual(listWorkingIn(folder), [])
  }

  private async findBackend(): Promise<number | undefined> {
    const rows = await this.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'chaincenter %' AND pid <> pg_backend_pid() ORDER BY pid`,
    ).catch(() => [])
    return rows.length === 0 ? undefined : rows[this.random.below(rows.length)]!.pid
  }

  private async readTop(until: number): Promise<number> {
    for (;;) {
      try {
        return (await this.readRanges()).at(-1)?.last ?? 0
      } catch (error) {
        // Nothing is there yet, or the server is just not.
        if (performance.now() > until) throw error
        await delay(50)
      }
    }
  }

  private readRanges(): Promise<Range[]> {
    return this.query('SELECT first_seqno AS first, last_seqno AS last FROM covered_ranges ORDER BY 1')
  }

  private async query<Row extends pg.QueryResultRow>(text: string): Promise<Row[]> {
    const client = await openClient({ url: this.server.url, name: 'test', statementTimeoutMs: 5000 })
    try {
      return (await client.query<Row>(text)).rows
    } finally {
      await client.end().catch(() => undefined)
    }
  }
}

/** Starts all of it for a test, which ends it before its folder is removed: hooks run in the order in which they are added. */
export const startKilledIndex = async (t: TestContext, seed: number): Promise<KilledIndex> => {
  let run: KilledIndex | undefined
  t.after(() => run?.close())
  const payers = isLong ? 400 : 60
  run = await KilledIndex.start({ folder: tempFolder(t), seed, payers, say: (line) => t.diagnostic(line) })
  return run
}

const startServer = (folder: string): Promise<EmbeddedServer> =>
  startEmbeddedServer({ folder: join(folder, 'postgres'), logger: silentLogger, signal, durability: 'full' })

const parseLine = (line: string): { readonly level?: string; readonly message: string } => {
  try {
    return JSON.parse(line) as { level: string; message: string }
  } catch {
    return { level: 'error', message: line }
  }
}

const listProcesses = (isMeant: (pid: number) => boolean): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return isMeant(pid)
      } catch {
        // It has just ended.
        return false
      }
    })

const listChildren = (parent: number): number[] =>
  listProcesses((pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)!.split(' ')
    return Number(fields[1]) === parent
  })

const listWorkingIn = (prefix: string): number[] =>
  process.platform === 'linux' ? listProcesses((pid) => readlinkSync(`/proc/${pid}/cwd`).startsWith(prefix)) : []
