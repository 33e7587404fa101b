import { listPreviousBlocks } from '../../chain/shardBlocks.ts'
import { lookupBinTree } from '../../codec/cell/BinTree.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import type { CellReader } from '../../codec/cell/CellReader.ts'
import { encodeBoc } from '../../codec/cell/encodeBoc.ts'
import { writeWhole } from '../../codec/cell/wholeCell.ts'
import type { LiteServerShardBlockLink } from '../../codec/tl/liteServerTypes.ts'
import { openBlock } from '../../codec/tlb/Block.ts'
import { openBlockInfo } from '../../codec/tlb/BlockInfo.ts'
import { findShardOfAccount, readShardDescr, type ShardHashes, writeShardHashes } from '../../codec/tlb/ShardHashes.ts'
import { type BlockIdExt, formatBlockIdExt, isValidBlockIdExt, masterchain } from '../../primitives/BlockId.ts'
import { isShardAncestor, shardPrefixLength, wholeShard } from '../../primitives/shard.ts'
import type { StoredBlock } from '../store/blockRow.ts'
import type { ChainStore } from '../store/ChainStore.ts'
import { prove, proveState } from '../store/prove.ts'
import {
  encodeStateProof,
  getStoredBlock,
  loadMasterBlock,
  loadMasterBlockAndState,
  NO_BLOCK,
  openMasterBlockExtra,
  openMasterExtra,
  openState,
} from './blockAccess.ts'
import { type LiteFunction, LiteserverError, REQUEST_ERROR } from './LiteFunction.ts'

/** The newest blocks of all shards, as a masterchain block names them. */
export const getAllShardsInfo: LiteFunction<'liteServer.getAllShardsInfo'> = ({ store }, { id }) => {
  const { value: hashes, proof } = prove(loadMasterBlock(store, id), (root) => openMasterBlockExtra(root).shardHashes)
  return { id, proof: encodeBoc([proof]), data: encodeBoc([writeWhole(writeShardHashes, hashes)]) }
}

type WantedShard = { readonly workchain: number; readonly shard: bigint; readonly exact: boolean }

/** A shard as the masterchain has it: its newest block, and the cell that describes it. */
type FoundShard = { readonly id: BlockIdExt; readonly leaf: Cell }

/** A shard after a masterchain block, proven: the one named or, unless it has to be that one, the one that covers it. */
export const getShardInfo: LiteFunction<'liteServer.getShardInfo'> = ({ store }, { id, ...wanted }) => {
  if (wanted.workchain === NO_BLOCK.workchain) throw new LiteserverError(REQUEST_ERROR, 'requested shard is invalid')
  const { root, state } = loadMasterBlockAndState(store, id)
  const { value: found, proof } = proveState(state, (stateRoot) =>
    findShard(openMasterExtra(openState(stateRoot)).shardHashes, wanted),
  )
  return {
    id,
    shardblk: found?.id ?? NO_BLOCK,
    shardProof: encodeStateProof(root, proof),
    shardDescr: found === undefined ? new Uint8Array() : encodeBoc([found.leaf]),
  }
}

/** What was asked for may be anything, also no shard at all: the way down ends with its lowest bit. */
const findShard = (hashes: ShardHashes, { workchain, shard, exact }: WantedShard): FoundShard | undefined => {
  if (workchain === masterchain) return undefined
  const tree = hashes.find(workchain)
  if (tree === undefined) return undefined
  const length = shard === 0n ? 0 : shardPrefixLength(shard)
  const turn = (depth: number): 'left' | 'right' | 'stop' => {
    if (depth === length) return 'stop'
    return ((shard >> BigInt(63 - depth)) & 1n) === 1n ? 'right' : 'left'
  }
  const found = lookupBinTree(tree, turn, readLeaf)
  if (found === undefined || (exact && found.depth !== length)) return undefined
  const { seqno, rootHash, fileHash } = found.value.descr
  const end = 1n << BigInt(63 - found.depth)
  const covering = (shard & ~((end << 1n) - 1n)) | end
  return { id: { workchain, shard: covering, seqno, rootHash, fileHash }, leaf: found.value.leaf }
}

const readLeaf = (r: CellReader) => ({ leaf: r.cell, descr: readShardDescr(r) })

/** No more blocks of a shard come between two masterchain blocks. */
const MAX_LINKS = 8

/** The way from the masterchain block that registered a shard block down to it. */
export type ShardPath = { readonly master: BlockIdExt; readonly links: readonly LiteServerShardBlockLink[] }

/** A link for each block on the way, proven by the block before it on the way; none for a masterchain block. */
export const linkToMaster = (store: ChainStore, { id: target, masterSeqno }: StoredBlock): ShardPath => {
  if (target.workchain === masterchain) return { master: target, links: [] }
  const master = store.findMaster(masterSeqno)
  if (master === undefined) throw new LiteserverError(0, "block doesn't have masterchain ref")
  const links: LiteServerShardBlockLink[] = []
  const wanted = formatBlockIdExt(target)
  for (let from = master.id; formatBlockIdExt(from) !== wanted; ) {
    if (links.length === MAX_LINKS) throw new LiteserverError(REQUEST_ERROR, 'proof chain is too long')
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
  if (leaf === undefined) throw new LiteserverError(REQUEST_ERROR, 'shard not found')
  const { seqno, rootHash, fileHash } = leaf.descr
  return { workchain, shard: leaf.shard, seqno, rootHash, fileHash }
}

const findPrevious = (root: Cell, target: BlockIdExt): BlockIdExt => {
  const found = listPreviousBlocks(openBlockInfo(openBlock(root).info)).find(
    ({ shard }) => isShardAncestor(shard, target.shard) || isShardAncestor(target.shard, shard),
  )
  if (found === undefined) throw new LiteserverError(REQUEST_ERROR, 'failed to find block chain')
  return found
}

/** The way from the masterchain to a shard block. Of a masterchain block nothing is said, it stands for itself. */
export const getShardBlockProof: LiteFunction<'liteServer.getShardBlockProof'> = ({ store }, { id }) => {
  if (!isValidBlockIdExt(id)) throw new LiteserverError(REQUEST_ERROR, 'invalid block id')
  if (id.workchain === masterchain) return { masterchainId: id, links: [] }
  const { master, links } = linkToMaster(store, getStoredBlock(store, id))
  return { masterchainId: master, links }
}

const ONE_SHARD = 1

/** Signed shard blocks on their way into the masterchain, all or those that share accounts with a shard. `getBlock` has them, too. */
export const getPendingShardBlocks: LiteFunction<'liteServer.nonfinal.getPendingShardBlocks'> = (
  { findPending },
  { mode, wc, shard },
) => {
  const pending = findPending?.()
  if (pending === undefined) throw new LiteserverError(REQUEST_ERROR, 'query is not allowed')
  const isWanted = (id: BlockIdExt): boolean =>
    (mode & ONE_SHARD) === 0 ||
    (id.workchain === wc && (isShardAncestor(id.shard, shard!) || isShardAncestor(shard!, id.shard)))
  return { signedBlocks: pending.ids.filter(isWanted), candidates: [] }
}
