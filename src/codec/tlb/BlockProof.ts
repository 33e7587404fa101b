import type { BlockIdExt } from '../../primitives/BlockId.ts'
import type { Cell } from '../cell/Cell.ts'
import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'
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
