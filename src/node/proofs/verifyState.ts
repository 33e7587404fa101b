import { ProofFailedError } from '../../chain/errors.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import type { LiteServerBlockState } from '../../codec/tl/liteServerTypes.ts'
import type { ShardStateUnsplit } from '../../codec/tlb/ShardState.ts'
import { type BlockIdExt, formatBlockId } from '../../primitives/BlockId.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import { sha256 } from '../../primitives/hash.ts'
import { expectBlock } from './blockIds.ts'
import { readState } from './ProvenState.ts'
import { proving } from './proving.ts'

export type ProvenWholeState = { readonly id: BlockIdExt; readonly root: Cell; readonly state: ShardStateUnsplit }

/** The answer to getState for a trusted zerostate, whose id holds the hash of its bytes. */
export const verifyZerostate = (trusted: BlockIdExt, answer: LiteServerBlockState): ProvenWholeState => {
  if (trusted.seqno !== 0) throw new ProofFailedError(`Block ${formatBlockId(trusted)} is no zerostate.`)
  if (!bytesEqual(answer.fileHash, trusted.fileHash)) {
    throw new ProofFailedError('The zerostate has another file hash than its id.')
  }
  return verifyState(trusted, trusted.rootHash, answer)
}

/**
 * The answer to getState for a block. Its id does not name the state: `stateHash` is to come from a proven header. The file
 * hash of such a state is that of this one serialization, and means nothing beyond it.
 */
export const verifyState = (
  trusted: BlockIdExt,
  stateHash: Uint8Array,
  answer: LiteServerBlockState,
): ProvenWholeState => {
  expectBlock('The block of a state', trusted, answer.id)
  if (!bytesEqual(answer.rootHash, stateHash) || !bytesEqual(sha256(answer.data), answer.fileHash)) {
    throw new ProofFailedError(
      `The state after block ${formatBlockId(trusted)} does not have the hashes it should have.`,
    )
  }
  const root = proving('a whole state', () => decodeSingleBoc(answer.data, { trusted: true }))
  if (!proving('a whole state', () => root.hasHash(stateHash))) {
    throw new ProofFailedError(`The state that came is not the one after block ${formatBlockId(trusted)}.`)
  }
  return { id: trusted, root, state: readState(root) }
}
