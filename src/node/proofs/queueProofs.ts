import { ProofFailedError } from '../../chain/errors.ts'
import type { LiteServerBlockOutMsgQueueSize } from '../../codec/tl/liteServerTypes.ts'
import { type OutMsgQueueInfo, openOutMsgQueueInfo } from '../../codec/tlb/OutMsgQueueInfo.ts'
import { type BlockIdExt, formatBlockId } from '../../primitives/BlockId.ts'
import { unwrapStatePair } from './ProvenState.ts'
import { expectBlock, proving } from './unwrapProof.ts'

/** The queues in the state after a trusted block; those that a proof is not about are pruned. */
export const unwrapQueues = (trusted: BlockIdExt, proof: Uint8Array, skipProofChecks: boolean): OutMsgQueueInfo => {
  const { state } = unwrapStatePair('the queues of a shard', trusted, proof, skipProofChecks)
  return proving('the queues of a shard', () => openOutMsgQueueInfo(state.outMsgQueueInfo))
}

/** The answer to getBlockOutMsgQueueSize for a trusted block, with the proof asked for (mode bit 0): the proven size. */
export const verifyQueueSize = (
  trusted: BlockIdExt,
  answer: LiteServerBlockOutMsgQueueSize,
  skipProofChecks = false,
): number => {
  expectBlock('The block of a queue size', trusted, answer.id)
  if (answer.proof === undefined) throw new ProofFailedError('The proof of a queue size is missing from the answer.')
  const size = unwrapQueues(trusted, answer.proof, skipProofChecks).extra?.outQueueSize
  if (size === undefined) throw new ProofFailedError(`The state of ${formatBlockId(trusted)} does not count its queue.`)
  if (BigInt(size) !== answer.size)
    throw new ProofFailedError(`Expected a queue size of ${size}, but got ${answer.size}.`)
  return size
}
