import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startChild } from '../../../test/support/benchChild.ts'
import { copyRaw } from '../../../test/support/copyRaw.ts'
import { createTestDatabase, silentLogger } from '../../../test/support/databaseServer.ts'
import { formatTable } from '../../../test/support/formatTable.ts'
import { measureLag } from '../../../test/support/indexLag.ts'
import { besideDiskWriter, besideRequests } from '../../../test/support/lagBeside.ts'
import { type RawCopier, startRawCopier } from '../../../test/support/rawCopier.ts'
import type { VirtualMachine } from '../../chain/ports.ts'
import { dnsZones } from '../../contracts/dns/domainItems.ts'
import { DecodePool } from '../../indexer/decode/DecodePool.ts'
import { createLocalStates } from '../../indexer/sources/accountStates.ts'
import { createBlockSetSource, type RootCheck } from '../../indexer/sources/createBlockSetSource.ts'
import { ArchiveFolder } from '../../node/archive/ArchiveFolder.ts'
import { createArchiveSource } from '../../node/archive/createArchiveSource.ts'
import { Metrics } from '../../observe/Metrics.ts'
import { connectDatabase } from '../../store/connect/connectDatabase.ts'
import type { Database } from '../../store/connect/Database.ts'
import { startEmbeddedServer } from '../../store/embedded/startEmbeddedServer.ts'
import { packPartitions } from '../../store/maintenance/compactIndexes.ts'
import { ensurePartitions } from '../../store/writer/partitions.ts'
import { createVirtualMachine } from '../../tvm/createVirtualMachine.ts'
import { openLocalStates } from './openChain.ts'
import { PARTITION_WIDTH, startIndexer } from './startIndexer.ts'

const WARM_UPS = 2
/** Both sides are measured in turn so many times; the pass with the median ratio counts. */
const PASSES = 5
// To look more often would take from what is measured.
const POLL_MS = 10

/**
 * Makes a chain with jettons, NFTs and payments of all kinds, indexes it from its packages into PostgreSQL, and copies the rows that
 * came out once more into an empty database with the same tables and indexes: the ceiling. Both are done some times before, so that
 * what is measured is how a process runs that has run for a while, and several times, since a machine is never quiet; then with
 * states, that is with code, data and contracts. At last, how long after a block its rows are visible.
 *
 * Since 2026-11-18 another process copies the rows, so that `index_rss_mib`, the most that any pass took, is of the indexer alone.
 * `rss_mib` is measured as before: this process copies the rows of a pass, too, and indexes with the garbage of that. `bytes_per_tx` is
 * after the compaction that a partition gets when it is complete; what it was before that day is `bytes_per_tx_written`.
 */
export const run = async (args: readonly string[] = []): Promise<Record<string, number>> => {
  const { values } = parseArgs({ args: [...args], options: { 'busy-disk': { type: 'boolean', default: false } } })
  return values['busy-disk'] ? runBesideOthers() : runAll()
}

/** The lag alone: beside a v3 server that answers 200 requests a second, then also beside a process that writes and syncs 50 MB/s. */
const runBesideOthers = async (): Promise<Record<string, number>> => {
  const folder = await mkdtemp(join(tmpdir(), 'chaincenter-bench-'))
  const { signal } = new AbortController()
  const server = await startEmbeddedServer({ folder: join(folder, 'postgres'), logger: silentLogger, signal })
  try {
    const idle = await measureLag(server.url, { beside: [besideRequests] })
    console.log(formatTable([idle]))
    const busy = await measureLag(server.url, { beside: [besideRequests, besideDiskWriter(folder)] })
    console.log(formatTable([busy]))
    return { lag_p99_ms: idle.p99, busy_lag_p50_ms: busy.p50, busy_lag_p99_ms: busy.p99, busy_lag_worst_ms: busy.worst }
  } finally {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

const runAll = async (): Promise<Record<string, number>> => {
  const folder = await mkdtemp(join(tmpdir(), 'chaincenter-bench-'))
  const { signal } = new AbortController()
  const server = await startEmbeddedServer({ folder: join(folder, 'postgres'), logger: silentLogger, signal })
  const vm = await createVirtualMachine({ logger: silentLogger, startAfterMs: 0 })
  const decoders = new DecodePool()
  const copier = startRawCopier()
  try {
    const last = await makeChain(folder)
    const tools: Tools = { folder, last, serverUrl: server.url, vm, decoders, copier }
    const first = await measurePass(tools, 'with states')
    for (let k = 0; k < WARM_UPS; k++) await warmUp(tools)
    const passes: Measured[] = []
    for (let k = 0; k < PASSES; k++) passes.push(await measurePass(tools, 'blocks alone'))
    const withStates = await measurePass(tools, 'with states')
    console.log(formatTable([...passes, withStates].map(({ row }) => row)))
    const measured = passes.toSorted((a, b) => a.copyRatio - b.copyRatio)[PASSES >> 1]!
    const lag = await measureLag(server.url)
    console.log(formatTable([lag]))
    const all = [first, ...passes, withStates]
    return {
      copy_ratio: measured.copyRatio,
      tx_per_s: measured.txPerSecond,
      bytes_per_tx: withStates.bytesPerTx,
      bytes_per_tx_written: withStates.bytesPerTxWritten,
      first_rss_mib: first.rssMib,
      index_rss_mib: Math.max(...all.map(({ rssMib }) => rssMib)),
      rss_mib: await measureAfterCopy(tools),
      lag_p99_ms: lag.p99,
    }
  } finally {
    await copier.close()
    await decoders.close()
    await vm.close()
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

type Tools = {
  readonly folder: string
  readonly last: number
  readonly serverUrl: string
  readonly vm: VirtualMachine
  readonly decoders: DecodePool
  readonly copier: RawCopier
}

type Pass = 'blocks alone' | 'with states'

type Measured = Awaited<ReturnType<typeof measurePass>>

/** Only what is measured next: compiled code that is not used for a while is thrown away. */
const warmUp = async (tools: Tools): Promise<void> =>
  inDatabase(tools, async (database) => {
    await indexPackages(tools, database, 'blocks alone')
  })

const inDatabase = async <T>(
  { serverUrl }: Tools,
  work: (database: Database, url: string) => Promise<T>,
): Promise<T> => {
  const { url, drop } = await createTestDatabase(serverUrl, 'migrated')
  const database = await connectDatabase({ url, logger: silentLogger, signal: new AbortController().signal })
  try {
    // Once in two months of a chain; what is copied finds them, too.
    await ensurePartitions(database, [0], PARTITION_WIDTH)
    return await work(database, url)
  } finally {
    await database.close()
    await drop()
  }
}

const measurePass = (tools: Tools, pass: Pass) =>
  inDatabase(tools, async (database, url) => {
    // What tables and indexes take that have nothing in them is the same for any chain.
    const empty = await readBytes(database)
    const { transactions, seconds, cpuSeconds, rssMib } = await indexPackages(tools, database, pass)
    const bytesWritten = (await readBytes(database)) - empty
    const copied = await tools.copier.copy({ url, serverUrl: tools.serverUrl })
    // As a complete partition, which this is too short to be.
    const { signal } = new AbortController()
    if (pass === 'with states') await packPartitions(database, 'present', signal, { fillFactor: 100 })
    const bytes = (await readBytes(database)) - empty
    const copyRatio = copied.seconds / seconds
    const row = {
      pass,
      transactions,
      blocks: tools.last,
      'indexing s': seconds.toFixed(2),
      'our CPU s': cpuSeconds.toFixed(2),
      'raw COPY s': copied.seconds.toFixed(2),
      ratio: copyRatio.toFixed(2),
      'bytes per tx': (bytes / transactions).toFixed(0),
      'as written': (bytesWritten / transactions).toFixed(0),
    }
    const perTx = { bytesPerTx: bytes / transactions, bytesPerTxWritten: bytesWritten / transactions }
    return { row, copyRatio, txPerSecond: transactions / seconds, ...perTx, rssMib }
  })

/** The memory of a pass in a process that has copied the rows of the pass before itself. */
const measureAfterCopy = async (tools: Tools): Promise<number> => {
  await inDatabase(tools, async (database) => {
    await indexPackages(tools, database, 'with states')
    await copyRaw(database, tools.serverUrl)
  })
  return inDatabase(tools, async (database) => (await indexPackages(tools, database, 'with states')).rssMib)
}

/** The highest masterchain block. */
const makeChain = async (folder: string): Promise<number> => {
  const child = await startChild<number>('indexChainChild', [folder])
  await child.close()
  return child.ready
}

type Indexed = {
  readonly transactions: number
  readonly seconds: number
  readonly cpuSeconds: number
  readonly rssMib: number
}

const indexPackages = async (
  { folder, last, vm, decoders }: Tools,
  database: Database,
  pass: Pass,
): Promise<Indexed> => {
  const network = join(folder, 'network')
  const source = createArchiveSource(new ArchiveFolder({ location: join(network, 'archive'), fileHashOnly: true }))
  const checkRoot: RootCheck = (block, signal) => decoders.checkRoot(block, signal)
  const blockSets = createBlockSetSource(source, { checkRoot, ownBytes: true, checksFileHash: true })
  const stateFiles = ['zerostate.boc', 'basestate0.boc'].map((name) => join(network, name))
  const kept = await openLocalStates(join(folder, 'states'), { stateFiles, source, blockSets, sync: false })
  const states = pass === 'with states' ? createLocalStates(kept) : undefined
  let rss = 0
  const watch = setInterval(() => {
    rss = Math.max(rss, process.memoryUsage.rss())
  }, 100)
  try {
    const start = performance.now()
    const startCpu = process.cpuUsage()
    const indexer = startIndexer({
      // Rows that a plain COPY has beside it: what they mean is said afterwards, and has a bench of its own.
      classify: false,
      partitionWidth: PARTITION_WIDTH,
      chain: { blockSets, states, zeroState: new Uint8Array(32), order: 'ascending' },
      database,
      vm,
      decode: (blockSet, signal) => decoders.decode(blockSet, signal),
      dnsZones: dnsZones.main,
      from: 1,
      to: last,
      logger: silentLogger,
      metrics: new Metrics(),
      signal: new AbortController().signal,
    })
    // What comes after all rows are there, the packing of indexes, is no part of it.
    while (indexer.progress?.ranges[0]?.last !== last) await delay(POLL_MS)
    const seconds = (performance.now() - start) / 1000
    const { user, system } = process.cpuUsage(startCpu)
    await indexer.done
    const { transactions } = indexer.progress!
    return { transactions, seconds, cpuSeconds: (user + system) / 1e6, rssMib: rss / 2 ** 20 }
  } finally {
    clearInterval(watch)
    await kept.close()
  }
}

const readBytes = async (database: Database): Promise<number> =>
  database.transaction(async (client) => {
    const { rows } = await client.query<{ bytes: string }>(
      `SELECT sum(pg_total_relation_size(c.oid))::text AS bytes FROM pg_class c
       WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace`,
    )
    return Number(rows[0]!.bytes)
  })
