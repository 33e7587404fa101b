import type { LiteServerMasterchainInfo } from '../../../codec/tl/liteServerTypes.ts'
import type { ChainStore } from '../../store/ChainStore.ts'
import type { LiteFunction } from '../LiteFunction.ts'
import { getState, newestMaster } from '../referenceBlock.ts'

/** The newest masterchain block, whose shard blocks are all there, and where the chain began. */
export const getMasterchainInfo: LiteFunction<'liteServer.getMasterchainInfo'> = ({ store }) => describeMaster(store)

export const describeMaster = (store: ChainStore): LiteServerMasterchainInfo => {
  const last = newestMaster(store)
  const { workchain, rootHash, fileHash } = store.zeroState
  return { last, stateRootHash: getState(store, last).hash(), init: { workchain, rootHash, fileHash } }
}
