import { availableParallelism } from 'node:os'
import { createVirtualMachine } from '../../tvm/createVirtualMachine.ts'
import type { CommandContext } from '../Command.ts'
import { migrate } from '../database/migrate.ts'
import { openDatabase } from '../database/openDatabase.ts'
import { listenOwnOperations } from '../operations/listenOperations.ts'
import { createMetrics } from '../operations/openOperations.ts'
import { expectRange } from './expectRange.ts'
import { openChain } from './openChain.ts'
import { openDecoders, openIndexer } from './openIndexer.ts'
import { showProgress } from './showProgress.ts'

/** Indexes the network of the settings until all of it is there, or until the process is told to stop. */
export const runIndex = async (context: CommandContext): Promise<void> => {
  const { config, logger, shutdown } = context
  const { signal } = shutdown
  const metrics = createMetrics(shutdown)
  // What the settings say wrong is said before anything is started.
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
