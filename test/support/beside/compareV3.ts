import { parseArgs } from 'node:util'
import { TEXT_CACHE_BYTES } from '../../../src/cli/serve/runServe.ts'
import { formatTable } from '../formatTable.ts'
import { rawGet, runLoad } from '../httpLoad.ts'
import { median } from '../measure.ts'
import { DatabaseWatch } from '../v3Load/DatabaseWatch.ts'
import { openGrownIndex } from '../v3Load/openGrownIndex.ts'
import { wantedRatios } from '../v3Load/originalV3.ts'
import { sampleIndex } from '../v3Load/sampleIndex.ts'
import { startV3Server } from '../v3Load/startV3Server.ts'
import { listHeavyQuestions, listQuestions, mixQuestions, type Question } from '../v3Load/v3Questions.ts'
import { MissingPartError } from './originalServer.ts'
import { canReadCpu, readCpuMs } from './processTime.ts'

/** A server, and the database that it reads from. */
type Side = {
  readonly name: 'original' | 'ours' | 'cached'
  readonly url: string
  readonly database: DatabaseWatch
  readServerMs(): Promise<number>
}

type Round = { readonly cpuMs: number; readonly databaseMs: number; readonly perSecond: number; readonly p99Ms: number }

/** Ours is measured as it runs after a while: its engine compiles what runs often. The original is compiled before. */
const WARM_UP_MS = { all: 30_000, each: 3000, original: 1000 }

/**
 * Our v3 beside the original, a server in Go over PostgreSQL. It is not installed from here: it runs already, at a URL, with the default
 * limit that ours has (`-default-limit 10`), over a database of its own that has the same transactions as the index in --data-dir.
 *
 * npm run beside -- v3 --data-dir DIR --original URL --original-pid PID --original-database URL [--rounds N] [--connections N] [--only NAME]
 *
 * Ours is there twice: with every transaction read and written anew, and with the cache of texts that `serve` has. All get the same
 * requests in turns.
 */
export const compareV3 = async (args: readonly string[]): Promise<Record<string, number | string>> => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      'data-dir': { type: 'string' },
      original: { type: 'string' },
      'original-pid': { type: 'string' },
      'original-database': { type: 'string' },
      rounds: { type: 'string', default: '5' },
      'round-ms': { type: 'string', default: '1500' },
      connections: { type: 'string', default: '32' },
      only: { type: 'string', default: '' },
    },
  })
  const { 'data-dir': dataDir, original, 'original-pid': pid, 'original-database': originalDatabase } = values
  if (dataDir === undefined || original === undefined || pid === undefined || originalDatabase === undefined) {
    throw new MissingPartError(
      'The original is not installed from here. Name one that runs: --original URL --original-pid PID --original-database URL, and the index with the same transactions: --data-dir DIR.',
    )
  }
  if (!canReadCpu()) throw new MissingPartError('CPU time is read from /proc, so this comparison needs Linux.')
  const [rounds, roundMs, connections] = [values.rounds, values['round-ms'], values.connections].map(Number)
  const endings: (() => Promise<unknown>)[] = []
  try {
    const index = await openGrownIndex(['--data-dir', dataDir])
    endings.push(() => index.stop())
    const sample = await sampleIndex(index.url)
    const watch = async (url: string): Promise<DatabaseWatch> => {
      const database = await DatabaseWatch.open(url)
      endings.push(() => database.close())
      return database
    }
    const database = await watch(index.url)
    const startOurs = async (name: 'ours' | 'cached', cacheBytes: number): Promise<Side> => {
      const server = await startV3Server(index.url, cacheBytes)
      endings.push(() => server.close())
      return { name, url: server.ready.url, database, readServerMs: async () => (await server.look()).cpuMs }
    }
    const sides: readonly Side[] = [
      await startOurs('ours', 0),
      await startOurs('cached', TEXT_CACHE_BYTES),
      {
        name: 'original',
        url: original,
        database: await watch(originalDatabase),
        readServerMs: async () => readCpuMs(Number(pid)),
      },
    ]
    const typical = listQuestions(sample)
    const all = [...typical, mixQuestions(typical), ...listHeavyQuestions(sample)]
    const questions = all.filter(({ name }) => wantedRatios.has(name) && name.includes(values.only))
    const ask = (side: Side, question: Question, durationMs: number) =>
      runRound(side, question, durationMs, connections!)
    for (const side of sides) if (side.name !== 'original') await ask(side, mixQuestions(all), WARM_UP_MS.all)
    for (const question of questions) {
      for (const side of sides) await ask(side, question, WARM_UP_MS[side.name === 'original' ? 'original' : 'each'])
    }
    const taken = new Map(questions.map((question) => [question, sides.map((): Round[] => [])]))
    for (let round = 0; round < rounds!; round++) {
      for (const question of questions) {
        // Each is the first in some rounds.
        for (let k = 0; k < sides.length; k++) {
          const at = (round + k) % sides.length
          taken.get(question)![at]!.push(await ask(sides[at]!, question, roundMs!))
        }
      }
    }
    const rows = questions.map((question) => {
      const [ours, cached, theirs] = taken.get(question)!.map(medianOf)
      return { question: question.name, ours: ours!, cached: cached!, theirs: theirs! }
    })
    print(rows)
    return Object.fromEntries(
      rows.flatMap(({ question, ours, cached, theirs }) => [
        [`${question}: ratio`, sumOf(theirs) / sumOf(ours)],
        [`${question}: cached`, sumOf(theirs) / sumOf(cached)],
      ]),
    )
  } finally {
    for (const end of endings.reverse()) await end()
  }
}

const runRound = async (
  { name, url, database, readServerMs }: Side,
  question: Question,
  durationMs: number,
  connections: number,
): Promise<Round> => {
  const readMs = async () => ({ server: await readServerMs(), database: await database.readCpuMs() })
  const before = await readMs()
  const load = await runLoad(url, () => rawGet(url, question.next()), { connections, durationMs })
  const after = await readMs()
  if (load.failures.size > 0) {
    throw new Error(`${question.name}: ${name} answered with the statuses ${[...load.failures.keys()].join(', ')}.`)
  }
  return {
    cpuMs: (after.server - before.server) / load.requests,
    databaseMs: (after.database - before.database) / load.requests,
    perSecond: load.requests / load.seconds,
    p99Ms: load.p99Ms,
  }
}

const medianOf = (rounds: readonly Round[]): Round => ({
  cpuMs: median(rounds.map(({ cpuMs }) => cpuMs)),
  databaseMs: median(rounds.map(({ databaseMs }) => databaseMs)),
  perSecond: median(rounds.map(({ perSecond }) => perSecond)),
  p99Ms: median(rounds.map(({ p99Ms }) => p99Ms)),
})

const sumOf = ({ cpuMs, databaseMs }: Round): number => cpuMs + databaseMs

type Row = { readonly question: string; readonly ours: Round; readonly cached: Round; readonly theirs: Round }

const print = (rows: readonly Row[]): void => {
  const costs = rows.map(({ question, ours, cached, theirs }) => ({
    'v3 request': question,
    'original, ms CPU': sumOf(theirs),
    'of it database': theirs.databaseMs,
    'ours, ms CPU': sumOf(ours),
    'of it database ': ours.databaseMs,
    ratio: sumOf(theirs) / sumOf(ours),
    wanted: wantedRatios.get(question)!,
    'with cached texts': sumOf(cached),
    'ratio ': sumOf(theirs) / sumOf(cached),
  }))
  const clock = rows.map(({ question, ours, cached, theirs }) => ({
    'v3 request': question,
    'original, requests/s': Math.round(theirs.perSecond),
    ours: Math.round(ours.perSecond),
    cached: Math.round(cached.perSecond),
    'original, p99 ms': theirs.p99Ms,
    'ours ': ours.p99Ms,
    'cached ': cached.p99Ms,
  }))
  console.log(`\n${formatTable(costs)}\n\n${formatTable(clock)}`)
}
