import type { LiteServerShardBlockProof } from '../../codec/tl/liteServerTypes.ts'
import type { BlockIdExt } from '../../primitives/BlockId.ts'
import { expectBlock } from './blockIds.ts'
import { followShardLinks } from './shardLinks.ts'

/**
 * The answer to getShardBlockProof: the block asked about is part of the chain, being registered by the masterchain block
 * that the answer names or standing before one that is. That masterchain block is to be proven first, and given as `trusted`.
 */
export const verifyShardBlock = (
  trusted: BlockIdExt,
  question: { readonly id: BlockIdExt },
  answer: LiteServerShardBlockProof,
  skipProofChecks = false,
): void => {
  expectBlock('The masterchain block of a shard block', trusted, answer.masterchainId)
  const end = followShardLinks(trusted, answer.links, skipProofChecks)
  expectBlock('The end of a chain of shard blocks', question.id, end)
}
