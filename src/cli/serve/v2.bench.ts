import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type BenchChild, startChild } from '../../../test/support/benchChild.ts'
import type { BenchNetwork } from '../../../test/support/benchV2Network.ts'
import { cachedNames, createQuestions } from '../../../test/support/benchV2Questions.ts'
import { compareWorkers } from '../../../test/support/benchWorkers.ts'
import { formatTable } from '../../../test/support/formatTable.ts'
import { type RawRequest, rawGet, runLoad } from '../../../test/support/httpLoad.ts'
import { median } from '../../../test/support/measure.ts'

const CONNECTIONS = 64
const ROUNDS = 5
const ROUND_MS = 1500
const WARM_UP_MS = 1500
const WATCHED_MS = 3000

type Server = BenchChild<{ readonly url: string }>

/** A kind of load on one of the servers. */
type Load = { readonly name: string; readonly server: Server; readonly next: () => RawRequest }

/** What a load came to, the median over its rounds. */
type Figures = {
  readonly perSecond: number
  /** For each second of a processor that the server used, all its threads together. */
  readonly perServerSecond: number
  /** Of the node that it asks, for one request. */
  readonly nodeUs: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly keptShare: number
}

/**
 * The v2 interface under load, beside a bare Fastify that returns the same bytes. Network, server and yardstick are processes
 * of their own, and this one is the client, so that the processor time of each is known: rates by the clock depend on what
 * else the machine does, those by the server's processor time hardly.
 */
export const run = async (args: readonly string[]) => {
  const { values } = parseArgs({ args: [...args], options: { workers: { type: 'string' } } })
  const folder = await mkdtemp(join(tmpdir(), 'chaincenter-bench-'))
  const network = await startChild<BenchNetwork>('benchV2Network')
  const server: Server = await startChild('benchV2Server', [network.ready.globalConfig])
  const questions = createQuestions(server.ready.url, network.ready)
  const samples = join(folder, 'samples.json')
  await writeFile(samples, JSON.stringify(await questions.readSamples()))
  const bare: Server = await startChild('benchBareServer', [samples])
  try {
    const figures = await race(listLoads(server, bare, questions), network)
    print(figures)
    await explainAccountReads(figures.get('getAddressInformation')!, server, network, questions)
    const of = (name: string): Figures => figures.get(name)!
    const workers = values.workers === undefined ? {} : await compareWorkers(values.workers, network, folder)
    const ratios = cachedNames.map((name) => of(`${name}, kept`).perServerSecond / of(`bare ${name}`).perServerSecond)
    return {
      cached_vs_bare: Math.min(...ratios),
      account_rps: of('getAddressInformation').perSecond,
      get_method_rps: of('runGetMethod').perSecond,
      mixed_rps: of('mixed').perSecond,
      mixed_p99_ms: of('mixed').p99Ms,
      ...workers,
    }
  } finally {
    await Promise.all([bare.close(), server.close()])
    await network.close()
    await rm(folder, { recursive: true, force: true })
  }
}

const listLoads = (server: Server, bare: Server, questions: ReturnType<typeof createQuestions>): Load[] => [
  ...cachedNames.flatMap((name) => {
    const request = rawGet(bare.ready.url, `/${name}`)
    return [
      { name: `bare ${name}`, server: bare, next: () => request },
      { name: `${name}, kept`, server, next: questions.kept(name) },
    ]
  }),
  { name: 'getAddressInformation', server, next: questions.account },
  { name: 'getTransactions', server, next: questions.history },
  { name: 'runGetMethod, known result', server, next: questions.method },
  { name: 'runGetMethod', server, next: questions.freshMethod },
  { name: 'mixed', server, next: questions.mixed },
]

/** Loads take turns within each round, so that a busy machine slows all of them alike. */
const race = async (loads: readonly Load[], network: BenchChild<unknown>): Promise<Map<string, Figures>> => {
  for (const load of loads) await runRound(load, network, WARM_UP_MS)
  const rounds = new Map<string, Figures[]>(loads.map(({ name }) => [name, []]))
  for (let round = 0; round < ROUNDS; round++) {
    for (const load of loads) rounds.get(load.name)!.push(await runRound(load, network, ROUND_MS))
  }
  return new Map([...rounds].map(([name, figures]) => [name, medianOf(figures)]))
}

const runRound = async ({ name, server, next }: Load, network: BenchChild<unknown>, durationMs: number) => {
  // Their garbage is left to themselves: to have it collected makes the engine forget code that it has compiled.
  const before = { server: await server.look(), network: await network.look() }
  const result = await runLoad(server.ready.url, next, { connections: CONNECTIONS, durationMs })
  const after = { server: await server.look(), network: await network.look() }
  const { requests, seconds, failures, p50Ms, p99Ms, kept } = result
  if (failures.size > 0) throw new Error(`${name} got answers with the statuses ${[...failures.keys()].join(', ')}.`)
  const serverMs = after.server.cpuMs - before.server.cpuMs
  return {
    perSecond: requests / seconds,
    perServerSecond: (requests * 1000) / serverMs,
    nodeUs: ((after.network.cpuMs - before.network.cpuMs) * 1000) / requests,
    p50Ms,
    p99Ms,
    keptShare: kept / requests,
  }
}

const medianOf = (figures: readonly Figures[]): Figures => {
  const of = (name: keyof Figures): number => median(figures.map((each) => each[name]))
  return {
    perSecond: of('perSecond'),
    perServerSecond: of('perServerSecond'),
    nodeUs: of('nodeUs'),
    p50Ms: of('p50Ms'),
    p99Ms: of('p99Ms'),
    keptShare: of('keptShare'),
  }
}

/** Where the time of an uncached account read goes, and whose it is. */
const explainAccountReads = async (
  { perServerSecond, nodeUs }: Figures,
  server: Server,
  network: BenchChild<unknown>,
  questions: ReturnType<typeof createQuestions>,
): Promise<void> => {
  const serverUs = 1e6 / perServerSecond
  const sides = [
    { side: 'our server', child: server, us: serverUs },
    { side: 'the node', child: network, us: nodeUs },
  ]
  // One after the other: to be watched costs time.
  for (const { side, child, us } of sides) {
    await child.watch()
    await runLoad(server.ready.url, questions.account, { connections: CONNECTIONS, durationMs: WATCHED_MS })
    const stages = [...(await child.unwatch())].map(([stage, share]) => ({
      [`uncached getAddressInformation in ${side}`]: stage,
      '%': 100 * share,
      'cpu µs': share * us,
    }))
    console.log(`\n${formatTable(stages)}`)
  }
  const bottleneck = serverUs < nodeUs ? 'the node' : 'our server'
  const figures = `${serverUs.toFixed(0)} µs of processor time in our server, ${nodeUs.toFixed(0)} µs in the node`
  console.log(`\nAn uncached account read takes ${figures}: ${bottleneck} is the limit.`)
}

const print = (figures: ReadonlyMap<string, Figures>): void => {
  const rows = [...figures].map(([load, { perSecond, perServerSecond, nodeUs, p50Ms, p99Ms, keptShare }]) => ({
    load,
    'per second': Math.round(perSecond),
    'per cpu second of the server': Math.round(perServerSecond),
    'its cpu µs': 1e6 / perServerSecond,
    'cpu µs of the node': load.startsWith('bare') ? 0 : nodeUs,
    'p50 ms': p50Ms,
    'p99 ms': p99Ms,
    'kept %': Math.round(100 * keptShare),
  }))
  console.log(formatTable(rows))
}
