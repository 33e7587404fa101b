import { listPreviousBlocks } from '../../chain/shardBlocks.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { encodeBoc } from '../../codec/cell/encodeBoc.ts'
import type { LiteServerShardBlockLink } from '../../codec/tl/liteServerTypes.ts'
import { openBlock } from '../../codec/tlb/Block.ts'
import { openBlockInfo } from '../../codec/tlb/BlockInfo.ts'
import { findShardOfAccount } from '../../codec/tlb/ShardHashes.ts'
import { type BlockIdExt, formatBlockIdExt, masterchain } from '../../primitives/BlockId.ts'
import { isShardAncestor, wholeShard } from '../../primitives/shard.ts'
import type { ChainStore } from '../store/ChainStore.ts'
import type { StoredBlock } from '../store/StoredBlock.ts'
import { LiteRefusal, REQUEST_ERROR } from './LiteRefusal.ts'
import { openMasterBlockExtra } from './masterBlock.ts'
import { prove } from './merkle.ts'

/** No more blocks of a shard come between two masterchain blocks. */
const MAX_LINKS = 8

/** The way from the masterchain block that registered a shard block down to it. */
export type ShardPath = { readonly master: BlockIdExt; readonly links: readonly LiteServerShardBlockLink[] }

/** A link for each block on the way, proven by the block before it on the way; none for a masterchain block. */
export const linkToMaster = (store: ChainStore, { id: target, masterSeqno }: StoredBlock): ShardPath => {
  if (target.workchain === masterchain) return { master: target, links: [] }
  const master = store.findMaster(masterSeqno)
  if (master === undefined) throw new LiteRefusal(0, "block doesn't have masterchain ref")
  const links: LiteServerShardBlockLink[] = []
  const wanted = formatBlockIdExt(target)
  for (let from = master.id; formatBlockIdExt(from) !== wanted; ) {
    if (links.length === MAX_LINKS) throw new LiteRefusal(REQUEST_ERROR, 'proof chain is too long')
    const { value: id, proof } = prove(store.getRoot(from), (root) =>
      from.workchain === masterchain ? findTopTowards(root, target) : findPrevious(root, target),
    )
    links.push({ id, proof: encodeBoc([proof]) })
    from = id
  }
  return { master: master.id, links }
}

/** Where the shard has been split since, either half leads back; this is the one that nodes take. */
const findTopTowards = (root: Cell, { workchain, shard }: BlockIdExt): BlockIdExt => {
  const { shardHashes } = openMasterBlockExtra(root)
  const leaf = findShardOfAccount(shardHashes, workchain, shard === wholeShard ? 0n : shard)
  if (leaf === undefined) throw new LiteRefusal(REQUEST_ERROR, 'shard not found')
  const { seqno, rootHash, fileHash } = leaf.descr
  return { workchain, shard: leaf.shard, seqno, rootHash, fileHash }
}

const findPrevious = (root: Cell, target: BlockIdExt): BlockIdExt => {
  const found = listPreviousBlocks(openBlockInfo(openBlock(root).info)).find(
    ({ shard }) => isShardAncestor(shard, target.shard) || isShardAncestor(target.shard, shard),
  )
  if (found === undefined) throw new LiteRefusal(REQUEST_ERROR, 'failed to find block chain')
  return found
}
