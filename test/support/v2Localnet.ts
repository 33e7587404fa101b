import { formatGlobalConfig } from '../../src/devnet/replay/formatGlobalConfig.ts'
import { parseGlobalConfig } from '../../src/node/globalConfig.ts'
import { listenStore } from './listenStore.ts'
import { loadLocalnetStore } from './localnetStore.ts'
import { serveV2, type V2Service, type V2ServiceOptions } from './v2Service.ts'

/** The v2 interface over the recorded network, whose head is its masterchain block 400. */
export const startV2Localnet = async (options: V2ServiceOptions = {}): Promise<V2Service> => {
  const store = await loadLocalnetStore()
  const server = await listenStore(store)
  try {
    const config = parseGlobalConfig(formatGlobalConfig(server, store.zeroState, undefined), 'the recorded network')
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
