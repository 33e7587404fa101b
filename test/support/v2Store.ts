import type { LiteserverListener } from '../../src/devnet/liteserver/listenLiteserver.ts'
import { formatGlobalConfig } from '../../src/devnet/replay/formatGlobalConfig.ts'
import type { ChainStore } from '../../src/devnet/store/ChainStore.ts'
import { parseGlobalConfig } from '../../src/node/globalConfig.ts'
import { listenStore } from './listenStore.ts'
import { serveV2, type V2Service, type V2ServiceOptions } from './v2Service.ts'

/** The v2 interface over a chain that stands still. */
export const startV2OverStore = async (store: ChainStore, options: V2ServiceOptions = {}): Promise<V2Service> =>
  startV2OverServers(store, [await listenStore(store)], options)

/** The same over servers of that chain, which are closed with it. */
export const startV2OverServers = async (
  { zeroState }: ChainStore,
  servers: readonly LiteserverListener[],
  options: V2ServiceOptions = {},
): Promise<V2Service> => {
  const closeServers = () => Promise.all(servers.map((server) => server.close()))
  try {
    const config = parseGlobalConfig(formatGlobalConfig(servers[0]!, zeroState, undefined), 'a chain of a test')
    const service = await serveV2({ ...config, liteServers: servers }, options)
    const close = async (): Promise<void> => {
      await service.close()
      await closeServers()
    }
    return { ...service, close }
  } catch (error) {
    await closeServers()
    throw error
  }
}
