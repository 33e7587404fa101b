import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { formatTable } from '../../../test/support/formatTable.ts'
import { median } from '../../../test/support/measure.ts'
import { DatabaseWatch } from '../../../test/support/v3Load/DatabaseWatch.ts'
import {
  type Figures,
  medianOf,
  type Racer,
  ROUNDS,
  type Rounds,
  raceInTurns,
  runRound,
} from '../../../test/support/v3Load/measureV3.ts'
import {
  type GrownIndex,
  type Growth,
  openGrownIndex,
  startGrowing,
} from '../../../test/support/v3Load/openGrownIndex.ts'
import { sampleIndex } from '../../../test/support/v3Load/sampleIndex.ts'
import { startV3Server } from '../../../test/support/v3Load/startV3Server.ts'
import { listQuestions, mixQuestions } from '../../../test/support/v3Load/v3Questions.ts'

/** Transactions that are added to each index in a turn. */
const WRITTEN = 150_000

/** Before an index is measured, it is asked so long that the memory of the database is filled, as on a server that has run for days. */
const FILL_MS = 60_000

/** In a busy hour single rounds differ by a half. */
const ROUNDS_IN_TURNS = 9

/**
 * What requests and writing cost over a small and over a large index. Both are made if they are not there. They take turns in both, so
 * that a minute in which the machine is busy slows both of them, and a ratio is that of two rounds one after the other: the median of all.
 * With `--alone` each is asked while the other one is not there, and a ratio is that of the medians.
 *
 * npm run bench -- v3-growth [--small N] [--large N] [--folder DIR] [--turns N] [--alone]
 */
export const run = async (args: readonly string[] = []) => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      small: { type: 'string', default: '1000000' },
      large: { type: 'string', default: '10000000' },
      folder: { type: 'string', default: join(tmpdir(), 'chaincenter-growth') },
      turns: { type: 'string', default: '3' },
      alone: { type: 'boolean', default: false },
    },
  })
  const sizes = [values.small, values.large]
  const folders = sizes.map((size) => join(values.folder, size))
  const openAt = (k: number) => openReading(folders[k]!, sizes[k]!)
  const [small, large] = (
    values.alone
      ? [...(await measureReads(ROUNDS, [() => openAt(0)])), ...(await measureReads(ROUNDS, [() => openAt(1)]))]
      : await measureReads(ROUNDS_IN_TURNS, [() => openAt(0), () => openAt(1)])
  ) as [Reads, Reads]
  const reading = compareReads(small.rounds, large.rounds, values.alone ? ratioOfMedians : medianOfRatios)
  console.log(formatTable(reading))
  const writing = await compareWriting(
    [small, large].map(({ transactions }, k) => ({ folder: folders[k]!, transactions })),
    Number(values.turns),
  )
  console.log(`\n${formatTable(writing)}`)
  return {
    worst_read_ratio: Math.max(...reading.slice(0, -1).map(({ ratio }) => ratio)),
    mixed_read_ratio: reading.at(-1)!.ratio,
    write_ratio: median(writing.map(({ ratio }) => ratio)),
    small_tx_per_s: median(writing.map((turn) => turn['small tx_per_s'])),
    large_tx_per_s: median(writing.map((turn) => turn['large tx_per_s'])),
    small_bytes_per_tx: small.bytesPerTransaction,
    large_bytes_per_tx: large.bytesPerTransaction,
  }
}

type IndexSize = Pick<GrownIndex, 'transactions' | 'bytesPerTransaction'>

type Reads = IndexSize & { readonly rounds: Rounds }

/** An index with a server over it. */
type Reading = IndexSize & { readonly racer: Racer; close(): Promise<void> }

const openReading = async (folder: string, size: string): Promise<Reading> => {
  const closers: (() => Promise<unknown>)[] = []
  const close = async (): Promise<void> => {
    for (const end of closers.splice(0).reverse()) await end()
  }
  try {
    const index = await openGrownIndex(['--data-dir', folder, '--transactions', size])
    closers.push(() => index.stop())
    const { transactions, bytesPerTransaction } = index
    console.log(`${transactions} transactions, ${bytesPerTransaction} bytes each`)
    const questions = listQuestions(await sampleIndex(index.url))
    const mixed = mixQuestions(questions)
    const database = await DatabaseWatch.open(index.url)
    closers.push(() => database.close())
    const server = await startV3Server(index.url)
    closers.push(() => server.close())
    const bench = { server, database }
    await runRound(bench, mixed, FILL_MS)
    return { transactions, bytesPerTransaction, racer: { bench, questions: [...questions, mixed] }, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Opens indexes, and asks them in turns. */
const measureReads = async (roundCount: number, openers: readonly (() => Promise<Reading>)[]): Promise<Reads[]> => {
  const opened: Reading[] = []
  try {
    for (const open of openers) opened.push(await open())
    const rounds = await raceInTurns(
      opened.map(({ racer }) => racer),
      roundCount,
    )
    return opened.map(({ transactions, bytesPerTransaction }, k) => ({
      transactions,
      bytesPerTransaction,
      rounds: rounds[k]!,
    }))
  } finally {
    for (const { close } of opened.reverse()) await close()
  }
}

const costOf = ({ serverMs, databaseMs }: Figures): number => serverMs + databaseMs

type RatioOf = (small: readonly Figures[], large: readonly Figures[]) => number

const medianOfRatios: RatioOf = (small, large) => median(small.map((one, k) => costOf(large[k]!) / costOf(one)))

const ratioOfMedians: RatioOf = (small, large) => costOf(medianOf(large)) / costOf(medianOf(small))

const compareReads = (small: Rounds, large: Rounds, ratioOf: RatioOf) =>
  [...small].map(([question, rounds]) => {
    const others = large.get(question)!
    const [one, other] = [medianOf(rounds), medianOf(others)]
    return {
      question,
      'small cpu ms': costOf(one),
      'large cpu ms': costOf(other),
      ratio: ratioOf(rounds, others),
      'small database': one.databaseMs,
      'large database': other.databaseMs,
      'small p99 ms': one.p99Ms,
      'large p99 ms': other.p99Ms,
    }
  })

/** Adds as many transactions to each, in turns. */
const compareWriting = async (
  indexes: readonly { readonly folder: string; readonly transactions: number }[],
  turns: number,
) => {
  const rows = []
  for (let turn = 1; turn <= turns; turn++) {
    const grown: Growth[] = []
    for (const { folder, transactions } of indexes) {
      grown.push(await startGrowing(folder, transactions + turn * WRITTEN).ended)
    }
    const [small, large] = grown as [Growth, Growth]
    rows.push({
      'written into each': large.added,
      'small tx_per_s': small.tx_per_s,
      'large tx_per_s': large.tx_per_s,
      'small ms': small.database_cpu_ms_per_tx,
      'large ms': large.database_cpu_ms_per_tx,
      ratio: large.database_cpu_ms_per_tx / small.database_cpu_ms_per_tx,
    })
  }
  return rows
}
