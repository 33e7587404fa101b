import { dnsZones } from '../../contracts/dns/findDomainName.ts'
import { DecodePool } from '../../indexer/decode/DecodePool.ts'
import { Metrics } from '../../observe/Metrics.ts'
import { parseAddress } from '../../primitives/Address.ts'
import { addressKeyOf } from '../../primitives/addressKey.ts'
import { migrateDatabase } from '../../store/migrate/migrateDatabase.ts'
import { createVirtualMachine } from '../../tvm/createVirtualMachine.ts'
import type { CommandContext } from '../Command.ts'
import { openDatabase } from '../database/openDatabase.ts'
import { openChain } from './openChain.ts'
import { openMetadata } from './openMetadata.ts'
import { showProgress } from './showProgress.ts'
import { startIndexer } from './startIndexer.ts'

/** Indexes the network of the settings until all of it is there, or until the process is told to stop. */
export const runIndex = async (context: CommandContext): Promise<void> => {
  const { config, logger, shutdown } = context
  const { signal } = shutdown
  const metrics = new Metrics()
  const database = await openDatabase(context)
  await migrate(context, database)
  const chain = await openChain(context)
  const vm = await createVirtualMachine({ logger })
  shutdown.add('virtual machine', () => vm.close())
  const decoders = new DecodePool()
  shutdown.add('decoders', () => decoders.close())
  openMetadata(context, { database, metrics })
  const indexer = startIndexer({
    chain,
    database,
    vm,
    decode: (unit, decoding) => decoders.decode(unit, decoding),
    dnsZones: dnsZones[config.network === 'test' ? 'test' : 'main'],
    from: config.from,
    to: config.to,
    watchedAccounts: readWatched(config.watchedAccounts),
    logger,
    metrics,
    signal,
  })
  const stop = showProgress(() => indexer.progress, logger)
  try {
    await indexer.done
  } finally {
    stop()
  }
}
