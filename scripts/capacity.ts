// npm run capacity -- [--data-dir DIR] [--to 1000000000] [--tx-per-second 64] [--block-seconds 2.5] [--indexer-us 120] [--cores 16]
//   [--database-url URL]
// What an index costs, measured on a large one and extrapolated: disk, processor time, memory, page reads. --data-dir is that of
// npm run bench -- v3, which grows an index if there is none. With --database-url it reads the sizes of your own index instead, and changes
// nothing there. It prints what it assumes. The last line is JSON.
import { parseArgs } from 'node:util'
import { PARTITION_WIDTH } from '../src/cli/index/startIndexer.ts'
import { formatTable, roundFigure } from '../test/support/formatTable.ts'
import { countTransactions, openGrownIndex } from '../test/support/v3Load/openGrownIndex.ts'
import {
  measureReads,
  measureWrites,
  readScattered,
  readSizes,
  type TableSize,
  withClient,
} from './capacity/measure.ts'
import { project, type Target } from './capacity/project.ts'

/** Of all threads of the indexer, from packages to rows: docs/performance-notes.md, rounded up. */
const INDEXER_US = '120'
/** What the database does where it must not be measured: as measured by this script on a grown index. */
const DATABASE_US = 117
const WAL_BYTES = 5349
const ADDED = 200_000
const UTILISATION = 0.6

const { values } = parseArgs({
  options: {
    'data-dir': { type: 'string' },
    'database-url': { type: 'string' },
    to: { type: 'string', default: '1000000000' },
    'tx-per-second': { type: 'string', default: '64' },
    'block-seconds': { type: 'string', default: '2.5' },
    'indexer-us': { type: 'string', default: INDEXER_US },
    cores: { type: 'string', default: '16' },
  },
})
const numbers = (['to', 'tx-per-second', 'block-seconds', 'indexer-us', 'cores'] as const).map((name) => {
  const value = Number(values[name])
  if (!(value > 0)) {
    console.error(`--${name} is a number above 0.`)
    process.exit(2)
  }
  return value
})
const [to, transactionsPerSecond, blockSeconds, indexerUs, cores] = numbers as [number, number, number, number, number]
const GIB = 2 ** 30
/** A quarter of the memory of the machine that docs/capacity.md names for the main network. */
const PAGE_MEMORY = 16 * GIB
const target: Target = {
  transactions: to,
  transactionsPerSecond,
  blockSeconds,
  partitionBlocks: PARTITION_WIDTH,
  pageMemoryBytes: PAGE_MEMORY,
  cores,
  utilisation: UTILISATION,
}

const gib = (bytes: number): number => bytes / GIB

const printSizes = (tables: readonly TableSize[], transactions: number): void => {
  const rows = tables
    .filter(({ bytes }) => bytes / transactions > 1)
    .map(({ name, rows: count, bytes, indexBytes }) => ({
      table: name,
      'rows per tx': count / transactions,
      'bytes per tx': bytes / transactions,
      'of them indexes': indexBytes / transactions,
    }))
  console.log(`\n${transactions} transactions. Tables with more than a byte per transaction:\n\n${formatTable(rows)}`)
}

type Written = Pick<Awaited<ReturnType<typeof measureWrites>>, 'databaseUs' | 'walBytes'>

const extrapolate = async (url: string, { databaseUs, walBytes }: Written) =>
  withClient(url, async (client) => {
    const transactions = await countTransactions(url)
    const tables = await readSizes(client)
    const scattered = await readScattered(client)
    const measured = {
      transactions,
      bytes: tables.reduce((sum, { bytes }) => sum + bytes, 0) / transactions,
      scatteredIndexBytes: scattered.bytes / transactions,
      scatteredRows: scattered.rows / transactions,
      databaseUs,
      walBytes,
      indexerUs,
    }
    printSizes(tables, transactions)
    const made = project(measured, target)
    const lines = {
      'disk, GiB': gib(made.bytes),
      'disk of a year, GiB': gib(made.bytesPerYear),
      'written to the log of the database, GiB': gib(made.walBytes),
      'processor time to index it, core hours': made.coreHours,
      [`days on ${cores} cores`]: made.indexingDays,
      'cores that follow the head': made.headCores,
      'years of the network': made.years,
      partitions: made.partitions,
      'transactions of a partition, millions': made.transactionsPerPartition / 1e6,
      'memory for the indexes that the writer touches at random, GiB': gib(made.writerMemoryBytes),
      'page reads per second of the writer without that memory': made.coldReadsPerSecond,
    }
    console.log(`\nExtrapolated to ${to} transactions:\n`)
    console.log(formatTable(Object.entries(lines).map(([what, value]) => ({ what, value: roundFigure(value) }))))
    return { measured, projected: made }
  })

const printAssumptions = (isOwn: boolean): void => {
  const source = isOwn
    ? `the sizes are those of your index; processor time and log of the database (${DATABASE_US} µs, ${WAL_BYTES} bytes per transaction) are those of our grown index`
    : 'the index is a grown one: recorded transactions of wallets, jettons, NFTs and payments, copied over many accounts. Your network has other ones: run this with --database-url once you have some'
  const assumptions = [
    source,
    'a transaction takes the same bytes and processor time however many there are: tables are partitioned, and a B-tree of a hundred times the rows is one level deeper',
    'accounts, tokens and distinct bodies grow in proportion to transactions, too; on an old network they grow more slowly, so the disk is an upper bound',
    `the network makes ${transactionsPerSecond} transactions per second and a masterchain block every ${blockSeconds} s; a partition is three quarters as large as the memory of the database for pages (${PAGE_MEMORY / GIB} GiB, as on a machine with ${(4 * PAGE_MEMORY) / GIB} GiB), or an eighth of all before it, and has at most ${PARTITION_WIDTH} masterchain blocks`,
    `the indexer takes ${indexerUs} µs of processor time per transaction (--indexer-us; npm run bench -- index measures it), ${100 * UTILISATION} % of ${cores} cores are at work, one writer at a time, and blocks arrive faster than that`,
    'classification of traces (actions) is not included in the processor time; replicas, backups and the free space of maintenance are not included in the disk',
    'page reads without enough memory: every row of an index that begins with a hash or an address is one',
  ]
  console.log(`\nAssumptions:\n${assumptions.map((each) => `- ${each}`).join('\n')}`)
}

const own = values['database-url']
if (own !== undefined) {
  const result = await extrapolate(own, { databaseUs: DATABASE_US, walBytes: WAL_BYTES })
  printAssumptions(true)
  console.log(JSON.stringify(result))
} else {
  const index = await openGrownIndex(values['data-dir'] === undefined ? [] : ['--data-dir', values['data-dir']])
  try {
    // First, while the memory of the server is empty.
    const { figures, heldMib, privateMib } = await measureReads(index.url, index.dataDir)
    const { added, ...written } = await measureWrites(index.url, index.dataDir, ADDED)
    console.log(`Answers, each over ${index.transactions} transactions:\n\n${formatTable(figures)}`)
    console.log(`\nWriting ${added} more, per transaction:\n\n${formatTable([written])}`)
    const memory = { 'server MiB': heldMib, 'connections of the database MiB': privateMib }
    console.log(`\nMemory of the processes, besides shared_buffers:\n\n${formatTable([memory])}`)
    const result = await extrapolate(index.url, written)
    printAssumptions(false)
    console.log(JSON.stringify({ ...result, answers: figures, written, ...memory }))
  } finally {
    await index.stop()
  }
}
