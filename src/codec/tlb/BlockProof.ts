import type { BlockIdExt } from '../../primitives/BlockId.ts'
import type { Cell } from '../cell/Cell.ts'
import type { CellReader } from '../cell/CellReader.ts'
import { CellWriter } from '../cell/CellWriter.ts'
import { CellError } from '../cell/errors.ts'
import { readWhole, readWholeRef, writeWhole } from '../cell/wholeCell.ts'
import { readBlockIdExt, writeBlockIdExt } from './BlockInfo.ts'
import { type BlockSignatures, readBlockSignatures, writeBlockSignatures } from './BlockSignatures.ts'

export type BlockProof = {
  readonly proofFor: BlockIdExt
  /** A Merkle proof of the block, with its header and its state update. */
  readonly root: Cell
  /** Only masterchain blocks have any; shard blocks are proven by the masterchain. */
  readonly signatures: BlockSignatures | undefined
}

/** block_proof#c3 proof_for:BlockIdExt root:^Cell signatures:(Maybe ^BlockSignatures) = BlockProof; */
export const readBlockProof = (r: CellReader): BlockProof => {
  r.expectTag(0xc3, 8)
  return { proofFor: readBlockIdExt(r), root: r.readRefCell(), signatures: readMaybeSignatures(r) }
}

export const writeBlockProof = (w: CellWriter, { proofFor, root, signatures }: BlockProof): void => {
  w.writeUint(0xc3, 8)
  writeBlockIdExt(w, proofFor)
  w.writeRef(root)
  writeMaybeSignatures(w, signatures)
}

/** Reads the proof that fills a cell, as packages hold it. */
export const openBlockProof = (cell: Cell): BlockProof => readWhole(cell, readBlockProof, 'A BlockProof')

/** (Maybe ^BlockSignatures) */
const readMaybeSignatures = (r: CellReader): BlockSignatures | undefined =>
  r.readBit() ? readWholeRef(r, readBlockSignatures, 'A BlockSignatures') : undefined

const writeMaybeSignatures = (w: CellWriter, signatures: BlockSignatures | undefined): void => {
  w.writeMaybeRef(signatures === undefined ? undefined : writeWhole(writeBlockSignatures, signatures))
}

/** A shard block and the blocks before it, back to one that the masterchain knows. */
export type TopBlockDescr = {
  readonly proofFor: BlockIdExt
  readonly signatures: BlockSignatures | undefined
  /** Merkle proofs of the blocks, newest first; 1 to 8 of them. */
  readonly chain: readonly Cell[]
}

const MAX_LENGTH = 8

/**
 * top_block_descr#d5 proof_for:BlockIdExt signatures:(Maybe ^BlockSignatures) len:(## 8) { len >= 1 } { len <= 8 }
 *   chain:(ProofChain len) = TopBlockDescr;
 */
export const readTopBlockDescr = (r: CellReader): TopBlockDescr => {
  r.expectTag(0xd5, 8)
  const proofFor = readBlockIdExt(r)
  const signatures = readMaybeSignatures(r)
  const length = r.readUint(8)
  checkLength(length)
  const chain: Cell[] = []
  readChain(r, length, chain)
  return { proofFor, signatures, chain }
}

/** chain_link$_ {n:#} root:^Cell prev:n?^(ProofChain n) = ProofChain (n + 1); */
const readChain = (r: CellReader, length: number, chain: Cell[]): void => {
  chain.push(r.readRefCell())
  if (length > 1) readWholeRef(r, (next) => readChain(next, length - 1, chain), 'A link of a proof chain')
}

export const writeTopBlockDescr = (w: CellWriter, { proofFor, signatures, chain }: TopBlockDescr): void => {
  checkLength(chain.length)
  w.writeUint(0xd5, 8)
  writeBlockIdExt(w, proofFor)
  writeMaybeSignatures(w, signatures)
  w.writeUint(chain.length, 8)
  writeChain(w, chain, 0)
}

const writeChain = (w: CellWriter, chain: readonly Cell[], at: number): void => {
  w.writeRef(chain[at]!)
  if (at + 1 === chain.length) return
  const next = new CellWriter()
  writeChain(next, chain, at + 1)
  w.writeRef(next.toCell())
}

const checkLength = (length: number): void => {
  if (length < 1 || length > MAX_LENGTH) {
    throw new CellError(`A TopBlockDescr proves 1 to ${MAX_LENGTH} blocks, it says ${length}.`)
  }
}
