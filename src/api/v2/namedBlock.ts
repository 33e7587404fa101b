import type { BlockHeader, LiveNode } from '../../chain/LiveChain.ts'
import type { BlockId, BlockIdExt } from '../../primitives/BlockId.ts'
import { optional, type ParsedOf } from '../core/params.ts'
import { HashParam, SeqnoParam, ShardParam, WorkchainParam } from './params.ts'

/** Parameters that identify a block. */
export const namedBlockParams = {
  workchain: WorkchainParam,
  shard: ShardParam,
  seqno: SeqnoParam,
  root_hash: optional(HashParam),
  file_hash: optional(HashParam),
}

type BlockName = ParsedOf<typeof namedBlockParams>

/** Looks up a block by seqno; the shard may also be an account prefix. */
const lookUpBlock = (node: LiveNode, { workchain, shard, seqno }: BlockId): Promise<BlockHeader> =>
  node.lookupBlock({ workchain, shard }, { seqno })

/** The full block id; `undefined` unless both hashes are given. */
const findWholeId = ({ workchain, shard, seqno, root_hash, file_hash }: BlockName): BlockIdExt | undefined =>
  root_hash === undefined || file_hash === undefined
    ? undefined
    : { workchain, shard, seqno, rootHash: root_hash, fileHash: file_hash }

export const getNamedBlock = async (node: LiveNode, name: BlockName): Promise<BlockIdExt> =>
  findWholeId(name) ?? node.getBlockId(name)

export const getNamedHeader = (node: LiveNode, name: BlockName): Promise<BlockHeader> => {
  const id = findWholeId(name)
  return id === undefined ? lookUpBlock(node, name) : node.getBlockHeader(id)
}
