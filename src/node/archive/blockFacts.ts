import { NodeAnswerError, ProofFailedError } from '../../chain/errors.ts'
import { listShardTops } from '../../chain/shardBlocks.ts'
import { type BlockIdExt, formatBlockId, masterchain } from '../../primitives/BlockId.ts'
import { CodedError } from '../../primitives/errors.ts'
import { openMasterBlockExtra } from '../proofs/masterBlockExtra.ts'
import { verifyPackageLink } from '../proofs/verifyPackageProof.ts'
import { expectFileHash, openBlockBytes, type ProvenBlock, verifyBlockBytes } from '../proofs/verifyRawBlock.ts'

/** What following the chain needs of a block. */
export type BlockFacts = {
  readonly previous: readonly BlockIdExt[]
  /** The newest block of every shard; of masterchain blocks only. */
  readonly shardTops: readonly BlockIdExt[]
}

/** Checks that these bytes are the block with this id: both hashes, and the place that its header states. */
export const checkBlock = (id: BlockIdExt, bytes: Uint8Array): ProvenBlock =>
  reading(id, () => verifyBlockBytes(id, bytes))

/** Checks only that these bytes have the file hash of this id. */
export const checkBlockFile = (id: BlockIdExt, bytes: Uint8Array): void => {
  reading(id, () => expectFileHash(id, bytes))
}

/**
 * Checks a block and reads where it stands in the chain. With `fileHashOnly` the hashes of its cells are left to whoever takes the
 * block.
 */
export const readBlockFacts = (id: BlockIdExt, bytes: Uint8Array, fileHashOnly = false): BlockFacts =>
  reading(id, () => {
    const { prev, root } = fileHashOnly ? openBlockBytes(id, bytes) : verifyBlockBytes(id, bytes)
    const shardTops = id.workchain === masterchain ? listShardTops(openMasterBlockExtra(root).shardHashes) : []
    return { previous: prev, shardTops }
  })

/** Checks that a proof is of the block with this id. Its signatures are not looked at. */
export const checkBlockProof = (id: BlockIdExt, bytes: Uint8Array): void => {
  reading(id, () => verifyPackageLink(id, bytes))
}

// What is wrong in a file is no lie of a server, only damage: the entry is not an answer.
const reading = <T>(id: BlockIdExt, read: () => T): T => {
  try {
    return read()
  } catch (cause) {
    if (!(cause instanceof CodedError)) throw cause
    const reason = cause instanceof ProofFailedError ? cause.message : `It cannot be read: ${cause.message}`
    throw new NodeAnswerError(`The archive has something else in place of block ${formatBlockId(id)}. ${reason}`, {
      cause,
    })
  }
}
