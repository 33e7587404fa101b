// node --import tsx scripts/growIndex.ts --transactions 1000000 --data-dir DIR [--database-url URL] [--seed 1] [--partitions N]
//   [--actions]
// Makes an index of so many transactions for measurements: real blocks, decoded once, are copied over many accounts, tokens and times
// and written as the indexer writes. Without --database-url it goes into the server that the command line uses with the same data
// folder. A second run goes on where the first ended, or was ended by Ctrl-C. With --actions it is said what happened in the traces,
// too. The index is divided as the indexer does, or into so many --partitions. At the end, loosely filled indexes are compacted, as the
// indexer does after a backfill. The last line is JSON.
// A table says how fast each quarter of a million was written, and with how much CPU time of the database.
// 2026-11-18: bytes_per_tx is measured after the compaction; before that day it was what is bytes_per_tx_written now.
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { acquireIndexerLease } from '../src/cli/index/standby.ts'
import { Classifier } from '../src/indexer/classify/Classifier.ts'
import { CodedError } from '../src/primitives/errors.ts'
import { connectDatabase } from '../src/store/connect/connectDatabase.ts'
import type { Database } from '../src/store/connect/Database.ts'
import { openClient } from '../src/store/connect/openClient.ts'
import { startEmbeddedServer } from '../src/store/embedded/startEmbeddedServer.ts'
import { compactIndexes } from '../src/store/maintenance/compactIndexes.ts'
import { readStatus } from '../src/store/maintenance/status.ts'
import { migrateDatabase } from '../src/store/migrate/migrateDatabase.ts'
import { silentLogger as logger } from '../test/support/databaseServer.ts'
import { formatTable } from '../test/support/formatTable.ts'
import { findChains, saveChains } from '../test/support/grownIndex/chainFile.ts'
import { growIndex, vacuum } from '../test/support/grownIndex/growIndex.ts'
import type { RecordedChain } from '../test/support/grownIndex/recordChain.ts'
import { defaultNetwork, recordChains } from '../test/support/grownIndex/recordChains.ts'
import { closeSharedMachine } from '../test/support/testNetwork.ts'
import { DatabaseWatch } from '../test/support/v3Load/DatabaseWatch.ts'

const { values } = parseArgs({
  options: {
    transactions: { type: 'string', default: '1000000' },
    'data-dir': { type: 'string' },
    'database-url': { type: 'string' },
    seed: { type: 'string', default: '1' },
    partitions: { type: 'string' },
    actions: { type: 'boolean', default: false },
  },
})
const [transactions, seed] = [Number(values.transactions), Number(values.seed)]
const partitions = values.partitions === undefined ? undefined : Number(values.partitions)
const dataDir = values['data-dir'] && resolve(values['data-dir'])
if (
  dataDir === undefined ||
  ![transactions, seed, partitions ?? 1].every((value) => Number.isSafeInteger(value) && value > 0)
) {
  console.error('--data-dir names a folder; --transactions, --seed and --partitions are whole numbers above 0.')
  process.exit(2)
}

type Mark = { readonly at: number; readonly added: number; readonly done: number; readonly ms: number }

/** So many transactions share a line of the table of rates. */
const PART = 250_000

const ending = new AbortController()
const { signal } = ending
process.once('SIGINT', () => ending.abort()).once('SIGTERM', () => ending.abort())
const endings: (() => unknown)[] = []
const began = performance.now()
const secondsSince = (start: number): number => Math.round((performance.now() - start) / 100) / 10

/** The chains that are copied, as they were when this folder was begun. */
const openChains = async (): Promise<readonly RecordedChain[]> => {
  const path = join(dataDir, `grown-index-${seed}.chains`)
  const found = findChains(path)
  if (found !== undefined) return found
  console.log('Recording the chains that are copied …')
  const chains = await recordChains({ network: { ...defaultNetwork, seed }, signal })
  saveChains(path, chains)
  return chains
}

const openUrl = async (): Promise<string> => {
  const given = values['database-url']
  if (given !== undefined) return given
  const server = await startEmbeddedServer({ folder: join(dataDir, 'postgres'), logger, signal })
  endings.push(() => server.stop())
  return server.url
}

const openDatabase = async (): Promise<{ readonly database: Database; readonly url: string }> => {
  const url = await openUrl()
  const client = await openClient({ url, name: 'migrate', statementTimeoutMs: 0 })
  await migrateDatabase(client, { logger, signal }).finally(() => client.end())
  const database = await connectDatabase({ url, logger, signal })
  endings.push(() => database.close())
  return { database, url }
}

const show = (text: string): void => {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[2K${text}`)
}

/** Counts rows, since the server only guesses. */
const describeTables = (database: Database): Promise<Record<string, string | number>[]> =>
  database.transaction(async (client) => {
    const { tables } = await readStatus(client)
    const described = []
    for (const { name, bytes, indexBytes, partitions } of tables) {
      const { rows } = await client.query<{ rows: number }>(`SELECT count(*)::int AS rows FROM ${name}`)
      const toMib = (size: number): number => Math.round(size / 2 ** 18) / 4
      described.push({
        table: name,
        rows: rows[0]!.rows,
        MiB: toMib(bytes),
        'indexes MiB': toMib(indexBytes),
        partitions,
      })
    }
    return described
  })

/** What all tables and their indexes take. */
const measureBytes = (database: Database): Promise<number> =>
  database.transaction(async (client) => {
    const { tables } = await readStatus(client)
    return tables.reduce((sum, { bytes }) => sum + bytes, 0)
  })

try {
  mkdirSync(dataDir, { recursive: true })
  const chains = await openChains()
  const recordingSeconds = secondsSince(began)
  const { database, url } = await openDatabase()
  const lease = await acquireIndexerLease(database, { logger, signal })
  endings.push(() => lease.release())
  const start = performance.now()
  const stopped = AbortSignal.any([signal, lease.signal])
  const watch = await DatabaseWatch.open(url)
  endings.push(() => watch.close())
  const databaseMs = await watch.readCpuMs()
  const writing: { readonly at: number; readonly added: number }[] = []
  const parts: Promise<Mark>[] = []
  const mark = async (done: number, added: number): Promise<Mark> => {
    const at = performance.now()
    const ms = await watch.readCpuMs()
    if (!process.stderr.isTTY) console.error(`${done} transactions, ${Math.round(at - start)} ms, database ${ms} ms`)
    return { at, added, done, ms }
  }
  const grown = await growIndex({
    database,
    chains,
    transactions,
    seed,
    partitions,
    lease,
    signal: stopped,
    onProgress: ({ transactions: done, blocks, added }) => {
      writing[writing.length === 0 ? 0 : 1] = { at: performance.now(), added }
      if (added >= parts.length * PART) parts.push(mark(done, added))
      const rate = Math.round(added / ((performance.now() - start) / 1000))
      show(`${done} of ${transactions} transactions, ${blocks} blocks, ${rate} a second`)
    },
  })
  show('')
  const growingSeconds = secondsSince(start)
  const writtenMs = (await watch.readCpuMs()) - databaseMs
  const [first, last] = writing
  const marks = await Promise.all(parts)
  const rates = marks.slice(1).map((mark, index) => {
    const before = marks[index]!
    const added = mark.added - before.added
    return {
      transactions: mark.done,
      tx_per_s: Math.round((1000 * added) / (mark.at - before.at)),
      database_cpu_ms_per_tx: Math.round((1000 * (mark.ms - before.ms)) / added) / 1000,
    }
  })
  if (rates.length > 1) console.log(formatTable(rates))
  if (values.actions && !stopped.aborted) {
    await new Classifier({ database, lease, logger, untilDone: true }).run(stopped)
    await vacuum(database)
  }
  const bytesWritten = await measureBytes(database)
  if (!stopped.aborted) await compactIndexes(database, { signal: stopped })
  console.log(formatTable(await describeTables(database)))
  const bytes = await measureBytes(database)
  const figures = {
    ...grown,
    recording_s: recordingSeconds,
    growing_s: growingSeconds,
    // From the first batch to the last: without the search for where to go on, and without the VACUUM at the end.
    ...(first && last && { tx_per_s: Math.round((1000 * (last.added - first.added)) / (last.at - first.at)) }),
    database_cpu_ms_per_tx: Math.round((1000 * writtenMs) / grown.added) / 1000,
    bytes_per_tx: Math.round(bytes / grown.transactions),
    bytes_per_tx_written: Math.round(bytesWritten / grown.transactions),
  }
  console.log(JSON.stringify(figures))
  if (grown.transactions < transactions) process.exitCode = 1
} catch (error) {
  if (!signal.aborted && !(error instanceof CodedError)) throw error
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
} finally {
  await closeSharedMachine()
  for (const end of endings.reverse()) await end()
}
