import { setTimeout as delay } from 'node:timers/promises'
import { formatTable } from '../../../test/support/formatTable.ts'
import { rawGet, runLoad } from '../../../test/support/httpLoad.ts'
import { countTransactions, openGrownIndex, startGrowing } from '../../../test/support/v3Load/openGrownIndex.ts'
import { sampleIndex } from '../../../test/support/v3Load/sampleIndex.ts'
import { startV3Server } from '../../../test/support/v3Load/startV3Server.ts'
import { listQuestions, mixQuestions } from '../../../test/support/v3Load/v3Questions.ts'

const CONNECTIONS = 32
const WARM_UP_MS = 3000
const LOAD_MS = 15_000
/** More than it can make while this lasts. */
const ENDLESS = 10_000_000

/**
 * The v3 interface under load while blocks are written to the same index as fast as they can be, by the stages of the indexer. The
 * index is larger afterwards.
 *
 * npm run bench -- v3-backfill [--data-dir DIR] [--transactions N]: see openGrownIndex.ts.
 */
export const run = async (args: readonly string[] = []) => {
  const index = await openGrownIndex(args)
  const growing = startGrowing(index.dataDir, index.transactions + ENDLESS)
  try {
    const server = await startV3Server(index.url)
    try {
      const { url } = server.ready
      const { next } = mixQuestions(listQuestions(await sampleIndex(index.url)))
      await untilMore(index.url, index.transactions)
      const load = (durationMs: number) =>
        runLoad(url, () => rawGet(url, next()), { connections: CONNECTIONS, durationMs })
      await load(WARM_UP_MS)
      const before = await countTransactions(index.url)
      const { requests, seconds, failures, p50Ms, p99Ms, worstMs } = await load(LOAD_MS)
      const written = (await countTransactions(index.url)) - before
      const errors = [...failures.values()].reduce((sum, count) => sum + count, 0)
      console.log(formatTable([{ requests, errors, 'p50 ms': p50Ms, 'p99 ms': p99Ms, 'worst ms': worstMs }]))
      return { p99_ms: p99Ms, errors, rps: requests / seconds, indexed_tx_per_s: written / seconds }
    } finally {
      await server.close()
    }
  } finally {
    await growing.stop()
    await index.stop()
  }
}

const untilMore = async (url: string, transactions: number): Promise<void> => {
  while ((await countTransactions(url)) <= transactions) await delay(200)
}
