import { availableParallelism } from 'node:os'
import { dnsZones } from '../../contracts/dns/findDomainName.ts'
import { DecodePool } from '../../indexer/decode/DecodePool.ts'
import { withRetries } from '../../indexer/sources/withRetries.ts'
import type { Logger } from '../../observe/Logger.ts'
import { Metrics } from '../../observe/Metrics.ts'
import { parseAddress } from '../../primitives/Address.ts'
import { addressKeyOf } from '../../primitives/addressKey.ts'
import type { Database } from '../../store/connect/Database.ts'
import { endClient } from '../../store/connect/endClient.ts'
import { toDatabaseError } from '../../store/connect/toDatabaseError.ts'
import { migrateDatabase } from '../../store/migrate/migrateDatabase.ts'
import { createVirtualMachine } from '../../tvm/createVirtualMachine.ts'
import type { CommandContext } from '../Command.ts'
import { openDatabase } from '../database/openDatabase.ts'
import { UsageError } from '../errors.ts'
import { expectRange } from './expectRange.ts'
import { openChain } from './openChain.ts'
import { openMetadata } from './openMetadata.ts'
import { showProgress } from './showProgress.ts'
import { startIndexer } from './startIndexer.ts'

/** Indexes the network of the settings until all of it is there, or until the process is told to stop. */
export const runIndex = async (context: CommandContext): Promise<void> => {
  const { config, logger, shutdown } = context
  const { signal } = shutdown
  const metrics = new Metrics()
  // What the settings say wrong is said before anything is started.
  expectRange(config)
  const watchedAccounts = readWatched(config.watchedAccounts)
  const chain = await openChain(context)
  const database = await openDatabase(context)
  await migrate(context, database)
  const vmWorkers = Math.max(1, availableParallelism() - 1)
  const vm = await createVirtualMachine({ logger, workers: vmWorkers })
  shutdown.add('virtual machine', () => vm.close())
  const decoders = new DecodePool({ watched: watchedAccounts })
  shutdown.add('decoders', () => decoders.close())
  openMetadata(context, { database, metrics })
  const indexer = startIndexer({
    chain,
    database,
    vm,
    vmWorkers,
    decode: (unit, decoding) => decoders.decode(unit, decoding),
    dnsZones: dnsZones[config.network === 'test' ? 'test' : 'main'],
    from: config.from,
    to: config.to,
    watchedAccounts,
    retention: config.retention,
    logger,
    metrics,
    signal,
  })
  const stop = config.json ? () => undefined : showProgress(() => indexer.progress, logger)
  try {
    await indexer.done
  } finally {
    stop()
  }
}

const MIGRATE_TRIES = 20
const MIGRATE_BACKOFF = { firstMs: 250, maxMs: 3000 }

/** A server that was just there may go away again for a moment. */
const migrate = ({ logger, shutdown: { signal } }: CommandContext, database: Database): Promise<void> =>
  withRetries(() => migrateOnce(database, logger, signal), {
    signal,
    maxTries: MIGRATE_TRIES,
    backoff: MIGRATE_BACKOFF,
    onRetry: (error) => logger.warn('the database cannot be brought up to date, it is tried again', { error }),
  })

const migrateOnce = async (database: Database, logger: Logger, signal: AbortSignal): Promise<void> => {
  const client = await database.openConnection('migrate')
  try {
    await migrateDatabase(client, { logger, signal })
  } catch (error) {
    throw toDatabaseError(error)
  } finally {
    await endClient(client)
  }
}

const readWatched = (texts: readonly string[]): readonly Uint8Array[] | undefined => {
  if (texts.length === 0) return undefined
  return texts.map((text) => {
    try {
      return addressKeyOf(parseAddress(text))
    } catch {
      const advice = 'Raw addresses (0:83df…) and those that wallets show (EQCD3…) are taken.'
      throw new UsageError(`--watch takes addresses of accounts, ${JSON.stringify(text)} is none.`, advice)
    }
  })
}
