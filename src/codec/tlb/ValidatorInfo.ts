import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'

/** Which validators sign: the start of every signature set. */
export type ValidatorBaseInfo = { readonly validatorListHashShort: number; readonly catchainSeqno: number }

export type ValidatorInfo = ValidatorBaseInfo & {
  /** The shards' catchain numbers grew in the same block. */
  readonly nxCcUpdated: boolean
}

/** validator_base_info$_ validator_list_hash_short:uint32 catchain_seqno:uint32 = ValidatorBaseInfo; */
export const readValidatorBaseInfo = (r: CellReader): ValidatorBaseInfo => ({
  validatorListHashShort: r.readUint(32),
  catchainSeqno: r.readUint(32),
})

export const writeValidatorBaseInfo = (w: CellWriter, info: ValidatorBaseInfo): void => {
  w.writeUint(info.validatorListHashShort, 32).writeUint(info.catchainSeqno, 32)
}

/** validator_info$_ validator_list_hash_short:uint32 catchain_seqno:uint32 nx_cc_updated:Bool = ValidatorInfo; */
export const readValidatorInfo = (r: CellReader): ValidatorInfo => ({
  validatorListHashShort: r.readUint(32),
  catchainSeqno: r.readUint(32),
  nxCcUpdated: r.readBit(),
})

export const writeValidatorInfo = (w: CellWriter, info: ValidatorInfo): void => {
  writeValidatorBaseInfo(w, info)
  w.writeBit(info.nxCcUpdated)
}
