import { NodeRefusedError, ProofFailedError } from '../../chain/errors.ts'
import { type BlockIdExt, formatBlockId } from '../../primitives/BlockId.ts'
import type { ServerSession } from '../pool/runOnServers.ts'
import { verifyBlockProofChain } from '../proofs/chainProofs.ts'
import { blockIdsEqual } from '../proofs/unwrapProof.ts'

/** The newest key block proven by any server: a proof by signatures holds for all of them. */
export type ProvenSoFar = { keyBlock: BlockIdExt }

export type HeadToProve = {
  readonly anchor: BlockIdExt
  /** Not older than the anchor. */
  readonly target: BlockIdExt
  readonly proven: ProvenSoFar
  readonly isTimeUp: () => boolean
}

/** `reached` is the newest proven block. If the server refuses, it is the block from which it refused to continue. */
export type HeadProof = { readonly reached: BlockIdExt; readonly refusal: NodeRefusedError | undefined }

const MODE_TO_TARGET = 1

/**
 * Proves the newest block of a server from the anchor, within the time limit. The first request always starts at the
 * anchor, which every server must have; after it, blocks proven through other servers are skipped.
 */
export const proveHead = async (
  query: ServerSession['query'],
  { anchor, target, proven, isTimeUp }: HeadToProve,
): Promise<HeadProof> => {
  let reached = anchor
  while (!blockIdsEqual(reached, target)) {
    const args = { mode: MODE_TO_TARGET, knownBlock: reached, targetBlock: target }
    const answer = await query('liteServer.getBlockProof', args).catch((error: Error) => {
      if (error instanceof NodeRefusedError || isTimeUp()) return error
      throw error
    })
    if (answer instanceof NodeRefusedError) return { reached, refusal: answer }
    // Proof checks are synchronous and count against the time limit.
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
