import { isValidBlockIdExt, masterchain } from '../../../primitives/BlockId.ts'
import type { LiteFunction } from '../LiteFunction.ts'
import { LiteRefusal, REQUEST_ERROR } from '../LiteRefusal.ts'
import { getStoredBlock } from '../referenceBlock.ts'
import { linkToMaster } from '../shardLinks.ts'

/** The way from the masterchain to a shard block. Of a masterchain block nothing is said, it stands for itself. */
export const getShardBlockProof: LiteFunction<'liteServer.getShardBlockProof'> = ({ store }, { id }) => {
  if (!isValidBlockIdExt(id)) throw new LiteRefusal(REQUEST_ERROR, 'invalid block id')
  if (id.workchain === masterchain) return { masterchainId: id, links: [] }
  const { master, links } = linkToMaster(store, getStoredBlock(store, id))
  return { masterchainId: master, links }
}
