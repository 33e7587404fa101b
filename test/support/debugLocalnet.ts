import type { LiveChain } from '../../src/chain/LiveChain.ts'
import type { LiteFunctions } from '../../src/devnet/liteserver/LiteFunction.ts'
import type { ChainStore } from '../../src/devnet/store/ChainStore.ts'
import { createLiveChain } from '../../src/node/createLiveChain.ts'
import { ProvenNode } from '../../src/node/ProvenNode.ts'
import { NodePool } from '../../src/node/pool/NodePool.ts'
import { TrustedChain } from '../../src/node/TrustedChain.ts'
import { createLogger } from '../../src/observe/Logger.ts'
import { listenStore } from './listenStore.ts'

const silent = createLogger({ level: 'silent', format: 'json', colours: false, write: () => undefined })

export type ServedStore = { readonly chain: LiveChain; close(): Promise<void> }

/** A chain over ADNL as any client sees it: proofs are checked from the zerostate on. */
export const serveStore = async (
  store: ChainStore,
  { functions }: { readonly functions?: LiteFunctions } = {},
): Promise<ServedStore> => {
  const server = await listenStore(store, functions === undefined ? {} : { functions })
  const { host, port, publicKey } = server
  const pool = new NodePool([{ host, port, publicKey }], {
    logger: silent,
    zeroStateRootHash: store.zeroState.rootHash,
    timeoutMs: 10_000,
  })
  await pool.start()
  const trust = new TrustedChain(pool, { mode: 'full', anchor: store.zeroState, logger: silent })
  await trust.load()
  return {
    chain: createLiveChain(new ProvenNode(pool, trust)),
    close: async () => {
      await pool.close()
      await server.close()
    },
  }
}
