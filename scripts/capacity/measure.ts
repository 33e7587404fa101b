import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { openClient } from '../../src/store/connect/openClient.ts'
import { readStatus } from '../../src/store/maintenance/status.ts'
import { rawGet, runLoad } from '../../test/support/httpLoad.ts'
import { childrenOf, readProcess, readTreeCpuMs } from '../../test/support/processTree.ts'
import { countTransactions, startGrowing } from '../../test/support/v3Load/openGrownIndex.ts'
import { sampleIndex } from '../../test/support/v3Load/sampleIndex.ts'
import { startV3Server } from '../../test/support/v3Load/startV3Server.ts'
import { listQuestions, mixQuestions } from '../../test/support/v3Load/v3Questions.ts'

/** Runs work with a connection. */
export const withClient = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = await openClient({ url, name: 'capacity', statementTimeoutMs: 0 })
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

export type TableSize = {
  readonly name: string
  readonly rows: number
  readonly bytes: number
  readonly indexBytes: number
}

/** Sizes of all tables, the largest first. */
export const readSizes = async (client: pg.Client): Promise<TableSize[]> => {
  const { tables } = await readStatus(client)
  return tables
    .map(({ name, rows, bytes, indexBytes }) => ({ name, rows, bytes, indexBytes }))
    .toSorted((a, b) => b.bytes - a.bytes)
}

/** Indexes that begin with a hash or an address, and the rows in them. */
export const readScattered = async (client: pg.Client): Promise<{ bytes: number; rows: number }> => {
  const { rows } = await client.query<{ bytes: number; rows: number }>(
    `SELECT coalesce(sum(pg_relation_size(c.oid)), 0)::float8 AS bytes,
            coalesce(sum(greatest(c.reltuples, 0)), 0)::float8 AS rows
     FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_class t ON t.oid = i.indrelid
     JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = i.indkey[0]
     WHERE c.relkind = 'i' AND a.atttypid = 'bytea'::regtype AND t.relnamespace = 'public'::regnamespace`,
  )
  return rows[0]!
}

/** Pages that were taken from the memory of the server, and those that were not there; bytes of its log. */
const readActivity = async (client: pg.Client) => {
  const { rows } = await client.query<{ hit: number; read: number; wal: number }>(
    `SELECT blks_hit::float8 AS hit, blks_read::float8 AS read, (pg_current_wal_lsn() - '0/0'::pg_lsn)::float8 AS wal
     FROM pg_stat_database WHERE datname = current_database()`,
  )
  return rows[0]!
}

/** Statistics of sessions arrive when they are idle. */
const STATISTICS_MS = 1500
const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))

/** The first process of a server on this machine. */
const findServer = (dataDir: string): number =>
  Number(readFileSync(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8').split('\n')[0])

/** Processor time of a server with all its processes. */
const readServerCpuMs = (dataDir: string): number => readTreeCpuMs(findServer(dataDir))

/** Memory of the processes of a server that they do not share. */
const readPrivateMib = (dataDir: string): number => {
  const first = findServer(dataDir)
  return [first, ...childrenOf(first)].reduce((sum, pid) => {
    const [, kb] = /^Pss_Anon:\s+(\d+) kB/m.exec(readProcess(pid, 'smaps_rollup')) ?? []
    return sum + Number(kb ?? 0) / 1024
  }, 0)
}

/** What the database does to take some more transactions, per transaction. */
export const measureWrites = async (url: string, dataDir: string, count: number) =>
  withClient(url, async (client) => {
    const first = await countTransactions(url)
    await client.query('CHECKPOINT')
    const [before, beforeMs] = [await readActivity(client), readServerCpuMs(dataDir)]
    await startGrowing(dataDir, first + count).ended
    await pause(STATISTICS_MS)
    const [after, afterMs] = [await readActivity(client), readServerCpuMs(dataDir)]
    const added = (await countTransactions(url)) - first
    return {
      added,
      databaseUs: ((afterMs - beforeMs) * 1000) / added,
      walBytes: (after.wal - before.wal) / added,
      pages: (after.hit + after.read - before.hit - before.read) / added,
      reads: (after.read - before.read) / added,
    }
  })

const COLD_MS = 200
const WARM_UP_MS = 8000
const ROUND_MS = 2000
const CONNECTIONS = 8

export type ReadFigures = {
  readonly question: string
  /** Processor time of one answer. */
  readonly serverUs: number
  readonly databaseUs: number
  /** Pages that one answer looks at, and those of the first answers that the server had not in its memory yet. */
  readonly pages: number
  readonly coldPages: number
}

/** What the database and the server do for typical requests, per answer. */
export const measureReads = async (url: string, dataDir: string) =>
  withClient(url, async (client) => {
    const sample = await sampleIndex(url)
    const server = await startV3Server(url)
    const questions = listQuestions(sample)
    const load = async (next: () => string, durationMs: number): Promise<number> => {
      const { requests, failures } = await runLoad(server.ready.url, () => rawGet(server.ready.url, next()), {
        connections: CONNECTIONS,
        durationMs,
      })
      if (failures.size > 0) throw new Error(`Requests failed with the statuses ${[...failures.keys()].join(', ')}.`)
      await pause(STATISTICS_MS)
      return requests
    }
    try {
      const cold = new Map<string, number>()
      for (const { name, next } of questions) {
        const before = await readActivity(client)
        const requests = await load(next, COLD_MS)
        cold.set(name, ((await readActivity(client)).read - before.read) / requests)
      }
      await load(mixQuestions(questions).next, WARM_UP_MS)
      const figures: ReadFigures[] = []
      for (const { name, next } of questions) {
        const [before, beforeMs, standing] = [await readActivity(client), readServerCpuMs(dataDir), await server.look()]
        const requests = await load(next, ROUND_MS)
        const [after, afterMs] = [await readActivity(client), readServerCpuMs(dataDir)]
        figures.push({
          question: name,
          serverUs: (((await server.look()).cpuMs - standing.cpuMs) * 1000) / requests,
          databaseUs: ((afterMs - beforeMs) * 1000) / requests,
          pages: (after.hit + after.read - before.hit - before.read) / requests,
          coldPages: cold.get(name)!,
        })
      }
      return { figures, heldMib: (await server.lookTidied()).heldMib, privateMib: readPrivateMib(dataDir) }
    } finally {
      await server.close()
    }
  })
