import { lookupBinTree } from '../../../codec/cell/BinTree.ts'
import type { Cell } from '../../../codec/cell/Cell.ts'
import type { CellReader } from '../../../codec/cell/CellReader.ts'
import { encodeBoc } from '../../../codec/cell/encodeBoc.ts'
import { readShardDescr, type ShardHashes } from '../../../codec/tlb/ShardHashes.ts'
import { type BlockIdExt, masterchain } from '../../../primitives/BlockId.ts'
import { shardPrefixLength } from '../../../primitives/shard.ts'
import type { LiteFunction } from '../LiteFunction.ts'
import { LiteRefusal, REQUEST_ERROR } from '../LiteRefusal.ts'
import { proveState } from '../merkle.ts'
import { openMasterExtra, openState } from '../openState.ts'
import { loadMasterBlockAndState, NO_BLOCK } from '../referenceBlock.ts'
import { encodeStateProof } from '../stateRootProof.ts'

type WantedShard = { readonly workchain: number; readonly shard: bigint; readonly exact: boolean }

/** A shard as the masterchain has it: its newest block, and the cell that describes it. */
type FoundShard = { readonly id: BlockIdExt; readonly leaf: Cell }

/** A shard after a masterchain block, proven: the one named or, unless it has to be that one, the one that covers it. */
export const getShardInfo: LiteFunction<'liteServer.getShardInfo'> = ({ store }, { id, ...wanted }) => {
  if (wanted.workchain === NO_BLOCK.workchain) throw new LiteRefusal(REQUEST_ERROR, 'requested shard is invalid')
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
