import type { LiteserverContext } from '../../src/devnet/liteserver/LiteFunction.ts'
import type { ChainStore } from '../../src/devnet/store/ChainStore.ts'

/** What functions of the server need besides a chain: a clock that stands still, and nothing that takes messages. */
export const createLiteserverContext = (
  store: ChainStore,
  vm: LiteserverContext['vm'] = undefined,
): LiteserverContext => ({
  store,
  now: () => 1_700_000_000,
  sendMessage: () => Promise.reject(new Error('No message is taken here.')),
  vm,
  // As the recorded node: non-final queries are enabled, and nothing is pending.
  findPending: () => ({ ids: [], findBytes: () => undefined }),
})
