import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'
import { readSigPubKey, writeSigPubKey } from './SigPubKey.ts'
import { unknownTag } from './unknownTag.ts'

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
export const readValidatorDescr = (r: CellReader): ValidatorDescr => {
  const tag = r.readUint(8)
  if (tag !== 0x53 && tag !== 0x73) throw unknownTag('A ValidatorDescr', '#53 or #73', tag, 8)
  return {
    publicKey: readSigPubKey(r),
    weight: r.readUint64(),
    adnlAddress: tag === 0x73 ? r.readBytes(32) : undefined,
  }
}

export const writeValidatorDescr = (w: CellWriter, { publicKey, weight, adnlAddress }: ValidatorDescr): void => {
  w.writeUint(adnlAddress === undefined ? 0x53 : 0x73, 8)
  writeSigPubKey(w, publicKey)
  w.writeUint64(weight)
  if (adnlAddress !== undefined) w.writeBytes(adnlAddress)
}
