import { loadavg } from 'node:os'
import { formatTable } from '../../../test/support/formatTable.ts'
import { rawGet, runLoad } from '../../../test/support/httpLoad.ts'
import { median } from '../../../test/support/measure.ts'
import { DatabaseWatch } from '../../../test/support/v3Load/DatabaseWatch.ts'
import { measureDepth } from '../../../test/support/v3Load/measureDepth.ts'
import { openGrownIndex } from '../../../test/support/v3Load/openGrownIndex.ts'
import { sampleIndex } from '../../../test/support/v3Load/sampleIndex.ts'
import { startV3Server, type V3Server } from '../../../test/support/v3Load/startV3Server.ts'
import {
  listFilters,
  listHeavyQuestions,
  listQuestions,
  mixQuestions,
  type Question,
} from '../../../test/support/v3Load/v3Questions.ts'

const CONNECTIONS = 32
/** Filters that are hard to serve are asked by fewer at once. */
const FILTER_CONNECTIONS = 8
const ROUNDS = 5
const ROUND_MS = 1500
/** A server runs for days: what is measured is one whose programs are compiled. */
const WARM_UP_MS = 3000

/** What a load came to, the median over its rounds. */
type Figures = {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Of a processor, in the server, for one request. */
  readonly serverMs: number
  /** And in the database. */
  readonly databaseMs: number
  /** And here, where it is asked, on the same processors. */
  readonly loadMs: number
}

type Bench = { readonly server: V3Server; readonly database: DatabaseWatch }

/**
 * The v3 interface under load over a large index: twelve typical questions, each by itself over 32 kept connections and then all in
 * turn; filters that very many rows fulfil, or none; and how much a page costs that is a thousand pages away. The server is a process of its own, as PostgreSQL is.
 *
 * npm run bench -- v3 [--data-dir DIR] [--transactions N] [--partitions N]: see openGrownIndex.ts.
 */
export const run = async (args: readonly string[] = []) => {
  const index = await openGrownIndex(args)
  try {
    console.log(`${index.transactions} transactions in ${index.dataDir}; load of the machine ${describeLoad()}`)
    const sample = await sampleIndex(index.url)
    const database = await DatabaseWatch.open(index.url)
    const server = await startV3Server(index.url)
    try {
      const questions = listQuestions(sample)
      const figures = await race({ server, database }, [...questions, mixQuestions(questions)])
      print(figures)
      console.log('\nHeavy ones, which are not among the twelve')
      print(await race({ server, database }, listHeavyQuestions(sample)))
      console.log(`\nFilters that very many rows fulfil, or none, over ${FILTER_CONNECTIONS} connections`)
      const filters = await race({ server, database }, listFilters(sample), FILTER_CONNECTIONS)
      print(filters)
      const depths = await measureDepth(server.ready.url, sample)
      console.log(`\n${formatTable(depths)}`)
      console.log(`\nLoad of the machine ${describeLoad()}`)
      const { logged } = await server.look()
      if (logged.length > 0) throw new Error(`The server logged: ${logged[0]}`)
      return {
        worst_p99_ms: Math.max(...questions.map(({ name }) => figures.get(name)!.p99Ms)),
        filters_worst_p99_ms: Math.max(...[...filters.values()].map(({ p99Ms }) => p99Ms)),
        deep_page_ratio: Math.max(...depths.map(({ ratio }) => ratio)),
        rps: figures.get('mixed')!.perSecond,
        bytes_per_tx: index.bytesPerTransaction,
        bytes_per_tx_with_actions: index.bytesWithActions,
      }
    } finally {
      await server.close()
      await database.close()
    }
  } finally {
    await index.stop()
  }
}

/** Questions take turns within each round, so that a busy machine slows all of them alike. */
const race = async (
  bench: Bench,
  questions: readonly Question[],
  connections = CONNECTIONS,
): Promise<Map<string, Figures>> => {
  const run = (question: Question, durationMs: number) => runRound(bench, question, durationMs, connections)
  for (const question of questions) await run(question, WARM_UP_MS)
  const rounds = new Map<string, Figures[]>(questions.map(({ name }) => [name, []]))
  for (let round = 0; round < ROUNDS; round++) {
    for (const question of questions) rounds.get(question.name)!.push(await run(question, ROUND_MS))
  }
  return new Map([...rounds].map(([name, figures]) => [name, medianOf(figures)]))
}

const runRound = async (
  { server, database }: Bench,
  { name, next }: Question,
  durationMs: number,
  connections: number,
): Promise<Figures> => {
  const { url } = server.ready
  const look = async () => {
    const { user, system } = process.cpuUsage()
    return { load: (user + system) / 1000, server: (await server.look()).cpuMs, database: await database.readCpuMs() }
  }
  const before = await look()
  const { requests, seconds, failures, p50Ms, p99Ms } = await runLoad(url, () => rawGet(url, next()), {
    connections,
    durationMs,
  })
  const after = await look()
  if (failures.size > 0) throw new Error(`${name} got answers with the statuses ${[...failures.keys()].join(', ')}.`)
  return {
    perSecond: requests / seconds,
    p50Ms,
    p99Ms,
    serverMs: (after.server - before.server) / requests,
    databaseMs: (after.database - before.database) / requests,
    loadMs: (after.load - before.load) / requests,
  }
}

const medianOf = (figures: readonly Figures[]): Figures => {
  const of = (name: keyof Figures): number => median(figures.map((each) => each[name]))
  return {
    perSecond: of('perSecond'),
    p50Ms: of('p50Ms'),
    p99Ms: of('p99Ms'),
    serverMs: of('serverMs'),
    databaseMs: of('databaseMs'),
    loadMs: of('loadMs'),
  }
}

const print = (figures: ReadonlyMap<string, Figures>): void => {
  const rows = [...figures].map(([question, { perSecond, p50Ms, p99Ms, serverMs, databaseMs, loadMs }]) => ({
    question,
    'per second': Math.round(perSecond),
    'p50 ms': p50Ms,
    'p99 ms': p99Ms,
    'cpu ms of the server': serverMs,
    'of the database': databaseMs,
    'of the load': loadMs,
  }))
  console.log(formatTable(rows))
}

const describeLoad = (): string =>
  loadavg()
    .map((value) => value.toFixed(1))
    .join(' ')
