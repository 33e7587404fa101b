import { availableParallelism } from 'node:os'
import type { Progress } from '../../indexer/pipeline/StallWatchdog.ts'
import type { Logger } from '../../observe/Logger.ts'
import { createVirtualMachine } from '../../tvm/createVirtualMachine.ts'
import type { CommandContext } from '../Command.ts'
import { migrate, openDatabase } from '../database/openDatabase.ts'
import { expectRange } from '../errors.ts'
import { createMetrics } from '../operations/metrics.ts'
import { listenOwnOperations } from '../operations/openOperations.ts'
import { drawProgress, formatProgress } from '../progress.ts'
import { openChain } from './openChain.ts'
import { openDecoders, openIndexer } from './openIndexer.ts'

/** Indexes the network of the settings until all of it is there, or until the process is told to stop. */
export const runIndex = async (context: CommandContext): Promise<void> => {
  const { config, logger, shutdown } = context
  const { signal } = shutdown
  const metrics = createMetrics(shutdown)
  // Validates the settings before anything is started.
  expectRange(config)
  const decoders = openDecoders(context)
  const chain = await openChain(context, (block, checking) => decoders.checkRoot(block, checking))
  const database = await openDatabase(context)
  await migrate(database, logger, signal)
  const vmWorkers = Math.max(1, availableParallelism() - 1)
  const vm = await createVirtualMachine({ logger, workers: vmWorkers })
  shutdown.add('virtual machine', () => vm.close())
  await listenOwnOperations(context, metrics, {
    pool: chain.pool,
    chain: chain.blockSets,
    vm,
    database: Promise.resolve(database),
  })
  const indexer = openIndexer(context, { chain, database, decoders, vm, vmWorkers, metrics })
  const stop = config.json ? () => undefined : showProgress(() => indexer.progress, logger)
  try {
    await indexer.done
  } finally {
    stop()
  }
}

/** Shows how far the indexer is until it is told to stop. */
const showProgress = (read: () => Progress | undefined, logger: Logger): (() => void) => {
  let last = 0
  const { stop } = drawProgress({
    line: () => {
      const progress = read()
      return progress === undefined ? 'Another process is the leader; standby.' : formatProgress(progress)
    },
    log: () => {
      const progress = read()
      if (progress === undefined) return
      const { ranges, failure, ...numbers } = progress
      if (numbers.blocks === last && failure === undefined) return
      last = numbers.blocks
      const covered = ranges.map((range) => `${range.first}-${range.last}`).join(' ')
      logger.info('indexing', { covered, ...roundAll(numbers), ...(failure !== undefined && { failure }) })
    },
  })
  return stop
}

const roundAll = (numbers: Readonly<Record<string, number | undefined>>): Record<string, number | undefined> =>
  Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, value && Math.round(value * 10) / 10]))
