import type { BlockIdExt } from '../../primitives/BlockId.ts'
import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'
import { readShardIdent, writeShardIdent } from './ShardIdent.ts'

/** block_id_ext$_ shard_id:ShardIdent seq_no:uint32 root_hash:bits256 file_hash:bits256 = BlockIdExt; */
export const readBlockIdExt = (r: CellReader): BlockIdExt => {
  const { workchain, shard } = readShardIdent(r)
  return { workchain, shard, seqno: r.readUint(32), rootHash: r.readBytes(32), fileHash: r.readBytes(32) }
}

export const writeBlockIdExt = (w: CellWriter, id: BlockIdExt): void => {
  writeShardIdent(w, id)
  w.writeUint(id.seqno, 32).writeBytes(id.rootHash).writeBytes(id.fileHash)
}
