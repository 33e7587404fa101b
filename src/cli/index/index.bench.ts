import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BusyPayers } from '../../../test/support/busyNetwork.ts'
import { copyRaw } from '../../../test/support/copyRaw.ts'
import { createTestDatabase, silentLogger } from '../../../test/support/databaseServer.ts'
import { formatTable } from '../../../test/support/formatTable.ts'
import { measureLag } from '../../../test/support/indexLag.ts'
import { dnsZones } from '../../contracts/dns/findDomainName.ts'
import { DecodePool } from '../../indexer/decode/DecodePool.ts'
import { createKeptStates } from '../../indexer/sources/createKeptStates.ts'
import { createUnitSource } from '../../indexer/sources/createUnitSource.ts'
import { ArchiveFolder } from '../../node/archive/ArchiveFolder.ts'
import { createArchiveSource } from '../../node/archive/createArchiveSource.ts'
import { Metrics } from '../../observe/Metrics.ts'
import { connectDatabase } from '../../store/connect/connectDatabase.ts'
import type { Database } from '../../store/connect/Database.ts'
import { startEmbeddedServer } from '../../store/embedded/startEmbeddedServer.ts'
import { createVirtualMachine } from '../../tvm/createVirtualMachine.ts'
import { startNetwork } from '../dev/startNetwork.ts'
import { openKeptStates } from './openKeptStates.ts'
import { startIndexer } from './startIndexer.ts'

const TRANSACTIONS = 15_000
const PAYERS = 160

/**
 * Makes a chain with jettons, NFTs and payments of all kinds, indexes it from its packages into PostgreSQL, and copies the rows that
 * came out once more into an empty database with the same tables and indexes: the ceiling. Then, how long after a block its rows are
 * visible.
 */
export const run = async (): Promise<Record<string, number>> => {
  const folder = await mkdtemp(join(tmpdir(), 'chaincenter-bench-'))
  const { signal } = new AbortController()
  const server = await startEmbeddedServer({ folder: join(folder, 'postgres'), logger: silentLogger, signal })
  try {
    const last = await makeChain(folder)
    const { url, drop } = await createTestDatabase(server.url, 'migrated')
    const database = await connectDatabase({ url, logger: silentLogger, signal })
    const indexed = await indexPackages(folder, last, database)
    const bytes = await readBytes(database)
    const copied = await copyRaw(database, server.url)
    await database.close()
    await drop()
    const { transactions, seconds, rssMib } = indexed
    const row = {
      transactions,
      'masterchain blocks': last,
      'indexing s': seconds.toFixed(2),
      'raw COPY s': copied.seconds.toFixed(2),
      'of it transactions s': copied.transactionsSeconds.toFixed(2),
      'rows copied': copied.rows,
      'MB on disk': (bytes / 1e6).toFixed(1),
    }
    console.log(formatTable([row]))
    console.log(indexed.stages)
    const lag = await measureLag(server.url)
    console.log(formatTable([lag]))
    return {
      copy_ratio: copied.seconds / seconds,
      tx_per_s: transactions / seconds,
      bytes_per_tx: bytes / transactions,
      rss_mib: rssMib,
      lag_p99_ms: lag.p99,
    }
  } finally {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** The highest masterchain block. */
const makeChain = async (folder: string): Promise<number> => {
  const mining = { mode: 'interval', intervalMs: 200, emptyBlocks: true } as const
  const network = await startNetwork({ folder, mining, demo: true, shards: 2, seed: 'index bench', keepStates: 50 })
  const payers = new BusyPayers(network, { payers: PAYERS, seed: 1 })
  try {
    await payers.fund()
    // Every one that sends makes about four transactions.
    while (payers.sent * 4 < TRANSACTIONS) await payers.round()
    await network.controls.setMining({ mode: 'manual' })
    return network.controls.getStatus().head.seqno
  } finally {
    payers.close()
    await network.close()
  }
}

type Indexed = {
  readonly transactions: number
  readonly seconds: number
  readonly rssMib: number
  readonly stages: string
}

const indexPackages = async (folder: string, last: number, database: Database): Promise<Indexed> => {
  const network = join(folder, 'network')
  const source = createArchiveSource(new ArchiveFolder({ location: join(network, 'archive'), fileHashOnly: true }))
  const units = createUnitSource(source)
  const stateFiles = ['zerostate.boc', 'basestate0.boc'].map((name) => join(network, name))
  const states = await openKeptStates(join(folder, 'states'), { stateFiles, source, units, sync: false })
  const vm = await createVirtualMachine({ logger: silentLogger, startNow: true })
  const decoders = new DecodePool()
  const metrics = new Metrics()
  let rss = 0
  const watch = setInterval(() => {
    rss = Math.max(rss, process.memoryUsage.rss())
  }, 100)
  try {
    globalThis.gc?.()
    const start = performance.now()
    const indexer = startIndexer({
      chain: { units, states: createKeptStates(states), zeroState: new Uint8Array(32), order: 'ascending' },
      database,
      vm,
      decode: (unit, signal) => decoders.decode(unit, signal),
      dnsZones: dnsZones.main,
      from: 1,
      to: last,
      logger: silentLogger,
      metrics,
      signal: new AbortController().signal,
    })
    await indexer.done
    const seconds = (performance.now() - start) / 1000
    return {
      transactions: indexer.progress!.transactions,
      seconds,
      rssMib: rss / 2 ** 20,
      stages: metrics
        .format()
        .split('\n')
        .filter((line) => /stage_seconds_(sum|count)/.test(line))
        .join('\n'),
    }
  } finally {
    clearInterval(watch)
    await decoders.close()
    await vm.close()
    await states.close()
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
