import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { openClient } from '../../../src/store/connect/openClient.ts'
import { startEmbeddedServer } from '../../../src/store/embedded/startEmbeddedServer.ts'
import { readStatus } from '../../../src/store/maintenance/status.ts'
import { migrateDatabase } from '../../../src/store/migrate/migrateDatabase.ts'
import { childArguments, childScript } from '../childScript.ts'
import { silentLogger } from '../databaseServer.ts'

export type GrownIndex = {
  readonly url: string
  readonly transactions: number
  readonly dataDir: string
  /** What the tables and indexes take for one transaction, without those of actions and with them. */
  readonly bytesPerTransaction: number
  readonly bytesWithActions: number
  stop(): Promise<void>
}

const FULL = 1_000_000

/**
 * A large index on a server of its own. `--data-dir`, or CHAINCENTER_BENCH_DATA_DIR, names the folder of one that is there, or that is
 * to be; without it a folder for temporary files has it. What is missing of `--transactions` is made by scripts/growIndex.ts, divided as the
 * indexer divides it, by size. `--partitions` divides it otherwise, as an index of many years would be.
 */
export const openGrownIndex = async (args: readonly string[]): Promise<GrownIndex> => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      'data-dir': { type: 'string' },
      transactions: { type: 'string', default: String(FULL) },
      partitions: { type: 'string' },
    },
  })
  const wanted = Number(values.transactions)
  if (!Number.isSafeInteger(wanted) || wanted <= 0) throw new Error('--transactions is a whole number above 0.')
  const given = values['data-dir'] ?? process.env['CHAINCENTER_BENCH_DATA_DIR']
  const dataDir =
    given === undefined
      ? join(tmpdir(), `chaincenter-bench-index-${wanted}-${values.partitions ?? 'whole'}`)
      : resolve(given)
  const found = existsSync(join(dataDir, 'postgres')) ? await openAt(dataDir) : undefined
  if (found !== undefined && found.transactions >= wanted) return found
  await found?.stop()
  await startGrowing(dataDir, wanted, values.partitions).ended
  return openAt(dataDir)
}

const openAt = async (dataDir: string): Promise<GrownIndex> => {
  const { signal } = new AbortController()
  const server = await startEmbeddedServer({ folder: join(dataDir, 'postgres'), logger: silentLogger, signal })
  // It may be older than the tables that are asked now.
  const client = await openClient({ url: server.url, name: 'migrate', statementTimeoutMs: 0 })
  await migrateDatabase(client, { logger: silentLogger, signal }).finally(() => client.end())
  const transactions = await countTransactions(server.url)
  const { bytes, all } = await measureSize(server.url)
  return {
    url: server.url,
    transactions,
    dataDir,
    bytesPerTransaction: Math.round(bytes / transactions),
    bytesWithActions: Math.round(all / transactions),
    stop: () => server.stop(),
  }
}

const measureSize = async (url: string): Promise<{ readonly bytes: number; readonly all: number }> => {
  const client = await openClient({ url, name: 'bench', statementTimeoutMs: 60_000 })
  try {
    const { tables } = await readStatus(client)
    const sum = (wanted: typeof tables): number => wanted.reduce((total, { bytes }) => total + bytes, 0)
    return { bytes: sum(tables.filter(({ name }) => !name.startsWith('action'))), all: sum(tables) }
  } finally {
    await client.end()
  }
}

/** 0 where there is no index yet. */
export const countTransactions = async (url: string): Promise<number> => {
  const client = await openClient({ url, name: 'bench', statementTimeoutMs: 60_000 })
  try {
    const { rows } = await client.query<{ made: boolean }>(`SELECT to_regclass('indexed_blocks') IS NOT NULL AS made`)
    if (!rows[0]!.made) return 0
    const counted = await client.query<{ count: number }>(
      'SELECT coalesce(sum(tx_count), 0)::int AS count FROM indexed_blocks',
    )
    return counted.rows[0]!.count
  } finally {
    await client.end()
  }
}

/** What scripts/growIndex.ts prints in the end, in part. */
export type Growth = {
  readonly added: number
  readonly tx_per_s: number
  readonly database_cpu_ms_per_tx: number
  readonly bytes_per_tx: number
}

export type Growing = {
  readonly ended: Promise<Growth>
  /** Ends it after the batch that is being written. */
  stop(): Promise<void>
}

/** Adds to an index, as fast as it goes, in a process of its own. */
export const startGrowing = (dataDir: string, transactions: number, partitions?: string): Growing => {
  const script = childScript(join(import.meta.dirname, '../../../scripts'), 'growIndex')
  const args = [...childArguments, script, '--transactions', String(transactions), '--data-dir', dataDir]
  if (partitions !== undefined) args.push('--partitions', partitions)
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
  })
  const exit = once(child, 'close')
  const ended = exit.then(([code]) => {
    if (code !== 0) throw new Error(`scripts/growIndex.ts ended with exit code ${code}.`)
    return JSON.parse(printed.trim().split('\n').at(-1)!) as Growth
  })
  ended.catch(() => undefined)
  return {
    ended,
    stop: async () => {
      child.kill('SIGINT')
      await exit
    },
  }
}
