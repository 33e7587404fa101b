import { ProofFailedError } from '../../chain/errors.ts'
import { Cell } from '../../codec/cell/Cell.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import { readWhole } from '../../codec/cell/wholeCell.ts'
import type { LiteServerAllShardsInfo } from '../../codec/tl/liteServerTypes.ts'
import { listShards, readShardHashes, type ShardHashes } from '../../codec/tlb/ShardHashes.ts'
import type { BlockIdExt } from '../../primitives/BlockId.ts'
import { expectBlock } from './blockIds.ts'
import { openMasterBlockExtra } from './masterBlockExtra.ts'
import { openMasterExtra, unwrapStateRoots } from './ProvenState.ts'
import { proving } from './proving.ts'
import { type RegisteredShard, registeredShard } from './shardLeaf.ts'
import { decodeList, unwrapRoot } from './unwrapProof.ts'

export type ProvenShards = {
  readonly block: BlockIdExt
  /** Workchain by workchain, from the left to the right of each. */
  readonly shards: readonly RegisteredShard[]
}

/** The answer to getAllShardsInfo about a trusted masterchain block. Its proof need not hold more than the list's root. */
export const verifyAllShards = (
  trusted: BlockIdExt,
  answer: LiteServerAllShardsInfo,
  skipProofChecks = false,
): ProvenShards => {
  expectBlock('The reference block of the shards', trusted, answer.id)
  const proven = provenHashes(trusted, answer.proof, skipProofChecks)
  return proving('the shards of a block', () => {
    const stated = readWhole(decodeSingleBoc(answer.data), readShardHashes, 'The list of shards')
    if (!haveSameRoot(proven, stated)) {
      throw new ProofFailedError('The list of shards that came is another than the proven one.')
    }
    return { block: trusted, shards: listShards(stated).map(registeredShard) }
  })
}

/** Nodes of today prove it by the block alone; those of 2023 and before by its header and its state. */
const provenHashes = (trusted: BlockIdExt, proof: Uint8Array, skipProofChecks: boolean): ShardHashes => {
  const roots = decodeList('the shards of a block', proof)
  const [first, second] = roots
  if (first !== undefined && roots.length === 1) {
    const root = unwrapRoot('the shards of a block', first, trusted.rootHash, skipProofChecks)
    return openMasterBlockExtra(root).shardHashes
  }
  if (first !== undefined && second !== undefined && roots.length === 2) {
    return openMasterExtra(unwrapStateRoots(trusted, first, second, skipProofChecks).state).shardHashes
  }
  throw new ProofFailedError(`The proof of the shards of a block has one root or two, ${roots.length} came.`)
}

const haveSameRoot = ({ root: proven }: ShardHashes, { root: stated }: ShardHashes): boolean => {
  if (proven === undefined || stated === undefined) return proven === stated
  return proven instanceof Cell && stated instanceof Cell && proven.hasHash(stated.hash(), 0)
}
