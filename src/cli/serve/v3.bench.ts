import { loadavg } from 'node:os'
import { formatTable } from '../../../test/support/formatTable.ts'
import { DatabaseWatch } from '../../../test/support/v3Load/DatabaseWatch.ts'
import { measureDepth } from '../../../test/support/v3Load/measureDepth.ts'
import { type Figures, race } from '../../../test/support/v3Load/measureV3.ts'
import { openGrownIndex } from '../../../test/support/v3Load/openGrownIndex.ts'
import { besideOriginal } from '../../../test/support/v3Load/originalV3.ts'
import { sampleIndex } from '../../../test/support/v3Load/sampleIndex.ts'
import { startV3Server } from '../../../test/support/v3Load/startV3Server.ts'
import {
  listFilters,
  listHeavyQuestions,
  listQuestions,
  mixQuestions,
} from '../../../test/support/v3Load/v3Questions.ts'

/** Filters that are hard to serve are asked by fewer at once. */
const FILTER_CONNECTIONS = 8

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
      const heavy = await race({ server, database }, listHeavyQuestions(sample))
      print(heavy)
      const beside = besideOriginal(new Map([...figures, ...heavy]))
      console.log(`\nBeside the figures of the original, which was measured on another machine\n${formatTable(beside)}`)
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
        least_ratio_of_wanted: Math.min(...beside.map(({ ratio, wanted }) => ratio / wanted)),
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
