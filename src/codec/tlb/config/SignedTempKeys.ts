import type { CellReader } from '../../cell/CellReader.ts'
import type { CellWriter } from '../../cell/CellWriter.ts'
import { type Dict, type DictType, readDict, writeDict } from '../../cell/Dict.ts'
import { hashKey } from '../../cell/dictTypes.ts'
import { readWholeRef, writeWhole } from '../../cell/wholeCell.ts'
import { type CryptoSignature, readCryptoSignature, writeCryptoSignature } from '../CryptoSignature.ts'
import { readSigPubKey, writeSigPubKey } from '../SigPubKey.ts'

export type ValidatorTempKey = {
  readonly adnlAddress: Uint8Array
  readonly tempPublicKey: Uint8Array
  readonly seqno: number
  readonly validUntil: number
}

export type SignedTempKey = { readonly key: ValidatorTempKey; readonly signature: CryptoSignature }

export type SignedTempKeys = Dict<Uint8Array, SignedTempKey>

/** validator_temp_key#3 adnl_addr:bits256 temp_public_key:SigPubKey seqno:# valid_until:uint32 = ValidatorTempKey; */
const readTempKey = (r: CellReader): ValidatorTempKey => {
  r.expectTag(0x3, 4)
  return {
    adnlAddress: r.readBytes(32),
    tempPublicKey: readSigPubKey(r),
    seqno: r.readUint(32),
    validUntil: r.readUint(32),
  }
}

const writeTempKey = (w: CellWriter, key: ValidatorTempKey): void => {
  w.writeUint(0x3, 4).writeBytes(key.adnlAddress)
  writeSigPubKey(w, key.tempPublicKey)
  w.writeUint(key.seqno, 32).writeUint(key.validUntil, 32)
}

/** signed_temp_key#4 key:^ValidatorTempKey signature:CryptoSignature = ValidatorSignedTempKey; */
const readSignedTempKey = (r: CellReader): SignedTempKey => {
  r.expectTag(0x4, 4)
  return { key: readWholeRef(r, readTempKey, 'A ValidatorTempKey'), signature: readCryptoSignature(r) }
}

const writeSignedTempKey = (w: CellWriter, { key, signature }: SignedTempKey): void => {
  w.writeUint(0x4, 4).writeRef(writeWhole(writeTempKey, key))
  writeCryptoSignature(w, signature)
}

export const signedTempKeysType: DictType<Uint8Array, SignedTempKey> = {
  key: hashKey,
  value: { read: readSignedTempKey, write: writeSignedTempKey },
}

/** _ (HashmapE 256 ValidatorSignedTempKey) = ConfigParam 39; */
export const readSignedTempKeys = (r: CellReader): SignedTempKeys => readDict(r, signedTempKeysType)

export const writeSignedTempKeys = (w: CellWriter, keys: SignedTempKeys): void => {
  writeDict(w, keys)
}
