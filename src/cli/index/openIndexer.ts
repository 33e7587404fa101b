import { setTimeout as delay } from 'node:timers/promises'
import type { VirtualMachine } from '../../chain/ports.ts'
import { dnsZones } from '../../contracts/dns/domainItems.ts'
import { DecodePool } from '../../indexer/decode/DecodePool.ts'
import { MetadataFetcher } from '../../metadata/MetadataFetcher.ts'
import type { Metrics } from '../../observe/Metrics.ts'
import { addressKeyOf, parseAddress } from '../../primitives/Address.ts'
import type { Database } from '../../store/connect/Database.ts'
import type { CommandContext } from '../Command.ts'
import { UsageError } from '../errors.ts'
import { fetchRulesOf } from '../fetchRules.ts'
import type { IndexedChain } from './openChain.ts'
import { type RunningIndexer, startIndexer } from './startIndexer.ts'

const GRACE_MS = 1000

/**
 * Lets work that was told to stop end what it does before what it works with is closed, but not for long: where a server hangs,
 * only closing the connection to it ends the wait.
 */
const letEnd = async (done: Promise<void>): Promise<void> => {
  await Promise.race([done.catch(() => undefined), delay(GRACE_MS, undefined, { ref: false })])
}

type Context = Pick<CommandContext, 'config' | 'logger' | 'shutdown' | 'version'>

/** Starts to fetch metadata of tokens where the settings ask for it. It is closed with everything else. */
const openMetadata = (
  { config, logger, shutdown, version }: Context,
  { database, metrics }: { readonly database: Database; readonly metrics: Metrics },
): MetadataFetcher | undefined => {
  if (!config.metadata) return undefined
  const fetcher = new MetadataFetcher({
    database,
    rules: fetchRulesOf(config, version),
    imageProxy: config.metadataImageProxy,
    parallel: config.metadataParallel,
    logger,
    metrics,
  })
  shutdown.add('metadata', () => letEnd(fetcher.close()))
  fetcher.start()
  return fetcher
}

/** The keys of the accounts to watch; `undefined` where all are. */
const readWatched = (texts: readonly string[]): readonly Uint8Array[] | undefined => {
  if (texts.length === 0) return undefined
  return texts.map((text) => {
    try {
      return addressKeyOf(parseAddress(text))
    } catch {
      const advice = 'Raw addresses (0:83df…) and those that wallets show (EQCD3…) are taken.'
      throw new UsageError(`Expected an account address for --watch, but got ${JSON.stringify(text)}.`, advice)
    }
  })
}

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
