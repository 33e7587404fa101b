import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'
import { type Dict, type DictType, readDict, readInlineDict, writeDict, writeInlineDict } from '../cell/Dict.ts'
import { uintKey } from '../cell/dictTypes.ts'
import { CellError } from '../cell/errors.ts'
import { readSigPubKey, writeSigPubKey } from './BlockSignatures.ts'
import { unknownTag } from './scalars.ts'

export type ValidatorDescr = {
  /** Ed25519. */
  readonly publicKey: Uint8Array
  readonly weight: bigint
  /** Absent in the old form; the network address then follows from the public key. */
  readonly adnlAddress: Uint8Array | undefined
}

/**
 * validator#53 public_key:SigPubKey weight:uint64 = ValidatorDescr;
 * validator_addr#73 public_key:SigPubKey weight:uint64 adnl_addr:bits256 = ValidatorDescr;
 */
const readValidatorDescr = (r: CellReader): ValidatorDescr => {
  const tag = r.readUint(8)
  if (tag !== 0x53 && tag !== 0x73) throw unknownTag('A ValidatorDescr', '#53 or #73', tag, 8)
  return {
    publicKey: readSigPubKey(r),
    weight: r.readUint64(),
    adnlAddress: tag === 0x73 ? r.readBytes(32) : undefined,
  }
}

const writeValidatorDescr = (w: CellWriter, { publicKey, weight, adnlAddress }: ValidatorDescr): void => {
  w.writeUint(adnlAddress === undefined ? 0x53 : 0x73, 8)
  writeSigPubKey(w, publicKey)
  w.writeUint64(weight)
  if (adnlAddress !== undefined) w.writeBytes(adnlAddress)
}

export type ValidatorSet = {
  readonly utimeSince: number
  readonly utimeUntil: number
  readonly total: number
  /** How many of the first validators serve the masterchain. */
  readonly main: number
  /** Absent in the old form, which does not state the sum. */
  readonly totalWeight: bigint | undefined
  /** By their number, from 0 on. */
  readonly list: Dict<number, ValidatorDescr>
}

export const validatorListType: DictType<number, ValidatorDescr> = {
  key: uintKey(16),
  value: { read: readValidatorDescr, write: writeValidatorDescr },
}

/**
 * validators#11 utime_since:uint32 utime_until:uint32 total:(## 16) main:(## 16) { main <= total } { main >= 1 }
 *   list:(Hashmap 16 ValidatorDescr) = ValidatorSet;
 * validators_ext#12 utime_since:uint32 utime_until:uint32 total:(## 16) main:(## 16) { main <= total } { main >= 1 }
 *   total_weight:uint64 list:(HashmapE 16 ValidatorDescr) = ValidatorSet;
 */
export const readValidatorSet = (r: CellReader): ValidatorSet => {
  const tag = r.readUint(8)
  if (tag !== 0x11 && tag !== 0x12) throw unknownTag('A ValidatorSet', '#11 or #12', tag, 8)
  const utimeSince = r.readUint(32)
  const utimeUntil = r.readUint(32)
  const total = r.readUint(16)
  const main = r.readUint(16)
  checkCounts(total, main)
  return tag === 0x11
    ? { utimeSince, utimeUntil, total, main, totalWeight: undefined, list: readInlineDict(r, validatorListType) }
    : { utimeSince, utimeUntil, total, main, totalWeight: r.readUint64(), list: readDict(r, validatorListType) }
}

export const writeValidatorSet = (w: CellWriter, set: ValidatorSet): void => {
  checkCounts(set.total, set.main)
  w.writeUint(set.totalWeight === undefined ? 0x11 : 0x12, 8)
  w.writeUint(set.utimeSince, 32).writeUint(set.utimeUntil, 32).writeUint(set.total, 16).writeUint(set.main, 16)
  if (set.totalWeight === undefined) writeInlineDict(w, set.list)
  else {
    w.writeUint64(set.totalWeight)
    writeDict(w, set.list)
  }
}

const checkCounts = (total: number, main: number): void => {
  if (main < 1 || main > total) {
    throw new CellError(`A validator set has 1 to all of its ${total} validators in the masterchain, it says ${main}.`)
  }
}

/** The validators in their order, checked to be as many as the set says. */
export const listValidators = ({ list, total }: ValidatorSet): ValidatorDescr[] => {
  const validators: ValidatorDescr[] = []
  list.forEach((number, validator) => {
    if (number !== validators.length)
      throw new CellError(`Validator ${validators.length} is missing, ${number} follows.`)
    validators.push(validator)
  })
  if (validators.length !== total) {
    throw new CellError(`A validator set says it has ${total} validators, it holds ${validators.length}.`)
  }
  return validators
}
