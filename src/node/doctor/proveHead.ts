import { NodeRefusedError, ProofFailedError } from '../../chain/errors.ts'
import { type BlockIdExt, formatBlockId } from '../../primitives/BlockId.ts'
import type { ServerSession } from '../pool/runOnServers.ts'
import { blockIdsEqual } from '../proofs/blockIds.ts'
import { verifyBlockProofChain } from '../proofs/verifyBlockProofChain.ts'

/** The newest key block that any server has proven. What is proven by signatures is so for all of them. */
export type ProvenSoFar = { keyBlock: BlockIdExt }

export type HeadToProve = {
  readonly anchor: BlockIdExt
  /** Not older than the anchor. */
  readonly target: BlockIdExt
  readonly proven: ProvenSoFar
  readonly isTimeUp: () => boolean
}

/** `reached` is the newest block that is proven. Where the server refuses to go on, it is the one it refused to go on from. */
export type HeadProof = { readonly reached: BlockIdExt; readonly refusal: NodeRefusedError | undefined }

const MODE_TO_TARGET = 1

/**
 * Has a server prove its newest block from the anchor, as far as the time allows. The first question is always from the
 * anchor, which a server has to have; after it, what others have proven is not gone over again.
 */
export const proveHead = async (
  ask: ServerSession['ask'],
  { anchor, target, proven, isTimeUp }: HeadToProve,
): Promise<HeadProof> => {
  let reached = anchor
  while (!blockIdsEqual(reached, target)) {
    const args = { mode: MODE_TO_TARGET, knownBlock: reached, targetBlock: target }
    const answer = await ask('liteServer.getBlockProof', args).catch((error: Error) => {
      if (error instanceof NodeRefusedError || isTimeUp()) return error
      throw error
    })
    if (answer instanceof NodeRefusedError) return { reached, refusal: answer }
    // Checking takes its time, too, and nothing else runs meanwhile.
    if (answer instanceof Error || isTimeUp()) break
    const { to, lastKeyBlock } = verifyBlockProofChain(answer, reached, target)
    if (to.seqno <= reached.seqno) {
      throw new ProofFailedError(`It leads from block ${formatBlockId(reached)} nowhere, and not to the newest one.`)
    }
    if (lastKeyBlock !== undefined && lastKeyBlock.seqno > proven.keyBlock.seqno) proven.keyBlock = lastKeyBlock
    const { keyBlock } = proven
    reached = keyBlock.seqno > to.seqno && keyBlock.seqno < target.seqno ? keyBlock : to
  }
  return { reached, refusal: undefined }
}
