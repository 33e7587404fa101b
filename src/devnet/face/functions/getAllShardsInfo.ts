import { encodeBoc } from '../../../codec/cell/encodeBoc.ts'
import { writeWhole } from '../../../codec/cell/wholeCell.ts'
import { writeShardHashes } from '../../../codec/tlb/ShardHashes.ts'
import type { LiteFunction } from '../LiteFunction.ts'
import { openMasterBlockExtra } from '../masterBlock.ts'
import { prove } from '../merkle.ts'
import { loadMasterBlock } from '../referenceBlock.ts'

/** The newest blocks of all shards, as a masterchain block names them. */
export const getAllShardsInfo: LiteFunction<'liteServer.getAllShardsInfo'> = ({ store }, { id }) => {
  const { value: hashes, proof } = prove(loadMasterBlock(store, id), (root) => openMasterBlockExtra(root).shardHashes)
  return { id, proof: encodeBoc([proof]), data: encodeBoc([writeWhole(writeShardHashes, hashes)]) }
}
