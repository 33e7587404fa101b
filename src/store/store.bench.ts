import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { silentLogger } from '../../test/support/databaseServer.ts'
import { formatTable } from '../../test/support/formatTable.ts'
import { median } from '../../test/support/measure.ts'
import { sha256 } from '../primitives/hash.ts'
import { connectDatabase } from './connect/connectDatabase.ts'
import { openClient } from './connect/openClient.ts'
import { startEmbeddedServer } from './embedded/startEmbeddedServer.ts'
import { bool, bytea, type CopyRow, int2, int4, int8, nullable, text } from './schema/columns.ts'
import { queryBuilder } from './schema/tables.ts'
import { copyChunks, RowEncoder } from './writer/copyRows.ts'

// About what is kept of a transaction: 14 columns, 230 bytes.
const table = {
  hash: bytea,
  account: bytea,
  lt: int8,
  prev_hash: bytea,
  prev_lt: int8,
  utime: int4,
  block_seqno: int4,
  total_fees: int8,
  orig_status: int2,
  end_status: int2,
  aborted: bool,
  exit_code: nullable(int4),
  trace_id: bytea,
  note: nullable(text),
} as const

type Row = CopyRow<typeof table>

const ROWS = 100_000
const ROUNDS = 3
const CHUNK_BYTES = 1 << 18
const names = Object.keys(table) as (keyof typeof table)[]

const hashOf = (k: number): Uint8Array => sha256(Uint8Array.of(k, k >>> 8, k >>> 16, 7))

const makeRows = (): readonly Row[] =>
  Array.from({ length: ROWS }, (_, k) => ({
    hash: hashOf(k),
    account: Buffer.concat([Buffer.alloc(1), hashOf(k % 5000)]),
    lt: 40_000_000_000_000n + BigInt(k) * 2n,
    prev_hash: hashOf(k + ROWS),
    prev_lt: 40_000_000_000_000n - BigInt(k),
    utime: 1_790_000_000 + (k >>> 5),
    block_seqno: 40_000_000 + (k >>> 8),
    total_fees: BigInt(k) * 1_000n,
    orig_status: 2,
    end_status: 2,
    aborted: k % 17 === 0,
    exit_code: k % 3 === 0 ? null : 0,
    trace_id: hashOf(k >>> 2),
    note: k % 4 === 0 ? 'ordinary' : null,
  }))

const encodeAll = function* (rows: readonly Row[]): Generator<Uint8Array> {
  const encoder = new RowEncoder(table)
  for (const row of rows) {
    encoder.add(row)
    if (encoder.size >= CHUNK_BYTES) yield encoder.take()
  }
  yield encoder.take()
}

const textOf = (value: unknown): string =>
  value === null ? '\\N' : value instanceof Uint8Array ? `\\\\x${Buffer.from(value).toString('hex')}` : String(value)

const textLines = function* (rows: readonly Row[]): Generator<string> {
  for (let at = 0; at < rows.length; at += 1000) {
    yield rows
      .slice(at, at + 1000)
      .map((row) => `${names.map((name) => textOf(row[name])).join('\t')}\n`)
      .join('')
  }
}

const insertByUnnest = async (client: pg.Client, rows: readonly Row[]): Promise<void> => {
  const arrays = names.map((name, k) => `$${k + 1}::${table[name].type}[]`)
  for (let at = 0; at < rows.length; at += 5000) {
    const batch = rows.slice(at, at + 5000)
    const values = names.map((name) =>
      batch.map((row) => (row[name] instanceof Uint8Array ? Buffer.from(row[name]) : row[name])),
    )
    await client.query(`INSERT INTO bench SELECT * FROM unnest(${arrays.join(', ')})`, values)
  }
}

type Way = (client: pg.Client, rows: readonly Row[]) => Promise<unknown>

const ways: Readonly<Record<string, Way>> = {
  'COPY BINARY, ours': (client, rows) => copyChunks(client, 'bench', names, encodeAll(rows)),
  'COPY BINARY, encoded before': (() => {
    let chunks: readonly Uint8Array[] | undefined
    return (client: pg.Client, rows: readonly Row[]) => {
      chunks ??= [...encodeAll(rows)]
      return copyChunks(client, 'bench', names, chunks)
    }
  })(),
  'COPY text, pg-copy-streams': (client, rows) =>
    pipeline(Readable.from(textLines(rows)), client.query(copyFrom('COPY bench FROM STDIN'))),
  'UNNEST, 5000 rows each': insertByUnnest,
}

type Rate = { readonly perSecond: number; readonly cpuUs: number }

const timeWay = async (client: pg.Client, way: Way, rows: readonly Row[], isIndexed: boolean): Promise<Rate> => {
  await client.query('DROP TABLE IF EXISTS bench')
  await client.query(
    `CREATE TABLE bench (${names.map((name) => `${name} ${table[name].type}${table[name].nullable ? '' : ' NOT NULL'}`).join(', ')})`,
  )
  if (isIndexed) await client.query('ALTER TABLE bench ADD PRIMARY KEY (hash); CREATE INDEX ON bench (account, lt)')
  await client.query('CHECKPOINT')
  globalThis.gc?.()
  const cpu = process.cpuUsage()
  const start = performance.now()
  await way(client, rows)
  const ms = performance.now() - start
  const { user, system } = process.cpuUsage(cpu)
  return { perSecond: (rows.length / ms) * 1000, cpuUs: (user + system) / rows.length }
}

const raceWrites = async (client: pg.Client, rows: readonly Row[]): Promise<Readonly<Record<string, Rate>>> => {
  const results: Record<string, Rate[]> = {}
  for (let round = 0; round < ROUNDS; round++) {
    for (const isIndexed of [false, true]) {
      for (const [name, way] of Object.entries(ways)) {
        const key = `${name}${isIndexed ? ', indexed' : ''}`
        results[key] = [...(results[key] ?? []), await timeWay(client, way, rows, isIndexed)]
      }
    }
  }
  return Object.fromEntries(
    Object.entries(results).map(([key, rates]) => [
      key,
      {
        perSecond: Math.max(...rates.map(({ perSecond }) => perSecond)),
        cpuUs: median(rates.map(({ cpuUs }) => cpuUs)),
      },
    ]),
  )
}

const encodeAlone = (rows: readonly Row[]): number => {
  const times = Array.from({ length: 7 }, () => {
    globalThis.gc?.()
    const start = process.cpuUsage()
    for (const _ of encodeAll(rows));
    const { user, system } = process.cpuUsage(start)
    return (user + system) / 1e6
  })
  return rows.length / median(times)
}

/** The same single rows by hash, 32 queries in flight, through a plain pool and through the pipelined reader. */
const raceReads = async (url: string): Promise<{ readonly plain: Rate; readonly pipelined: Rate }> => {
  const { signal } = new AbortController()
  const database = await connectDatabase({ url, logger: silentLogger, signal, listConnections: 16 })
  const { keyedReads, listReads } = database.reader()
  const time = async (reader: typeof keyedReads): Promise<Rate> => {
    const count = 20_000
    let next = 0
    const ask = async (): Promise<void> => {
      while (next < count) {
        const hash = hashOf((next++ * 7919) % ROWS)
        const query = sql<{ lt: bigint }>`SELECT account, lt, total_fees FROM bench WHERE hash = ${hash}`.compile(
          queryBuilder,
        )
        if ((await reader.read(query)).length !== 1) throw new Error('A row is missing.')
      }
    }
    await Promise.all(Array.from({ length: 32 }, () => reader.read(sql`SELECT 1`.compile(queryBuilder))))
    const cpu = process.cpuUsage()
    const start = performance.now()
    await Promise.all(Array.from({ length: 32 }, ask))
    const { user, system } = process.cpuUsage(cpu)
    return { perSecond: (count / (performance.now() - start)) * 1000, cpuUs: (user + system) / count }
  }
  try {
    return { plain: await time(listReads), pipelined: await time(keyedReads) }
  } finally {
    await database.close()
  }
}

const timeStarts = async (folder: string) => {
  const { signal } = new AbortController()
  const start = async () => {
    const begin = performance.now()
    const server = await startEmbeddedServer({ folder, logger: silentLogger, signal })
    return { server, ms: performance.now() - begin }
  }
  const first = await start()
  await first.server.stop()
  const again = await start()
  process.kill(again.server.pid, 'SIGKILL')
  const afterKill = await start()
  await again.server.stop()
  return { server: afterKill.server, firstMs: first.ms, restartMs: again.ms, afterKillMs: afterKill.ms }
}

export const run = async (): Promise<Record<string, number>> => {
  const folder = mkdtempSync(join(tmpdir(), 'chaincenter-bench-'))
  const { server, firstMs, restartMs, afterKillMs } = await timeStarts(folder)
  try {
    console.log(formatTable([{ 'first start ms': firstMs, 'restart ms': restartMs, 'after kill ms': afterKillMs }]))
    const client = await openClient({ url: server.url, name: 'bench', statementTimeoutMs: 0 })
    const rows = makeRows()
    const writes = await raceWrites(client, rows)
    const encodePerCpuSecond = encodeAlone(rows)
    const reads = await raceReads(server.url)
    await client.end()
    console.log(
      formatTable(
        Object.entries({
          ...writes,
          'point read, pool of 16': reads.plain,
          'point read, pipelined': reads.pipelined,
        }).map(([way, { perSecond, cpuUs }]) => ({ way, 'per second': Math.round(perSecond), 'our cpu µs': cpuUs })),
      ),
    )
    const rate = (name: string): number => writes[name]?.perSecond ?? Number.NaN
    return {
      encode_rows_per_cpu_s: Math.round(encodePerCpuSecond),
      copy_rows_per_s: Math.round(rate('COPY BINARY, ours')),
      copy_to_text: rate('COPY BINARY, ours') / rate('COPY text, pg-copy-streams'),
      copy_to_unnest: rate('COPY BINARY, ours') / rate('UNNEST, 5000 rows each'),
      copy_indexed_rows_per_s: Math.round(rate('COPY BINARY, ours, indexed')),
      pipelined_to_pool: reads.pipelined.perSecond / reads.plain.perSecond,
      start_ms: Math.round(firstMs),
      restart_ms: Math.round(restartMs),
      after_kill_ms: Math.round(afterKillMs),
    }
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
