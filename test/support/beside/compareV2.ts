import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startChild } from '../benchChild.ts'
import { startService } from '../benchService.ts'
import { formatTable } from '../formatTable.ts'
import { runLoad } from '../httpLoad.ts'
import { median } from '../measure.ts'
import type { BesideNetwork } from './besideNetworkChild.ts'
import { installOriginal, MissingPartError, startOriginal } from './originalServer.ts'
import { canReadCpu, readCpuMs } from './processTime.ts'
import { listRows, readFacts, type Side, type V2Row } from './v2Rows.ts'

/** Both are measured as they run after a while. The engine of ours compiles what runs often; Python does not. */
const WARM_UP_REQUESTS = { ours: 4000, original: 300 }
const WARM_UP_MS = 120_000

/** Wallets and minters of the network. */
const SUBJECTS = 1000

/** As `npm start` and the files in deploy/ start it. */
const AS_DEPLOYED = ['--max-semi-space-size=64']

/** What one round came to. */
type Round = {
  readonly cpuMs: number
  readonly nodeMs: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

type Settings = { readonly requests: number; readonly rounds: number; readonly connections: number }

/**
 * v2 beside ton-http-api. Both are processes over the liteserver of one embedded network. They get the same requests in turns,
 * and what each of them and the node used of the processors is counted.
 */
export const compareV2 = async (args: readonly string[]): Promise<Record<string, number | string>> => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      // Keeps the installed package for the next run.
      venv: { type: 'string' },
      // A round of few requests measures how a process begins after its turn to wait: opened connections, cold caches of the processor.
      requests: { type: 'string', default: '2000' },
      rounds: { type: 'string', default: '3' },
      connections: { type: 'string', default: '32' },
      // Blocks are asked for once: the more there are, the more of them are for warming up.
      blocks: { type: 'string', default: '4000' },
      // Only the rows whose name has this in it.
      only: { type: 'string', default: '' },
    },
  })
  const settings = {
    requests: Number(values.requests),
    rounds: Number(values.rounds),
    connections: Number(values.connections),
  }
  if (!canReadCpu()) throw new MissingPartError('CPU time is read from /proc, so this comparison needs Linux.')
  const folder = await mkdtemp(join(tmpdir(), 'chaincenter-beside-'))
  const closers: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })]
  const close = async (): Promise<void> => {
    for (const end of closers.splice(0).reverse()) await end()
  }
  const interrupt = (): void => void close().finally(() => process.exit(130))
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
  try {
    const venv = values.venv ?? join(folder, 'venv')
    const version = await installOriginal(venv)
    console.log(`making a network with ${SUBJECTS} wallets and minters and ${values.blocks} blocks …`)
    const network = await startChild<BesideNetwork>('beside/besideNetworkChild', [String(SUBJECTS), values.blocks])
    closers.push(() => network.close())
    const { globalConfig } = network.ready
    const flags = ['--global-config', globalConfig, '--data-dir', join(folder, 'data'), '--no-response-cache']
    const ours = await startService([...flags, '--dialect', 'ton'], AS_DEPLOYED)
    closers.push(() => ours.close())
    const original = await startOriginal(venv, globalConfig, folder)
    closers.push(() => original.close())
    const readNodeMs = async (): Promise<number> => (await network.look()).cpuMs
    const sides = [
      { ...ours, base: '/api/v2', warmUpRequests: WARM_UP_REQUESTS.ours },
      { ...original, base: '', warmUpRequests: WARM_UP_REQUESTS.original },
    ] as const
    const rows = listRows(network.ready).filter(({ name }) => name.includes(values.only))
    const results = []
    for (const row of rows) {
      await expectSameFacts(row, sides)
      results.push({ row, ...(await raceRow(row, sides, readNodeMs, settings)) })
      console.log(`  ${row.name} done`)
    }
    print(version, settings, results)
    return {
      original: version,
      ...Object.fromEntries(
        results.map(({ row, ours: own, theirs }) => [`${row.key}_ratio`, theirs.cpuMs / own.cpuMs]),
      ),
      ...Object.fromEntries(results.map(({ row, ours: own }) => [`${row.key}_ms`, own.cpuMs])),
    }
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
    await close()
  }
}

/** Refuses to compare the speed of different answers. */
const expectSameFacts = async (row: V2Row, [ours, theirs]: readonly [Side, Side]): Promise<void> => {
  const [own, other] = [await readFacts(row, ours), await readFacts(row, theirs)]
  if (own !== other) throw new Error(`The answers to ${row.name} differ.\nours: ${own}\noriginal: ${other}`)
}

const raceRow = async (
  row: V2Row,
  sides: readonly [Side, Side],
  readNodeMs: () => Promise<number>,
  { requests, rounds, connections }: Settings,
): Promise<{ readonly ours: Round; readonly theirs: Round }> => {
  const taken: [Round[], Round[]] = [[], []]
  const count = row.unseen === undefined ? requests : Math.min(requests, Math.floor(row.unseen / (rounds + 1)))
  // What no round measures is for warming up: at first unseen, as in the rounds.
  const first = row.unseen === undefined ? count : row.unseen - rounds * count
  const warmUp = (side: Side, number: number) => {
    const ask = number < first ? row.ask : (row.warmUp ?? row.ask)
    return ask(side, number % first)
  }
  for (let round = 0; round <= rounds; round++) {
    for (const [k, side] of sides.entries()) {
      let asked = 0
      const ask = () => (round === 0 ? warmUp(side, asked++) : row.ask(side, first + (round - 1) * count + asked++))
      const readings: { readonly cpuMs: number; readonly nodeMs: number }[] = []
      const load = await runLoad(side.url, ask, {
        connections,
        ...(round === 0
          ? { durationMs: WARM_UP_MS, maxRequests: side.warmUpRequests }
          : { durationMs: Number.POSITIVE_INFINITY, maxRequests: count }),
        onBounds: async () => void readings.push({ nodeMs: await readNodeMs(), cpuMs: readCpuMs(side.pid) }),
      })
      if (load.failures.size > 0) {
        throw new Error(`${row.name} was answered with the statuses ${[...load.failures.keys()].join(', ')}.`)
      }
      const [before, after] = readings
      if (round === 0 || before === undefined || after === undefined) continue
      taken[k]!.push({
        cpuMs: (after.cpuMs - before.cpuMs) / load.requests,
        nodeMs: (after.nodeMs - before.nodeMs) / load.requests,
        perSecond: load.requests / load.seconds,
        p50Ms: load.p50Ms,
        p99Ms: load.p99Ms,
      })
    }
  }
  return { ours: medianOf(taken[0]), theirs: medianOf(taken[1]) }
}

const medianOf = (rounds: readonly Round[]): Round => ({
  cpuMs: median(rounds.map(({ cpuMs }) => cpuMs)),
  nodeMs: median(rounds.map(({ nodeMs }) => nodeMs)),
  perSecond: median(rounds.map(({ perSecond }) => perSecond)),
  p50Ms: median(rounds.map(({ p50Ms }) => p50Ms)),
  p99Ms: median(rounds.map(({ p99Ms }) => p99Ms)),
})

const print = (
  version: string,
  { requests, rounds, connections }: Settings,
  results: readonly { readonly row: V2Row; readonly ours: Round; readonly theirs: Round }[],
): void => {
  const table = results.map(({ row, ours, theirs }) => ({
    'uncached v2 request': row.name,
    'original, ms CPU': theirs.cpuMs,
    'ours, ms CPU': ours.cpuMs,
    ratio: theirs.cpuMs / ours.cpuMs,
    wanted: row.wanted,
    'node for the original': theirs.nodeMs,
    'node for ours': ours.nodeMs,
    'original, requests/s': theirs.perSecond,
    'p50 ms': theirs.p50Ms,
    p99: theirs.p99Ms,
    'ours, requests/s': ours.perSecond,
    'p50 ms ': ours.p50Ms,
    'p99 ': ours.p99Ms,
  }))
  console.log(`\n${formatTable(table)}`)
  console.log(
    `\nOriginal: ton-http-api ${version}. Median of ${rounds} rounds of ${requests} requests over ${connections} connections.`,
  )
}
