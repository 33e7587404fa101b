import { rawGet, runLoad } from '../httpLoad.ts'
import { median } from '../measure.ts'
import type { DatabaseWatch } from './DatabaseWatch.ts'
import type { V3Server } from './startV3Server.ts'
import type { Question } from './v3Questions.ts'

const CONNECTIONS = 32
export const ROUNDS = 5
const ROUND_MS = 1500
/** A server runs for days: what is measured is one whose programs are compiled. */
const WARM_UP_MS = 3000

/** What a load came to, the median over its rounds. */
export type Figures = {
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

export type Bench = { readonly server: V3Server; readonly database: DatabaseWatch }

/** Questions take turns within each round, so that a busy machine slows all of them alike. */
export const race = async (
  bench: Bench,
  questions: readonly Question[],
  connections = CONNECTIONS,
): Promise<Map<string, Figures>> => {
  const [rounds] = await raceInTurns([{ bench, questions }], ROUNDS, connections)
  return new Map([...rounds!].map(([name, figures]) => [name, medianOf(figures)]))
}

/** A server, and what it is asked. */
export type Racer = { readonly bench: Bench; readonly questions: readonly Question[] }

/** What each question came to, round by round. */
export type Rounds = ReadonlyMap<string, readonly Figures[]>

/** The same for several that are asked the same questions: they take turns at each of them. */
export const raceInTurns = async (
  racers: readonly Racer[],
  roundCount: number,
  connections = CONNECTIONS,
): Promise<Rounds[]> => {
  const rounds = racers.map(({ questions }) => new Map<string, Figures[]>(questions.map(({ name }) => [name, []])))
  const run = async (durationMs: number, take: (racer: number, name: string, figures: Figures) => void) => {
    for (let q = 0; q < racers[0]!.questions.length; q++) {
      for (const [k, { bench, questions }] of racers.entries()) {
        take(k, questions[q]!.name, await runRound(bench, questions[q]!, durationMs, connections))
      }
    }
  }
  await run(WARM_UP_MS, () => undefined)
  for (let round = 0; round < roundCount; round++) {
    await run(ROUND_MS, (k, name, figures) => rounds[k]!.get(name)!.push(figures))
  }
  return rounds
}

export const runRound = async (
  { server, database }: Bench,
  { name, next }: Question,
  durationMs: number,
  connections = CONNECTIONS,
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

export const medianOf = (figures: readonly Figures[]): Figures => {
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
