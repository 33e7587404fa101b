import { NodeAnswerError } from '../../chain/errors.ts'
import { listPreviousBlocks, listShardTops } from '../../chain/newShardBlocks.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import { unwrapMerkleProof } from '../../codec/cell/merkleProof.ts'
import { type Block, openBlock } from '../../codec/tlb/Block.ts'
import { openBlockExtra } from '../../codec/tlb/BlockExtra.ts'
import { type BlockInfo, openBlockInfo } from '../../codec/tlb/BlockInfo.ts'
import { openBlockProof } from '../../codec/tlb/BlockProof.ts'
import { openMcBlockExtra } from '../../codec/tlb/McBlockExtra.ts'
import { type BlockIdExt, formatBlockId, formatBlockIdExt, masterchain } from '../../primitives/BlockId.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import { CodedError } from '../../primitives/CodedError.ts'
import { sha256 } from '../../primitives/sha256.ts'

/** What following the chain needs of a block. */
export type BlockFacts = {
  readonly previous: readonly BlockIdExt[]
  /** The newest block of every shard; of masterchain blocks only. */
  readonly shardTops: readonly BlockIdExt[]
}

/** Checks that these bytes are the block with this id: both hashes, and the place that its header states. */
export const checkBlock = (id: BlockIdExt, bytes: Uint8Array): { readonly block: Block; readonly info: BlockInfo } =>
  reading(id, 'block', () => {
    if (!bytesEqual(sha256(bytes), id.fileHash)) throw mismatch(id, 'its bytes have another SHA-256')
    const root = decodeSingleBoc(bytes, { trusted: true })
    if (!root.hasHash(id.rootHash)) throw mismatch(id, 'its root cell has another hash')
    const block = openBlock(root)
    const info = openBlockInfo(block.info)
    if (info.workchain !== id.workchain || info.shard !== id.shard || info.seqno !== id.seqno) {
      throw mismatch(id, `its header is that of ${formatBlockId(info)}`)
    }
    return { block, info }
  })

/** Checks a block and reads where it stands in the chain. */
export const readBlockFacts = (id: BlockIdExt, bytes: Uint8Array): BlockFacts => {
  const { block, info } = checkBlock(id, bytes)
  return reading(id, 'block', () => ({
    previous: listPreviousBlocks(info),
    shardTops: id.workchain === masterchain ? readShardTops(id, block) : [],
  }))
}

const readShardTops = (id: BlockIdExt, { extra }: Block): BlockIdExt[] => {
  const { custom } = openBlockExtra(extra)
  if (custom === undefined) throw mismatch(id, 'it lists no shards, as masterchain blocks do')
  return listShardTops(openMcBlockExtra(custom).shardHashes)
}

/** Checks that a proof is of the block with this id. Its signatures are not looked at. */
export const checkBlockProof = (id: BlockIdExt, bytes: Uint8Array): Cell =>
  reading(id, 'proof', () => {
    const cell = decodeSingleBoc(bytes)
    const { proofFor, root } = openBlockProof(cell)
    if (formatBlockIdExt(proofFor) !== formatBlockIdExt(id)) {
      throw mismatch(id, `its proof says that it is of ${formatBlockIdExt(proofFor)}`)
    }
    const info = openBlockInfo(openBlock(unwrapMerkleProof(root, id.rootHash)).info)
    if (info.workchain !== id.workchain || info.shard !== id.shard || info.seqno !== id.seqno) {
      throw mismatch(id, `its proof has the header of ${formatBlockId(info)}`)
    }
    return cell
  })

const mismatch = (id: BlockIdExt, what: string): NodeAnswerError =>
  new NodeAnswerError(`The archive has something else in place of block ${formatBlockId(id)}: ${what}.`)

const reading = <T>(id: BlockIdExt, what: string, read: () => T): T => {
  try {
    return read()
  } catch (error) {
    if (error instanceof NodeAnswerError || !(error instanceof CodedError)) throw error
    throw new NodeAnswerError(`The ${what} of ${formatBlockId(id)} in the archive cannot be read: ${error.message}`, {
      cause: error,
    })
  }
}
