import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'

/** A block of a chain that is known from where this stands: what is missing is only its workchain and shard. */
export type ExtBlkRef = {
  readonly endLt: bigint
  readonly seqno: number
  readonly rootHash: Uint8Array
  readonly fileHash: Uint8Array
}

/** ext_blk_ref$_ end_lt:uint64 seq_no:uint32 root_hash:bits256 file_hash:bits256 = ExtBlkRef; */
export const readExtBlkRef = (r: CellReader): ExtBlkRef => ({
  endLt: r.readUint64(),
  seqno: r.readUint(32),
  rootHash: r.readBytes(32),
  fileHash: r.readBytes(32),
})

export const writeExtBlkRef = (w: CellWriter, { endLt, seqno, rootHash, fileHash }: ExtBlkRef): void => {
  w.writeUint64(endLt).writeUint(seqno, 32).writeBytes(rootHash).writeBytes(fileHash)
}
