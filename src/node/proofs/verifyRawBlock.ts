import { ProofFailedError } from '../../chain/errors.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import type { LiteServerBlockData } from '../../codec/tl/liteServerTypes.ts'
import { type BlockIdExt, formatBlockId } from '../../primitives/BlockId.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import { sha256 } from '../../primitives/hash.ts'
import { expectBlock } from './blockIds.ts'
import { type LinkedHeader, readLinkedHeader } from './ProvenHeader.ts'
import { proving } from './proving.ts'

export type ProvenBlock = LinkedHeader & { readonly root: Cell }

export const expectFileHash = (trusted: BlockIdExt, bytes: Uint8Array): void => {
  if (bytesEqual(sha256(bytes), trusted.fileHash)) return
  throw new ProofFailedError(`The bytes of block ${formatBlockId(trusted)} have another hash than its file hash.`)
}

/** The bytes of a block against both hashes of its trusted id, and its header against the rest of it. */
export const verifyBlockBytes = (trusted: BlockIdExt, bytes: Uint8Array): ProvenBlock => {
  expectFileHash(trusted, bytes)
  // What is stored beside the cells is checked on the way to the root hash, so nothing is hashed twice.
  const root = proving('a block', () => decodeSingleBoc(bytes, { trusted: true }))
  if (!proving('a block', () => root.hasHash(trusted.rootHash))) {
    throw new ProofFailedError(`The root cell of block ${formatBlockId(trusted)} has another hash than its root hash.`)
  }
  return { ...readLinkedHeader(root, trusted), root }
}

/** The same for whoever looks at the root hash elsewhere: the bytes are held against the file hash only. */
export const openBlockBytes = (trusted: BlockIdExt, bytes: Uint8Array): ProvenBlock => {
  expectFileHash(trusted, bytes)
  const root = proving('a block', () => decodeSingleBoc(bytes, { trusted: true, skipChecksum: true }))
  return { ...readLinkedHeader(root, trusted), root }
}

/** The answer to getBlock for a trusted id. */
export const verifyRawBlock = (trusted: BlockIdExt, answer: LiteServerBlockData): ProvenBlock => {
  expectBlock('The block that came', trusted, answer.id)
  return verifyBlockBytes(trusted, answer.data)
}
