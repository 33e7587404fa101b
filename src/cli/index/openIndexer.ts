import type { VirtualMachine } from '../../chain/ports.ts'
import { dnsZones } from '../../contracts/dns/domainItems.ts'
import { DecodePool } from '../../indexer/decode/DecodePool.ts'
import type { Metrics } from '../../observe/Metrics.ts'
import type { Database } from '../../store/connect/Database.ts'
import type { CommandContext } from '../Command.ts'
import { letEnd } from './letEnd.ts'
import type { IndexedChain } from './openChain.ts'
import { openMetadata } from './openMetadata.ts'
import { readWatched } from './readWatched.ts'
import { type RunningIndexer, startIndexer } from './startIndexer.ts'

type Parts = {
  readonly chain: IndexedChain
  /** With all migrations. */
  readonly database: Database
  readonly decoders: DecodePool
  readonly vm: VirtualMachine
  readonly vmWorkers: number
  readonly metrics: Metrics
}

/** Threads that read blocks, for the accounts of the settings. */
export const openDecoders = ({ config, shutdown }: Pick<CommandContext, 'config' | 'shutdown'>): DecodePool => {
  const decoders = new DecodePool({ watched: readWatched(config.watchedAccounts) })
  shutdown.add('decoders', () => decoders.close())
  return decoders
}

/** Indexes a chain into a database as the settings say, and fetches metadata where they ask for it. */
export const openIndexer = (
  context: Pick<CommandContext, 'config' | 'logger' | 'shutdown' | 'version'>,
  { chain, database, decoders, vm, vmWorkers, metrics }: Parts,
): RunningIndexer => {
  const { config, logger, shutdown } = context
  const watchedAccounts = readWatched(config.watchedAccounts)
  openMetadata(context, { database, metrics })
  const indexer = startIndexer({
    chain,
    database,
    vm,
    vmWorkers,
    decode: (blockSet, decoding) => decoders.decode(blockSet, decoding),
    dnsZones: dnsZones[config.network === 'test' ? 'test' : 'main'],
    from: config.from,
    to: config.to,
    watchedAccounts,
    retention: config.retention,
    classify: config.actions,
    logger,
    metrics,
    signal: shutdown.signal,
  })
  shutdown.add('indexer', () => letEnd(indexer.done))
  return indexer
}
