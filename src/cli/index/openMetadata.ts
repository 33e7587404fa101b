import { createResolve, fetchLimits } from '../../metadata/fetch/FetchRules.ts'
import { isGlobalAddress } from '../../metadata/isGlobalAddress.ts'
import { MetadataFetcher } from '../../metadata/MetadataFetcher.ts'
import type { Metrics } from '../../observe/Metrics.ts'
import type { Database } from '../../store/connect/Database.ts'
import type { CommandContext } from '../Command.ts'
import { letEnd } from './letEnd.ts'

type Context = Pick<CommandContext, 'config' | 'logger' | 'shutdown' | 'version'>

/** Starts to fetch metadata of tokens where the settings ask for it. It is closed with everything else. */
export const openMetadata = (
  { config, logger, shutdown, version }: Context,
  { database, metrics }: { readonly database: Database; readonly metrics: Metrics },
): MetadataFetcher | undefined => {
  if (!config.metadata) return undefined
  const fetcher = new MetadataFetcher({
    database,
    rules: {
      allowHttp: config.metadataHttp,
      ipfsGateway: config.metadataIpfsGateway,
      isAllowedAddress: isGlobalAddress,
      resolve: createResolve(),
      limits: fetchLimits,
      userAgent: `chaincenter/${version}`,
    },
    imageProxy: config.metadataImageProxy,
    parallel: config.metadataParallel,
    logger,
    metrics,
  })
  shutdown.add('metadata', () => letEnd(fetcher.close()))
  fetcher.start()
  return fetcher
}
