import type { LiveChain } from '../../src/chain/LiveChain.ts'
import { openAccountBlocks, openBlock, openBlockExtra } from '../../src/codec/tlb/Block.ts'
import type { ReplayTarget } from '../../src/debug/replay/ReplayInputs.ts'
import type { LiteFunctions } from '../../src/devnet/liteserver/LiteFunction.ts'
import type { ChainStore } from '../../src/devnet/store/ChainStore.ts'
import { createLiveChain } from '../../src/node/createLiveChain.ts'
import { ProvenNode } from '../../src/node/ProvenNode.ts'
import { NodePool } from '../../src/node/pool/NodePool.ts'
import { TrustedChain } from '../../src/node/TrustedChain.ts'
import { createLogger } from '../../src/observe/Logger.ts'
import { listenStore } from './listenStore.ts'

const silent = createLogger({ level: 'silent', format: 'json', colours: false, write: () => undefined })

/** All transactions of a chain, by masterchain block. */
export const listTransactions = (store: ChainStore): ReplayTarget[] => {
  const targets: ReplayTarget[] = []
  for (let seqno = 1; seqno <= (store.head?.id.seqno ?? 0); seqno++) {
    for (const id of [store.findMaster(seqno)!.id, ...store.index.listIncluded(seqno).map((each) => each.id)]) {
      const { workchain } = id
      for (const [hash, { transactions }] of openAccountBlocks(
        openBlockExtra(openBlock(store.getRoot(id)).extra),
      ).entries()) {
        for (const [lt, cell] of transactions.entries())
          targets.push({ address: { workchain, hash }, lt, hash: cell.hash() })
      }
    }
  }
  return targets
}

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
