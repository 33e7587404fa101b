import type { ShardHashes } from '../../codec/tlb/ShardHashes.ts'
import type { BlockIdExt } from '../../primitives/BlockId.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import { blockIdsEqual } from './blockIds.ts'
import type { LinkedHeader } from './ProvenHeader.ts'
import { openMasterExtra, unwrapStatePair } from './ProvenState.ts'

/** What the shard proof of an account shows: the masterchain block, and the shards that it names. */
export type ProvenShardList = { readonly header: LinkedHeader; readonly shardHashes: ShardHashes }

type Checked = { readonly trusted: BlockIdExt; readonly bytes: Uint8Array; readonly proven: ProvenShardList }

const MAX_KEPT = 16

/** Checks the shard proof in an answer about an account. */
export const openShardProof = (trusted: BlockIdExt, bytes: Uint8Array, skipProofChecks = false): ProvenShardList => {
  const { header, state } = unwrapStatePair('the shard of an account', trusted, bytes, skipProofChecks)
  return { header, shardHashes: openMasterExtra(state).shardHashes }
}

/**
 * Shard proofs that were checked of late. Until the next masterchain block all accounts of a shard come with the same one, and to
 * see that its bytes are the same takes a small part of what it takes to check them.
 */
export class ShardProofs {
  private readonly checked: Checked[] = []

  /** As {@link openShardProof}. */
  readonly open = (trusted: BlockIdExt, bytes: Uint8Array, skipProofChecks = false): ProvenShardList => {
    // What was not checked must not be found by callers who want it checked.
    if (skipProofChecks) return openShardProof(trusted, bytes, true)
    const known = this.checked.find((each) => blockIdsEqual(each.trusted, trusted) && bytesEqual(each.bytes, bytes))
    if (known !== undefined) return known.proven
    // A copy, since answers are views of whatever came with them. Its cells are views of it.
    const own = bytes.slice()
    const proven = openShardProof(trusted, own)
    this.checked.unshift({ trusted, bytes: own, proven })
    if (this.checked.length > MAX_KEPT) this.checked.pop()
    return proven
  }
}
