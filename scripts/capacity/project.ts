import { wantPartitionBytes } from '../../src/store/schema/PartitionMap.ts'

/** What was measured, for one transaction of the index unless it says otherwise. */
export type MeasuredIndex = {
  readonly transactions: number
  /** Tables with their indexes. */
  readonly bytes: number
  /** Indexes whose first column is a hash or an address: every row goes to another page of them. */
  readonly scatteredIndexBytes: number
  /** Rows that those indexes get. */
  readonly scatteredRows: number
  /** Processor time of the database, and what it writes to its log. */
  readonly databaseUs: number
  readonly walBytes: number
  /** Processor time of the indexer. */
  readonly indexerUs: number
}

/** The network and the machine that it is extrapolated to. */
export type Target = {
  readonly transactions: number
  readonly transactionsPerSecond: number
  readonly blockSeconds: number
  /** Masterchain blocks of a partition at most. */
  readonly partitionBlocks: number
  /** Memory of the database for pages (`shared_buffers`). */
  readonly pageMemoryBytes: number
  /** Cores that index, and the share of them that is used: stages wait for each other. */
  readonly cores: number
  readonly utilisation: number
}

export type Projection = {
  readonly bytes: number
  readonly walBytes: number
  readonly coreHours: number
  /** Time to index all of it with the cores of the target. */
  readonly indexingDays: number
  /** Share of a core that following the head takes. */
  readonly headCores: number
  /** Age of a network that made so many, and the bytes of its next year. */
  readonly years: number
  readonly bytesPerYear: number
  readonly partitions: number
  /** Of the newest one, when it is full. */
  readonly transactionsPerPartition: number
  /** Memory for the pages that the writer of one partition touches again and again. */
  readonly writerMemoryBytes: number
  /** Page reads per second at the head if that memory is missing: each row of a scattered index is one. */
  readonly coldReadsPerSecond: number
}

const YEAR_SECONDS = 365.25 * 86_400
const US = 1e6

/** Extrapolates in proportion: what a transaction costs does not depend on how many there are. scripts/capacity.ts says why. */
export const project = (measured: MeasuredIndex, target: Target): Projection => {
  const { transactions, transactionsPerSecond, cores, utilisation } = target
  const us = measured.databaseUs + measured.indexerUs
  const coreSeconds = (transactions * us) / US
  // Batches are written one after another.
  const writerSeconds = (transactions * measured.databaseUs) / US
  const { partitions, transactionsPerPartition } = divide(measured.bytes, target)
  const years = transactions / transactionsPerSecond / YEAR_SECONDS
  const largest = Math.min(transactions, transactionsPerPartition)
  return {
    bytes: transactions * measured.bytes,
    walBytes: transactions * measured.walBytes,
    coreHours: coreSeconds / 3600,
    indexingDays: Math.max(coreSeconds / (cores * utilisation), writerSeconds) / 86_400,
    headCores: (transactionsPerSecond * us) / US,
    years,
    bytesPerYear: transactionsPerSecond * YEAR_SECONDS * measured.bytes,
    partitions,
    transactionsPerPartition,
    writerMemoryBytes: largest * measured.scatteredIndexBytes,
    coldReadsPerSecond: transactionsPerSecond * measured.scatteredRows,
  }
}

/** Partitions as the writer makes them, one after the other. */
const divide = (bytes: number, target: Target): Pick<Projection, 'partitions' | 'transactionsPerPartition'> => {
  const most = target.partitionBlocks * target.blockSeconds * target.transactionsPerSecond
  let [partitions, all, last] = [0, 0, 0]
  for (; all < target.transactions; all += last, partitions++) {
    last = Math.min(most, wantPartitionBytes(target.pageMemoryBytes, all * bytes) / bytes)
  }
  return { partitions, transactionsPerPartition: last }
}
