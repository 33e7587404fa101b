import { ProofFailedError } from '../../chain/errors.ts'
import { listPreviousBlocks } from '../../chain/shardBlocks.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { readMerkleUpdate } from '../../codec/cell/merkle.ts'
import { type Block, openBlock, openBlockExtra } from '../../codec/tlb/Block.ts'
import { type BlockInfo, openBlockInfo } from '../../codec/tlb/BlockInfo.ts'
import type { ConfigParams } from '../../codec/tlb/config/configParams.ts'
import { type McBlockExtra, openMcBlockExtra } from '../../codec/tlb/McBlockExtra.ts'
import { type BlockIdExt, formatBlockId, masterchain } from '../../primitives/BlockId.ts'
import { proving } from './unwrapProof.ts'

/** The blocks before one: of the same shard, of the shard it was split from, or of both that were merged (left one first). */
export const prevBlockIds = (info: BlockInfo): readonly BlockIdExt[] => {
  const ids = proving('the previous blocks', () => listPreviousBlocks(info))
  if ((info.afterSplit || info.afterMerge) && ids.some(({ seqno }) => seqno === 0)) {
    throw new ProofFailedError(`Block ${formatBlockId(info)} says that a zerostate was split or merged.`)
  }
  return ids
}

/** A block by its header. The other parts in `block` may be pruned: reading such a part throws PrunedBranchError. */
export type ProvenHeader = { readonly id: BlockIdExt; readonly info: BlockInfo; readonly block: Block }

/** A header together with the blocks before it: one, or two after a merge (left one first). */
export type LinkedHeader = ProvenHeader & { readonly prev: readonly BlockIdExt[] }

/** Reads the header in a block whose root hash is known to be that of `id`, and holds it against the rest of `id`. */
export const readHeader = (root: Cell, id: BlockIdExt): ProvenHeader =>
  proving('a block header', () => {
    const block = openBlock(root)
    const info = openBlockInfo(block.info)
    if (info.workchain !== id.workchain || info.shard !== id.shard || info.seqno !== id.seqno) {
      throw new ProofFailedError(`The header of block ${formatBlockId(id)} is that of ${formatBlockId(info)}.`)
    }
    if ((info.masterRef === undefined) !== (id.workchain === masterchain)) {
      throw new ProofFailedError(`The header of block ${formatBlockId(id)} is wrong about being of the masterchain.`)
    }
    return { id, info, block }
  })

/** As {@link readHeader}, with the references to the blocks before, which not every proof holds after a merge. */
export const readLinkedHeader = (root: Cell, id: BlockIdExt): LinkedHeader => {
  const header = readHeader(root, id)
  return { ...header, prev: prevBlockIds(header.info) }
}

/** The hash of the state after the block. Its proof has to hold the state update, if only as two pruned branches. */
export const stateHashOf = ({ block }: ProvenHeader): Uint8Array =>
  proving('a state hash', () => readMerkleUpdate(block.stateUpdate).after.hash(0))

/** What only masterchain blocks have. Proofs made for it hold no header: the root hash alone says which block it is. */
export const openMasterBlockExtra = (root: Cell): McBlockExtra =>
  proving('a masterchain block', () => {
    const { custom } = openBlockExtra(openBlock(root).extra)
    if (custom === undefined)
      throw new ProofFailedError('The proof of a masterchain block is of another kind of block.')
    return openMcBlockExtra(custom)
  })

/** The configuration that a key block brings, from a proof that holds it. */
export const openKeyBlockConfig = ({ id, info }: ProvenHeader, root: Cell): ConfigParams => {
  if (!info.keyBlock) throw new ProofFailedError(`Expected a key block, but block ${formatBlockId(id)} is not one.`)
  const { config } = openMasterBlockExtra(root)
  if (config === undefined) throw new ProofFailedError(`Key block ${formatBlockId(id)} has no configuration.`)
  return config
}
