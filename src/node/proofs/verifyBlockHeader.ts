import { ProofFailedError } from '../../chain/errors.ts'
import type { LiteServerBlockHeader, LiteServerLookupBlock } from '../../codec/tl/liteServerTypes.ts'
import { type BlockIdExt, isValidBlockIdExt } from '../../primitives/BlockId.ts'
import { expectBlock } from './blockIds.ts'
import { expectLookedUp } from './expectLookedUp.ts'
import { type LinkedHeader, readLinkedHeader, stateHashOf } from './ProvenHeader.ts'
import { unwrapProof } from './unwrapProof.ts'

export type ProvenBlockHeader = LinkedHeader & {
  /** Root hash of the state after the block; absent unless the question asked to keep the state update. */
  readonly stateHash: Uint8Array | undefined
}

const KEEP_STATE_UPDATE = 1

const readAnswer = (
  id: BlockIdExt,
  mode: number,
  headerProof: Uint8Array,
  skipProofChecks: boolean,
): ProvenBlockHeader => {
  const header = readLinkedHeader(unwrapProof('a block header', headerProof, id.rootHash, skipProofChecks), id)
  return { ...header, stateHash: (mode & KEEP_STATE_UPDATE) === 0 ? undefined : stateHashOf(header) }
}

/** The answer to getBlockHeader for a trusted block. */
export const verifyBlockHeader = (
  trusted: BlockIdExt,
  question: { readonly mode: number },
  answer: LiteServerBlockHeader,
  skipProofChecks = false,
): ProvenBlockHeader => {
  expectBlock('The block of a header', trusted, answer.id)
  return readAnswer(trusted, question.mode, answer.headerProof, skipProofChecks)
}

/**
 * The answer to lookupBlock. It shows that a block with this root hash would be the one asked for as far as its own header
 * tells. That this block is part of the chain, that no earlier one fits a time, and its file hash are not shown: prove the id
 * before trusting it, or ask lookupBlockWithProof.
 */
export const verifyLookedUpHeader = (
  question: LiteServerLookupBlock,
  { id, headerProof }: LiteServerBlockHeader,
): ProvenBlockHeader => {
  if (!isValidBlockIdExt(id)) throw new ProofFailedError('The block that was looked up has an impossible id.')
  const header = readAnswer(id, question.mode >> 4, headerProof, false)
  expectLookedUp(question, header)
  return header
}
