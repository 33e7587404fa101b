import { ProofFailedError } from '../../chain/errors.ts'
import { decodeTlUnion, encodeTlObject } from '../../codec/tl/tlObject.ts'
import { type BlockIdExt, formatBlockId } from '../../primitives/BlockId.ts'
import { sha256 } from '../../primitives/hash.ts'
import { blockIdsEqual } from './blockIds.ts'
import { proving } from './proving.ts'
import type { SignatureSet, SimplexVote } from './SignatureSet.ts'

/** What validators put their signatures under to say that a block is final. */
export const signedBytes = (block: BlockIdExt, { vote }: SignatureSet): Uint8Array =>
  vote === undefined
    ? encodeTlObject({ kind: 'ton.blockId', rootCellHash: block.rootHash, fileHash: block.fileHash })
    : finalVoteBytes(block, vote)

const finalVoteBytes = (block: BlockIdExt, { sessionId, slot, candidate }: SimplexVote): Uint8Array => {
  const { block: voted } = proving('a vote for a block', () => decodeTlUnion('consensus.CandidateHashData', candidate))
  if (!blockIdsEqual(voted, block)) {
    throw new ProofFailedError(`The vote for block ${formatBlockId(block)} is in truth one for another block.`)
  }
  const data = encodeTlObject({ kind: 'consensus.simplex.finalizeVote', id: { slot, hash: sha256(candidate) } })
  return encodeTlObject({ kind: 'consensus.dataToSign', sessionId, data })
}
