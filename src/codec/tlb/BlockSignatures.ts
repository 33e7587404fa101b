import type { Cell } from '../cell/Cell.ts'
import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'
import { type Dict, readDict, writeDict } from '../cell/Dict.ts'
import { type CryptoSignaturePair, cryptoSignaturePairsType } from './CryptoSignature.ts'
import { unknownTag } from './unknownTag.ts'
import { readValidatorBaseInfo, type ValidatorBaseInfo, writeValidatorBaseInfo } from './ValidatorInfo.ts'

type SignatureSet = ValidatorBaseInfo & {
  readonly sigCount: number
  readonly sigWeight: bigint
  /** By their number, from 0 on. */
  readonly signatures: Dict<number, CryptoSignaturePair>
}

/** Signatures over the block's hashes. */
export type OrdinarySignatures = SignatureSet & { readonly kind: 'ordinary' }

/** Signatures over a vote of the simplex consensus that finalizes a candidate. */
export type SimplexSignatures = SignatureSet & {
  readonly kind: 'simplex'
  readonly sessionId: Uint8Array
  readonly slot: number
  /** The bytes of a boxed TL `consensus.CandidateHashData`, as a chain of cells. */
  readonly candidate: Cell
}

export type BlockSignatures = OrdinarySignatures | SimplexSignatures

/** block_signatures_pure#_ sig_count:uint32 sig_weight:uint64 signatures:(HashmapE 16 CryptoSignaturePair) */
const readSignatureSet = (r: CellReader): SignatureSet => ({
  ...readValidatorBaseInfo(r),
  sigCount: r.readUint(32),
  sigWeight: r.readUint64(),
  signatures: readDict(r, cryptoSignaturePairsType),
})

/**
 * block_signatures#11 validator_info:ValidatorBaseInfo pure_signatures:BlockSignaturesPure = BlockSignatures;
 * block_signatures_simplex#12 validator_info:ValidatorBaseInfo pure_signatures:BlockSignaturesPure
 *   session_id:bits256 slot:uint32 candidate_data:^Cell = BlockSignatures;
 */
export const readBlockSignatures = (r: CellReader): BlockSignatures => {
  const tag = r.readUint(8)
  if (tag === 0x11) return { kind: 'ordinary', ...readSignatureSet(r) }
  if (tag !== 0x12) throw unknownTag('A BlockSignatures', '#11 or #12', tag, 8)
  return {
    kind: 'simplex',
    ...readSignatureSet(r),
    sessionId: r.readBytes(32),
    slot: r.readUint(32),
    candidate: r.readRefCell(),
  }
}

export const writeBlockSignatures = (w: CellWriter, set: BlockSignatures): void => {
  w.writeUint(set.kind === 'ordinary' ? 0x11 : 0x12, 8)
  writeValidatorBaseInfo(w, set)
  w.writeUint(set.sigCount, 32).writeUint64(set.sigWeight)
  writeDict(w, set.signatures)
  if (set.kind === 'simplex') w.writeBytes(set.sessionId).writeUint(set.slot, 32).writeRef(set.candidate)
}
