import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestDatabase, silentLogger } from '../../../test/support/databaseServer.ts'
import { formatTable } from '../../../test/support/formatTable.ts'
import { SampleIndexer, sampleZeroState } from '../../../test/support/sampleIndex/SampleIndexer.ts'
import { makeWorld } from '../../../test/support/sampleIndex/SampleWorld.ts'
import { loadIndexState } from '../../indexer/commit/indexState.ts'
import { connectDatabase } from '../../store/connect/connectDatabase.ts'
import { startEmbeddedServer } from '../../store/embedded/startEmbeddedServer.ts'
import { IndexLog } from './IndexLog.ts'

const WIDTH = 1_000_000
const { signal } = new AbortController()

type Measured = {
  readonly transactions: number
  readonly events: number
  readonly cpuMs: number
  readonly wallMs: number
  readonly bytes: number
  readonly estimated: number
}

/** More than once: what is weakly held lives until the end of a job. */
const collect = async (): Promise<void> => {
  for (let k = 0; k < 3; k++) {
    await new Promise((done) => setTimeout(done, 50))
    globalThis.gc?.()
  }
}

/** What it takes to make the events of blocks of this size, per block, and what they take in memory. */
const measureBlocks = async (serverUrl: string, blocks: number, width: number): Promise<Measured> => {
  const { url, drop } = await createTestDatabase(serverUrl, 'migrated')
  const database = await connectDatabase({ url, logger: silentLogger, signal })
  try {
    await loadIndexState(database, { zeroState: sampleZeroState, partitionWidth: WIDTH, watchedAccounts: undefined })
    const delays = [0, 0, 0, 1, 1, 2]
    const world = makeWorld({ seed: 1, blockSets: blocks, width, delays, sends: [0, 0, 0, 1, 1, 1, 2] })
    const indexer = new SampleIndexer(database, world, { width: WIDTH })
    for (let seqno = 1; seqno <= blocks; seqno++) await indexer.index(seqno, seqno)
    await database.transaction((client) => client.query('DELETE FROM unclassified_blocks'))
    await database.transaction((client) => client.query('ANALYZE'))
    const readAll = async (log: IndexLog): Promise<number> => {
      let events = 0
      for (let seqno = 1; seqno <= blocks; seqno++) events += (await log.read(seqno)).events.length
      return events
    }
    // Prepares statements and compiles.
    await readAll(new IndexLog({ database, logger: silentLogger, maxBytes: 0 }))
    const log = new IndexLog({ database, logger: silentLogger, maxBytes: 2 ** 40 })
    await collect()
    const [before, cpu, start] = [process.memoryUsage(), process.cpuUsage(), performance.now()]
    const events = await readAll(log)
    const wallMs = performance.now() - start
    const { user, system } = process.cpuUsage(cpu)
    await collect()
    const after = process.memoryUsage()
    return {
      transactions: world.reduce((sum, { transactions }) => sum + transactions.length, 0) / blocks,
      events: events / blocks,
      cpuMs: (user + system) / 1000 / blocks,
      wallMs: wallMs / blocks,
      bytes: (after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers) / blocks,
      estimated: log.cachedBytes / blocks,
    }
  } finally {
    await database.close()
    await drop()
  }
}

export const run = async (): Promise<Record<string, number>> => {
  const folder = mkdtempSync(join(tmpdir(), 'chaincenter-bench-'))
  const server = await startEmbeddedServer({ folder, logger: silentLogger, signal })
  try {
    const usual = await measureBlocks(server.url, 200, 60)
    const large = await measureBlocks(server.url, 3, 10_000)
    const round = (value: number): number => Math.round(value * 10) / 10
    console.log(
      formatTable(
        [usual, large].map(({ transactions, events, cpuMs, wallMs, bytes, estimated }) => ({
          'transactions a block': Math.round(transactions),
          events: Math.round(events),
          'cpu ms': round(cpuMs),
          'wall ms': round(wallMs),
          'KiB in memory': Math.round(bytes / 1024),
          'KiB estimated': Math.round(estimated / 1024),
        })),
      ),
    )
    return {
      transactions: Math.round(usual.transactions),
      cpu_ms: round(usual.cpuMs),
      wall_ms: round(usual.wallMs),
      large_cpu_ms: round(large.cpuMs),
      large_mib: round(large.bytes / (1 << 20)),
    }
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
