import { loadLocalnetStore } from './localnetStore.ts'
import type { V2Service, V2ServiceOptions } from './v2Service.ts'
import { startV2OverStore } from './v2Store.ts'

/** The v2 interface over the recorded network, whose head is its masterchain block 400. */
export const startV2Localnet = async (options: V2ServiceOptions = {}): Promise<V2Service> =>
  startV2OverStore(await loadLocalnetStore(), options)
