import { ProofFailedError } from '../../chain/errors.ts'
import type { LiteServerAccountId } from '../../codec/tl/liteServerTypes.ts'
import { openShardAccounts, type ShardAccount } from '../../codec/tlb/ShardAccounts.ts'
import { type BlockIdExt, formatBlockId, masterchain } from '../../primitives/BlockId.ts'
import { getU64BE } from '../../primitives/bytes.ts'
import { shardContains } from '../../primitives/shard.ts'
import { expectBlock, isNoBlock } from './blockIds.ts'
import { unwrapStatePair } from './ProvenState.ts'
import { proving } from './proving.ts'
import { openShardProof } from './ShardProofs.ts'
import { findRegisteredShard } from './shardLeaf.ts'
import { expectNothing } from './unwrapProof.ts'

/** Which state an answer about an account speaks of. */
export type AccountPlace = {
  /** The block that was asked about, of the masterchain or of the account's own shard. */
  readonly block: BlockIdExt
  /** The block whose state holds the account; absent where its workchain does not exist. */
  readonly shardBlock: BlockIdExt | undefined
  /** Time of that state (of `block`, where there is no shard). */
  readonly genUtime: number
  /** Logical time of that state: the end of its block. */
  readonly genLt: bigint
}

export type LocatedAccount = AccountPlace & {
  /** The entry in that state, its account usually pruned; absent where the whole path shows that there is none. */
  readonly entry: ShardAccount | undefined
}

/** What the answers about accounts have in common. */
export type AccountProofs = {
  readonly id: BlockIdExt
  readonly shardblk: BlockIdExt
  readonly shardProof: Uint8Array
  readonly proof: Uint8Array
}

/**
 * Follows the proofs from a trusted block to the entry of an account: protocol page, section 7.2. The first of them is the same for many
 * accounts, so somebody may have it checked already.
 */
export const locateAccount = (
  trusted: BlockIdExt,
  account: LiteServerAccountId,
  proofs: AccountProofs,
  skipProofChecks: boolean,
  openShards: typeof openShardProof = openShardProof,
): LocatedAccount => {
  expectBlock('The reference block of an account state', trusted, proofs.id)
  const prefix = getU64BE(account.id, 0)
  if (account.workchain === trusted.workchain) {
    if (!shardContains(trusted.shard, prefix)) {
      throw new ProofFailedError(`The shard of block ${formatBlockId(trusted)} cannot hold the account asked for.`)
    }
    expectBlock('The shard block of an account state', trusted, proofs.shardblk)
    expectNothing('The shard proof of an account in the reference block', proofs.shardProof)
    return findInState(trusted, trusted, account, proofs.proof, skipProofChecks)
  }
  if (trusted.workchain !== masterchain) {
    throw new ProofFailedError(`Block ${formatBlockId(trusted)} says nothing of workchain ${account.workchain}.`)
  }
  const { header, shardHashes } = openShards(trusted, proofs.shardProof, skipProofChecks)
  const shard = findRegisteredShard(shardHashes, { workchain: account.workchain, shard: prefix | 1n })
  if (shard === undefined) {
    if (!isNoBlock(proofs.shardblk)) {
      throw new ProofFailedError(`Workchain ${account.workchain} does not exist, but a block of it came.`)
    }
    expectNothing('The account proof for a workchain that does not exist', proofs.proof)
    const { genUtime, endLt } = header.info
    return { block: trusted, shardBlock: undefined, genUtime, genLt: endLt, entry: undefined }
  }
  expectBlock('The shard block of an account state', shard.id, proofs.shardblk)
  return findInState(trusted, shard.id, account, proofs.proof, skipProofChecks)
}

const findInState = (
  block: BlockIdExt,
  shardBlock: BlockIdExt,
  { id }: LiteServerAccountId,
  proof: Uint8Array,
  skipProofChecks: boolean,
): LocatedAccount => {
  const { header, state } = unwrapStatePair('an account', shardBlock, proof, skipProofChecks)
  const entry = proving('an account', () => openShardAccounts(state.accounts).find(id))
  const { genUtime, endLt } = header.info
  return { block, shardBlock, genUtime, genLt: endLt, entry }
}
