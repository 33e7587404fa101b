import { ProofFailedError } from '../../chain/errors.ts'
import type { LiteServerPartialBlockProof } from '../../codec/tl/liteServerTypes.ts'
import type { BlockIdExt } from '../../primitives/BlockId.ts'
import { expectBlock } from './blockIds.ts'
import { type ProvenLink, verifyBlockLink } from './verifyBlockLink.ts'

/** Servers send 16 at most. Links cost signature checks, and they can go round in circles. */
const MAX_LINKS = 32

export type ProvenChain = {
  readonly from: BlockIdExt
  /** As far as the links lead: the target, or a block to go on from. */
  readonly to: BlockIdExt
  /** The server says that `to` is what was asked for. */
  readonly isComplete: boolean
  /** Every block that is now proven, in the order of the links, `from` left out. */
  readonly links: readonly ProvenLink[]
  /** The newest key block that is now proven: what to start from the next time. */
  readonly lastKeyBlock: BlockIdExt | undefined
}

/** The answer to getBlockProof from a trusted masterchain block, towards `target` where the question named one. */
export const verifyBlockProofChain = (
  answer: LiteServerPartialBlockProof,
  from: BlockIdExt,
  target?: BlockIdExt,
): ProvenChain => {
  expectBlock('The start of a proof chain', from, answer.from)
  if (answer.steps.length > MAX_LINKS) {
    throw new ProofFailedError(`A proof chain of at most ${MAX_LINKS} links is taken, ${answer.steps.length} came.`)
  }
  let to = from
  const links = answer.steps.map((step) => {
    expectBlock('The start of a link of a proof chain', to, step.from)
    const link = verifyBlockLink(step)
    to = link.to
    return link
  })
  expectBlock('The end of a proof chain', to, answer.to)
  if (target !== undefined && answer.complete) expectBlock('The end of a whole proof chain', target, to)
  if (links.length === 0 && !answer.complete) throw new ProofFailedError('A proof chain neither leads on nor ends.')
  return { from, to, isComplete: answer.complete, links, lastKeyBlock: findLastKeyBlock(links) }
}

/** Links forward start at key blocks, which they show to be such. */
const findLastKeyBlock = (links: readonly ProvenLink[]): BlockIdExt | undefined => {
  const keyBlocks = links.flatMap(({ from, to, isKeyBlock, signed }) => [
    ...(signed === undefined ? [] : [from]),
    ...(isKeyBlock ? [to] : []),
  ])
  return keyBlocks.reduce<BlockIdExt | undefined>(
    (last, id) => (last === undefined || id.seqno > last.seqno ? id : last),
    undefined,
  )
}
