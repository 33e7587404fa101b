import type { BlockIdExt } from '../../primitives/BlockId.ts'
import { getI32BE, getU32BE, getU64BE, putU32BE, putU64BE } from '../../primitives/bytes.ts'

/** A block that blocks of a range follow and that is not in it. */
export type EdgeBlock = Omit<BlockIdExt, 'fileHash'>

const EDGE_BYTES = 48

/** Workchain, shard, seqno and the hash of the root, as they are kept. */
export const encodeEdgeBlock = ({ workchain, shard, seqno, rootHash }: EdgeBlock): Uint8Array => {
  const bytes = new Uint8Array(EDGE_BYTES)
  putU32BE(bytes, 0, workchain)
  putU64BE(bytes, 4, shard)
  putU32BE(bytes, 12, seqno)
  bytes.set(rootHash, 16)
  return bytes
}

export const decodeEdgeBlock = (bytes: Uint8Array): EdgeBlock => ({
  workchain: getI32BE(bytes, 0),
  shard: getU64BE(bytes, 4),
  seqno: getU32BE(bytes, 12),
  rootHash: bytes.slice(16),
})
