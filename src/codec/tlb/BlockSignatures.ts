import type { Cell } from '../cell/Cell.ts'
import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'
import { type Dict, type DictType, readDict, writeDict } from '../cell/Dict.ts'
import { uintKey, type ValueCodec } from '../cell/dictTypes.ts'
import { readWholeRef, writeWhole } from '../cell/wholeCell.ts'
import { bool, record, tagged, uint32, type ValueOf } from './record.ts'
import { unknownTag } from './scalars.ts'

const TAG = 0x8e81278a

/** ed25519_pubkey#8e81278a pubkey:bits256 = SigPubKey; */
export const readSigPubKey = (r: CellReader): Uint8Array => {
  r.expectTag(TAG, 32)
  return r.readBytes(32)
}

export const writeSigPubKey = (w: CellWriter, publicKey: Uint8Array): void => {
  w.writeUint(TAG, 32).writeBytes(publicKey)
}

/** `signature` is the 64 bytes of an Ed25519 signature: R, then s. */
export type CryptoSignatureSimple = { readonly kind: 'simple'; readonly signature: Uint8Array }
export type ChainedSignature = {
  readonly kind: 'chained'
  readonly signedCertificate: SignedCertificate
  /** Made with the temporary key of the certificate. */
  readonly signature: Uint8Array
}
export type CryptoSignature = CryptoSignatureSimple | ChainedSignature

export type CryptoSignaturePair = { readonly nodeIdShort: Uint8Array; readonly signature: CryptoSignature }

const SIMPLE = 0x5
const CHAINED = 0xf

/**
 * ed25519_signature#5 R:bits256 s:bits256 = CryptoSignatureSimple; _ CryptoSignatureSimple = CryptoSignature;
 * chained_signature#f signed_cert:^SignedCertificate temp_key_signature:CryptoSignatureSimple = CryptoSignature;
 */
export const readCryptoSignature = (r: CellReader): CryptoSignature => {
  const tag = r.readUint(4)
  if (tag === SIMPLE) return { kind: 'simple', signature: r.readBytes(64) }
  if (tag !== CHAINED) throw unknownTag('A CryptoSignature', '#5 or #f', tag, 4)
  const chained = readWholeRef(r, signedCertificate.read, 'A signed certificate')
  r.expectTag(SIMPLE, 4)
  return { kind: 'chained', signedCertificate: chained, signature: r.readBytes(64) }
}

export const writeCryptoSignature = (w: CellWriter, signature: CryptoSignature): void => {
  if (signature.kind === 'chained') {
    w.writeUint(CHAINED, 4).writeRef(writeWhole(signedCertificate.write, signature.signedCertificate))
  }
  w.writeUint(SIMPLE, 4).writeBytes(signature.signature)
}

const sigPubKey = { read: readSigPubKey, write: writeSigPubKey }

/** A temporary key that a persistent one vouches for: certificate#4 temp_key:SigPubKey valid_since:uint32 valid_until:uint32 = Certificate; */
const certificate = tagged(0x4, 4, record({ tempKey: sigPubKey, validSince: uint32, validUntil: uint32 }))

type SignedCertificate = { readonly certificate: ValueOf<typeof certificate>; readonly signature: CryptoSignature }

/** signed_certificate$_ certificate:Certificate certificate_signature:CryptoSignature = SignedCertificate; */
const signedCertificate: ValueCodec<SignedCertificate> = record({
  certificate,
  signature: { read: readCryptoSignature, write: writeCryptoSignature },
})

/** sig_pair$_ node_id_short:bits256 sign:CryptoSignature = CryptoSignaturePair; */
export const readCryptoSignaturePair = (r: CellReader): CryptoSignaturePair => ({
  nodeIdShort: r.readBytes(32),
  signature: readCryptoSignature(r),
})

export const writeCryptoSignaturePair = (w: CellWriter, { nodeIdShort, signature }: CryptoSignaturePair): void => {
  w.writeBytes(nodeIdShort)
  writeCryptoSignature(w, signature)
}

/** Signatures by their number: HashmapE 16 CryptoSignaturePair */
export const cryptoSignaturePairsType: DictType<number, CryptoSignaturePair> = {
  key: uintKey(16),
  value: { read: readCryptoSignaturePair, write: writeCryptoSignaturePair },
}

const validatorBaseFields = { validatorListHashShort: uint32, catchainSeqno: uint32 }

/**
 * Which validators sign: the start of every signature set.
 * validator_base_info$_ validator_list_hash_short:uint32 catchain_seqno:uint32 = ValidatorBaseInfo;
 */
const validatorBaseInfo = record(validatorBaseFields)

type ValidatorBaseInfo = ValueOf<typeof validatorBaseInfo>

/** validator_info$_ validator_list_hash_short:uint32 catchain_seqno:uint32 nx_cc_updated:Bool = ValidatorInfo; */
export const validatorInfo = record({
  ...validatorBaseFields,
  /** The shards' catchain numbers grew in the same block. */
  nxCcUpdated: bool,
})

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
  ...validatorBaseInfo.read(r),
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
  validatorBaseInfo.write(w, set)
  w.writeUint(set.sigCount, 32).writeUint64(set.sigWeight)
  writeDict(w, set.signatures)
  if (set.kind === 'simplex') w.writeBytes(set.sessionId).writeUint(set.slot, 32).writeRef(set.candidate)
}
