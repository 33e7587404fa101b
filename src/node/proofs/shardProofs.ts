import { ProofFailedError } from '../../chain/errors.ts'
import { Cell } from '../../codec/cell/Cell.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import { readWhole } from '../../codec/cell/wholeCell.ts'
import type {
  LiteServerAllShardsInfo,
  LiteServerShardBlockLink,
  LiteServerShardBlockProof,
} from '../../codec/tl/liteServerTypes.ts'
import type { ShardIdent } from '../../codec/tlb/BlockInfo.ts'
import {
  findShard,
  listShards,
  readShardHashes,
  type ShardDescr,
  type ShardHashes,
  type ShardLeaf,
} from '../../codec/tlb/ShardHashes.ts'
import { type BlockIdExt, formatBlockId, isValidBlockIdExt, masterchain } from '../../primitives/BlockId.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import { shardContains } from '../../primitives/shard.ts'
import { type LinkedHeader, openMasterBlockExtra, readLinkedHeader } from './ProvenHeader.ts'
import { openMasterExtra, type StateHeaders, unwrapStatePair, unwrapStateRoots } from './ProvenState.ts'
import { blockIdOf, blockIdsEqual, decodeList, expectBlock, proving, unwrapProof, unwrapRoot } from './unwrapProof.ts'

/** What the shard proof of an account shows: the masterchain block, and the shards that it names. */
export type ProvenShardList = {
  readonly header: LinkedHeader
  readonly shardHashes: ShardHashes
  /** Those of its shards that were asked about so far. */
  readonly found: RegisteredShard[]
}

type Checked = { readonly trusted: BlockIdExt; readonly bytes: Uint8Array; readonly proven: ProvenShardList }

const MAX_KEPT = 16

/** Checks the shard proof in an answer about an account. */
const openShardProof = (trusted: BlockIdExt, bytes: Uint8Array, skipProofChecks = false): ProvenShardList => {
  const { header, state } = unwrapStatePair('the shard of an account', trusted, bytes, skipProofChecks)
  return { header, shardHashes: openMasterExtra(state).shardHashes, found: [] }
}

/**
 * Cache of checked shard proofs. Until the next masterchain block all accounts of a shard have the same one, and comparing its bytes
 * is much cheaper than checking them.
 */
export class ShardProofs {
  /** Of the blocks that hold the accounts. */
  readonly headers: StateHeaders = new WeakMap()
  private readonly checked: Checked[] = []

  /** As {@link openShardProof}. */
  readonly open = (trusted: BlockIdExt, bytes: Uint8Array, skipProofChecks = false): ProvenShardList => {
    // Unchecked proofs must not be found by callers that want them checked.
    if (skipProofChecks) return openShardProof(trusted, bytes, true)
    const known = this.checked.find((each) => blockIdsEqual(each.trusted, trusted) && bytesEqual(each.bytes, bytes))
    if (known !== undefined) return known.proven
    // A copy, since answers are views of their network buffer.
    const own = bytes.slice()
    const proven = openShardProof(trusted, own)
    this.checked.unshift({ trusted, bytes: own, proven })
    if (this.checked.length > MAX_KEPT) this.checked.pop()
    return proven
  }
}

/** The newest block of a shard as a masterchain block has registered it. */
export type RegisteredShard = { readonly id: BlockIdExt; readonly descr: ShardDescr }

const registeredShard = (leaf: ShardLeaf): RegisteredShard => ({
  id: blockIdOf(leaf, leaf.descr),
  descr: leaf.descr,
})

/** The shard that covers all of the given one, or `undefined` where a whole path shows that there is none. */
export const findRegisteredShard = (hashes: ShardHashes, shard: ShardIdent): RegisteredShard | undefined =>
  proving('a shard of the masterchain', () => {
    const leaf = findShard(hashes, shard)
    return leaf === undefined ? undefined : registeredShard(leaf)
  })

/** The shard of an account in a list: the same object for all accounts of the shard. */
export const findAccountShard = (
  { shardHashes, found }: ProvenShardList,
  workchain: number,
  prefix: bigint,
): RegisteredShard | undefined => {
  const known = found.find(({ id }) => id.workchain === workchain && shardContains(id.shard, prefix))
  if (known !== undefined) return known
  const shard = findRegisteredShard(shardHashes, { workchain, shard: prefix | 1n })
  if (shard !== undefined) found.push(shard)
  return shard
}

/** No more blocks of a shard come between two masterchain blocks. */
const MAX_LINKS = 8

/**
 * Follows links from a trusted masterchain block to a shard block that it registered, and to the blocks before it. Returns the
 * last one, or the masterchain block itself without links.
 */
export const followShardLinks = (
  start: BlockIdExt,
  links: readonly LiteServerShardBlockLink[],
  skipProofChecks: boolean,
): BlockIdExt => {
  if (links.length > MAX_LINKS) {
    throw new ProofFailedError(`Expected a chain of at most ${MAX_LINKS} shard blocks, but got ${links.length}.`)
  }
  let block = start
  for (const { id, proof } of links) {
    if (!isValidBlockIdExt(id)) throw new ProofFailedError('A chain of shard blocks leads to an impossible id.')
    if (!isLinked(block, id, proof, skipProofChecks)) {
      throw new ProofFailedError(`Block ${formatBlockId(block)} does not lead to ${formatBlockId(id)} as stated.`)
    }
    block = id
  }
  return block
}

const isLinked = (from: BlockIdExt, to: BlockIdExt, proof: Uint8Array, skipProofChecks: boolean): boolean => {
  const root = unwrapProof('a chain of shard blocks', proof, from.rootHash, skipProofChecks)
  if (from.workchain !== masterchain) return readLinkedHeader(root, from).prev.some((prev) => blockIdsEqual(prev, to))
  if (to.workchain === masterchain) return false
  const shard = findRegisteredShard(openMasterBlockExtra(root).shardHashes, to)
  return shard !== undefined && blockIdsEqual(shard.id, to)
}

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
      throw new ProofFailedError('The list of shards in the answer differs from the proven one.')
    }
    return { block: trusted, shards: listShards(stated).map(registeredShard) }
  })
}

/** Current nodes prove it by the block alone; nodes up to 2023 by its header and its state. */
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
  throw new ProofFailedError(`Expected a shard proof with one root or two, but got ${roots.length}.`)
}

const haveSameRoot = ({ root: proven }: ShardHashes, { root: stated }: ShardHashes): boolean => {
  if (proven === undefined || stated === undefined) return proven === stated
  return proven instanceof Cell && stated instanceof Cell && proven.hasHash(stated.hash(), 0)
}

/**
 * The answer to getShardBlockProof: the block asked about is part of the chain, being registered by the masterchain block
 * that the answer names or standing before one that is. That masterchain block is to be proven first, and given as `trusted`.
 */
export const verifyShardBlock = (
  trusted: BlockIdExt,
  request: { readonly id: BlockIdExt },
  answer: LiteServerShardBlockProof,
  skipProofChecks = false,
): void => {
  expectBlock('The masterchain block of a shard block', trusted, answer.masterchainId)
  const end = followShardLinks(trusted, answer.links, skipProofChecks)
  expectBlock('The end of a chain of shard blocks', request.id, end)
}
