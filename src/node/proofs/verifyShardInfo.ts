import { ProofFailedError } from '../../chain/errors.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import type { LiteServerGetShardInfo, LiteServerShardInfo } from '../../codec/tl/liteServerTypes.ts'
import type { ShardHashes } from '../../codec/tlb/ShardHashes.ts'
import { type BlockIdExt, masterchain } from '../../primitives/BlockId.ts'
import { formatShard } from '../../primitives/shard.ts'
import { expectBlock, isNoBlock } from './blockIds.ts'
import { openMasterExtra, unwrapStatePair } from './ProvenState.ts'
import { proving } from './proving.ts'
import { findRegisteredShard, leafCellOf, type RegisteredShard } from './shardLeaf.ts'
import { expectNothing } from './unwrapProof.ts'

export type ProvenShardInfo = {
  readonly block: BlockIdExt
  /** Absent where it is proven that there is no such shard. */
  readonly shard: RegisteredShard | undefined
}

type ShardQuestion = Omit<LiteServerGetShardInfo, 'id'>

/** The answer to getShardInfo about a trusted masterchain block. */
export const verifyShardInfo = (
  trusted: BlockIdExt,
  question: ShardQuestion,
  answer: LiteServerShardInfo,
  skipProofChecks = false,
): ProvenShardInfo => {
  expectBlock('The reference block of a shard', trusted, answer.id)
  const { state } = unwrapStatePair('a shard', trusted, answer.shardProof, skipProofChecks)
  const { shardHashes } = openMasterExtra(state)
  const shard = findAsked(shardHashes, question)
  if (shard === undefined) {
    if (!isNoBlock(answer.shardblk)) {
      throw new ProofFailedError(`Shard ${formatShard(question.shard)} is proven absent, but a block of it came.`)
    }
    expectNothing('The description of a shard that is proven absent', answer.shardDescr)
    return { block: trusted, shard: undefined }
  }
  expectBlock('The newest block of a shard', shard.id, answer.shardblk)
  const stated = proving('a shard description', () => decodeSingleBoc(answer.shardDescr))
  if (leafCellOf(shardHashes, shard.id)?.hasHash(stated.hash(), 0) !== true) {
    throw new ProofFailedError('The shard description that came is another than the proven one.')
  }
  return { block: trusted, shard }
}

const findAsked = (hashes: ShardHashes, { workchain, shard, exact }: ShardQuestion): RegisteredShard | undefined => {
  if (workchain === masterchain) return undefined
  const found = findRegisteredShard(hashes, { workchain, shard })
  return exact && found !== undefined && found.id.shard !== shard ? undefined : found
}
