import type { TestContext } from 'node:test'
import type { IndexedChain } from '../../src/cli/index/openChain.ts'
import { type IndexerSetup, startIndexer } from '../../src/cli/index/startIndexer.ts'
import { dnsZones } from '../../src/contracts/dns/domainItems.ts'
import { decodeBlockSet } from '../../src/indexer/decode/decodeBlockSet.ts'
import { WatchedAccounts } from '../../src/indexer/decode/findTransactions.ts'
import type { Progress } from '../../src/indexer/pipeline/StallWatchdog.ts'
import { createLogger } from '../../src/observe/Logger.ts'
import { Metrics } from '../../src/observe/Metrics.ts'
import { shareMachine } from './testNetwork.ts'

export type IndexedRun = { readonly progress: Progress; readonly logged: readonly string[]; readonly metrics: Metrics }

type RunOptions = Partial<Omit<IndexerSetup, 'chain' | 'database'>> & { readonly to: number }

/** Indexes a chain up to a masterchain block, decoding in this thread. */
export const indexChain = async (
  t: TestContext,
  chain: IndexedChain,
  database: IndexerSetup['database'],
  options: RunOptions,
): Promise<IndexedRun> => {
  const watched = options.watchedAccounts && new WatchedAccounts(options.watchedAccounts)
  const ending = new AbortController()
  t.after(() => ending.abort())
  const logged: string[] = []
  const metrics = new Metrics()
  const indexer = startIndexer({
    chain,
    database,
    vm: await shareMachine(),
    decode: async (blockSet) => decodeBlockSet(blockSet, { watched }),
    dnsZones: dnsZones.main,
    from: 1,
    logger: createLogger({
      level: 'warn',
      format: 'json',
      colours: false,
      write: (line) => {
        logged.push(line)
        if (process.env['SHOW_LOG'] !== undefined) console.error(line)
      },
    }),
    metrics,
    signal: ending.signal,
    ...options,
  })
  await indexer.done
  return { progress: indexer.progress!, logged, metrics }
}
