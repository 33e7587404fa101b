import { formatGlobalConfig } from '../../src/devnet/replay/formatGlobalConfig.ts'
import type { ChainStore } from '../../src/devnet/store/ChainStore.ts'
import { parseGlobalConfig } from '../../src/node/globalConfig.ts'
import { listenStore } from './listenStore.ts'
import { serveV2, type V2Service, type V2ServiceOptions } from './v2Service.ts'

/** The v2 interface over a chain that stands still. */
export const startV2OverStore = async (store: ChainStore, options: V2ServiceOptions = {}): Promise<V2Service> => {
  const server = await listenStore(store)
  try {
    const config = parseGlobalConfig(formatGlobalConfig(server, store.zeroState, undefined), 'a chain of a test')
    const service = await serveV2(config, options)
    const close = async (): Promise<void> => {
      await service.close()
      await server.close()
    }
    return { ...service, close }
  } catch (error) {
    await server.close()
    throw error
  }
}
