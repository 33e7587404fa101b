import { ProofFailedError } from '../../chain/errors.ts'
import { type BlockId, type BlockIdExt, formatBlockIdExt } from '../../primitives/BlockId.ts'
import { bytesEqual } from '../../primitives/bytes.ts'

const NO_WORKCHAIN = -0x8000_0000

/** Same place in the chain and same hashes. */
export const blockIdsEqual = (a: BlockIdExt, b: BlockIdExt): boolean =>
  a.workchain === b.workchain &&
  a.shard === b.shard &&
  a.seqno === b.seqno &&
  bytesEqual(a.rootHash, b.rootHash) &&
  bytesEqual(a.fileHash, b.fileHash)

/** An answer must be about the block that was asked for. */
export const expectBlock = (what: string, expected: BlockIdExt, stated: BlockIdExt): void => {
  if (!blockIdsEqual(expected, stated)) {
    throw new ProofFailedError(
      `${what} should be block ${formatBlockIdExt(expected)}, but ${formatBlockIdExt(stated)} came.`,
    )
  }
}

/** The id by which a server says that there is no such block: workchain −2³¹, all else zero. */
export const isNoBlock = ({ workchain, shard, seqno, rootHash, fileHash }: BlockIdExt): boolean =>
  workchain === NO_WORKCHAIN && shard === 0n && seqno === 0 && isZero(rootHash) && isZero(fileHash)

const isZero = (hash: Uint8Array): boolean => hash.every((byte) => byte === 0)

type HashedBlock = { readonly seqno: number; readonly rootHash: Uint8Array; readonly fileHash: Uint8Array }

/** The id of a block that is known by its shard, with hashes of its own: those read from cells are views of them. */
export const blockIdOf = (
  { workchain, shard }: Pick<BlockId, 'workchain' | 'shard'>,
  { seqno, rootHash, fileHash }: HashedBlock,
): BlockIdExt => ({ workchain, shard, seqno, rootHash: rootHash.slice(), fileHash: fileHash.slice() })
