// CHAINCENTER_TEST_CITUS=URL node --import tsx scripts/clusterCost.ts --data-dir DIR [--transactions 40000] [--rounds 2] [--reads 60]
// What a Citus cluster on this machine costs, beside one server of the same kind: the coordinator's own, with a database that is not
// distributed. First the recorded network is indexed, then an index is grown (scripts/growIndex.ts says how; --data-dir has its chains),
// both in alternation, by processor time of the servers and by the clock; then requests are asked of both in turn. The last line is JSON.
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { PARTITION_WIDTH } from '../src/cli/index/startIndexer.ts'
import { connectDatabase } from '../src/store/connect/connectDatabase.ts'
import type { Database } from '../src/store/connect/Database.ts'
import { ensurePartitions } from '../src/store/writer/partitions.ts'
import { findServers, freshCitusDatabase, freshServerDatabase, missingCitus } from '../test/support/citus.ts'
import { silentLogger as logger } from '../test/support/databaseServer.ts'
import { formatTable } from '../test/support/formatTable.ts'
import { findChains, saveChains } from '../test/support/grownIndex/chainFile.ts'
import { growIndex } from '../test/support/grownIndex/growIndex.ts'
import type { RecordedChain } from '../test/support/grownIndex/recordChain.ts'
import { defaultNetwork, recordChains } from '../test/support/grownIndex/recordChains.ts'
import { indexChain } from '../test/support/indexing.ts'
import { median } from '../test/support/measure.ts'
import { readTreeCpuMs } from '../test/support/processTree.ts'
import { openRecordedChain } from '../test/support/recordedChain.ts'
import type { Cleanup } from '../test/support/tempFolder.ts'
import { closeSharedMachine } from '../test/support/testNetwork.ts'
import { sampleIndex } from '../test/support/v3Load/sampleIndex.ts'
import { listFilters, listHeavyQuestions, listQuestions } from '../test/support/v3Load/v3Questions.ts'
import { serveV3 } from '../test/support/v3Service.ts'

const { values } = parseArgs({
  options: {
    'data-dir': { type: 'string' },
    transactions: { type: 'string', default: '40000' },
    rounds: { type: 'string', default: '2' },
    reads: { type: 'string', default: '60' },
  },
})
const [transactions, rounds, reads] = [values.transactions, values.rounds, values.reads].map(Number) as [
  number,
  number,
  number,
]
const missing = missingCitus()
if (
  missing !== false ||
  values['data-dir'] === undefined ||
  ![transactions, rounds, reads].every(Number.isSafeInteger)
) {
  console.error(missing || '--data-dir names a folder; --transactions, --rounds and --reads are whole numbers.')
  process.exit(2)
}
const dataDir = resolve(values['data-dir'])
const { signal } = new AbortController()
const LAST = 400
const SEED = 1
/** A busy machine takes its time. */
const SLOW = { pointTimeoutMs: 60_000, listTimeoutMs: 60_000 }

type Kind = 'one server' | 'cluster'
const kinds: readonly Kind[] = ['one server', 'cluster']

const withEndings = async <T>(work: (t: Cleanup) => Promise<T>): Promise<T> => {
  const endings: (() => unknown)[] = []
  try {
    return await work({ after: (ending) => void endings.unshift(ending) })
  } finally {
    for (const end of endings) await end()
  }
}

const openDatabase = async (t: Cleanup, kind: Kind): Promise<Database> => {
  const url = kind === 'cluster' ? await freshCitusDatabase(t) : await freshServerDatabase(t)
  const database = await connectDatabase({ url, logger, signal, ...SLOW })
  t.after(() => database.close())
  return database
}

const openChains = async (): Promise<readonly RecordedChain[]> => {
  mkdirSync(dataDir, { recursive: true })
  const path = join(dataDir, `grown-index-${SEED}.chains`)
  const found = findChains(path)
  if (found !== undefined) return found
  const chains = await recordChains({ network: { ...defaultNetwork, seed: SEED }, signal })
  saveChains(path, chains)
  return chains
}

/** Processor time and time of the clock, since the start of a watch. */
type Cost = {
  readonly coordinatorMs: number
  readonly serversMs: number
  readonly ownMs: number
  readonly clockMs: number
}

const servers = await findServers()

const watch = (): (() => Cost) => {
  const readOwn = (): number => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
  const [start, own, before] = [performance.now(), readOwn(), servers.map(readTreeCpuMs)]
  return () => {
    const used = servers.map((server, k) => readTreeCpuMs(server) - before[k]!)
    return {
      coordinatorMs: used[0]!,
      serversMs: used.reduce((sum, ms) => sum + ms, 0),
      ownMs: readOwn() - own,
      clockMs: performance.now() - start,
    }
  }
}

type Measured = { readonly work: string; readonly kind: Kind; readonly transactions: number } & Cost

const measured: Measured[] = []

const note = (work: string, kind: Kind, count: number, cost: Cost): void => {
  measured.push({ work, kind, transactions: count, ...cost })
  const us = (ms: number): number => Math.round((ms * 1000) / count)
  console.log(
    `${work}, ${kind}: ${count} transactions; µs for each: servers ${us(cost.serversMs)} (coordinator ${us(cost.coordinatorMs)}), this process ${us(cost.ownMs)}, clock ${us(cost.clockMs)}`,
  )
}

/** Partitions are made once for two million blocks, and measured apart. */
const makePartitions = async (database: Database): Promise<Cost> => {
  const look = watch()
  await ensurePartitions(database, [0], PARTITION_WIDTH)
  return look()
}

const indexRecorded = (kind: Kind): Promise<void> =>
  withEndings(async (t) => {
    const database = await openDatabase(t, kind)
    const chain = await openRecordedChain(t)
    const { serversMs } = await makePartitions(database)
    console.log(`partitions, ${kind}: servers ${serversMs} ms`)
    const look = watch()
    const { progress } = await indexChain(t as never, chain, database, { to: LAST })
    note('recorded network', kind, progress.transactions, look())
  })

/** From the second batch on: the first makes the partitions, and fills caches. */
const grow = async (database: Database, kind: Kind, chains: readonly RecordedChain[]): Promise<void> => {
  let look: (() => Cost) | undefined
  let first = 0
  let last: { readonly added: number; readonly cost: Cost } | undefined
  await growIndex({
    database,
    chains,
    transactions,
    seed: SEED,
    onProgress: ({ added }) => {
      if (look === undefined) {
        look = watch()
        first = added
      } else last = { added, cost: look() }
    },
  })
  if (last !== undefined) note('grown index', kind, last.added - first, last.cost)
}

const printRatios = (): Record<string, number> => {
  const ratios: Record<string, number> = {}
  for (const work of new Set(measured.map((each) => each.work))) {
    const medianOf = (kind: Kind, of: (each: Measured) => number): number =>
      median(measured.filter((each) => each.work === work && each.kind === kind).map(of))
    const paceOf = (of: (each: Measured) => number): number => medianOf('one server', of) / medianOf('cluster', of)
    ratios[`${work}, servers`] = paceOf(({ serversMs }) => serversMs)
    ratios[`${work}, servers and this process`] = paceOf(({ serversMs, ownMs }) => serversMs + ownMs)
    ratios[`${work}, clock`] = paceOf(({ clockMs }) => clockMs)
  }
  console.log(`\nPace of the cluster, that of one server being 1:\n`)
  console.log(formatTable(Object.entries(ratios).map(([by, pace]) => ({ by, pace }))))
  return ratios
}

/** Requests asked one after the other of one of both. */
const BLOCK = 10

/** Every question of both in turn, so that a busy machine slows both. */
const compareReads = (plain: Database, cluster: Database): Promise<Record<string, number>> =>
  withEndings(async (t) => {
    const services = [
      await serveV3(t, plain, { checkResults: false }),
      await serveV3(t, cluster, { checkResults: false }),
    ]
    const sample = await sampleIndex(plain.source.url)
    const questions = [...listQuestions(sample), ...listHeavyQuestions(sample), ...listFilters(sample)]
    const rows: Record<string, string | number>[] = []
    for (const { name, next } of questions) {
      const paths = Array.from({ length: reads }, next)
      const answers: string[][] = [[], []]
      const times: [number[], number[]] = [[], []]
      const cpuMs: [number, number] = [0, 0]
      for (let block = 0; block * BLOCK < reads; block++) {
        for (const at of block % 2 === 0 ? [0, 1] : [1, 0]) {
          const look = watch()
          for (const path of paths.slice(block * BLOCK, (block + 1) * BLOCK)) {
            const start = performance.now()
            const answer = await fetch(`${services[at]!.url}${path}`)
            answers[at]!.push(`${answer.status} ${await answer.text()}`)
            times[at]!.push(performance.now() - start)
          }
          // The first ones fill caches.
          if (block > 0) cpuMs[at]! += look().serversMs
        }
      }
      const [one, other] = times.map((list) => median(list.slice(BLOCK))) as [number, number]
      rows.push({
        question: name,
        'one server ms': one,
        'cluster ms': other,
        ratio: other / one,
        'ratio of processor time': cpuMs[1] / cpuMs[0],
        different: answers[0]!.filter((text, k) => text !== answers[1]![k]).length,
      })
    }
    console.log(
      `\nMedian of ${reads - BLOCK} requests each, and processor time of the servers:\n\n${formatTable(rows)}`,
    )
    return Object.fromEntries(rows.map(({ question, ratio }) => [question, Math.round(Number(ratio) * 100) / 100]))
  })

/** A grown index on each of them. */
const growBoth = (chains: readonly RecordedChain[], order: readonly Kind[], isLast: boolean) =>
  withEndings(async (t) => {
    const databases = new Map<Kind, Database>()
    for (const kind of order) {
      databases.set(kind, await openDatabase(t, kind))
      await grow(databases.get(kind)!, kind, chains)
    }
    if (!isLast) return undefined
    const ratios = printRatios()
    return {
      paces: ratios,
      reads: reads > 0 ? await compareReads(databases.get('one server')!, databases.get('cluster')!) : {},
    }
  })

try {
  const chains = transactions > 0 ? await openChains() : []
  let found: unknown
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? kinds : kinds.toReversed()
    for (const kind of order) await indexRecorded(kind)
    if (transactions > 0) found = await growBoth(chains, order, round === rounds - 1)
  }
  console.log(JSON.stringify(found ?? { paces: printRatios() }))
} finally {
  await closeSharedMachine()
}
