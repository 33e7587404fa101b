import { ProofFailedError } from '../../chain/errors.ts'
import type { LiteServerBlockOutMsgQueueSize } from '../../codec/tl/liteServerTypes.ts'
import { type BlockIdExt, formatBlockId } from '../../primitives/BlockId.ts'
import { expectBlock } from './blockIds.ts'
import { unwrapQueues } from './dispatchQueue.ts'

/** The answer to getBlockOutMsgQueueSize for a trusted block, with the proof asked for (mode bit 0): the proven size. */
export const verifyQueueSize = (
  trusted: BlockIdExt,
  answer: LiteServerBlockOutMsgQueueSize,
  skipProofChecks = false,
): number => {
  expectBlock('The block of a queue size', trusted, answer.id)
  if (answer.proof === undefined) throw new ProofFailedError('The proof of a queue size did not come.')
  const size = unwrapQueues(trusted, answer.proof, skipProofChecks).extra?.outQueueSize
  if (size === undefined) throw new ProofFailedError(`The state of ${formatBlockId(trusted)} does not count its queue.`)
  if (BigInt(size) !== answer.size) throw new ProofFailedError(`The queue has ${size} messages, ${answer.size} came.`)
  return size
}
