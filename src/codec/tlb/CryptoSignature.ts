import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'
import type { DictType } from '../cell/Dict.ts'
import { uintKey } from '../cell/dictTypes.ts'
import { readWholeRef, writeWhole } from '../cell/wholeCell.ts'
import { readSigPubKey, writeSigPubKey } from './SigPubKey.ts'
import { unknownTag } from './unknownTag.ts'

/** A temporary key that a persistent one vouches for. */
export type Certificate = { readonly tempKey: Uint8Array; readonly validSince: number; readonly validUntil: number }

export type SignedCertificate = { readonly certificate: Certificate; readonly signature: CryptoSignature }

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
  const signedCertificate = readWholeRef(r, readSignedCertificate, 'A signed certificate')
  r.expectTag(SIMPLE, 4)
  return { kind: 'chained', signedCertificate, signature: r.readBytes(64) }
}

export const writeCryptoSignature = (w: CellWriter, signature: CryptoSignature): void => {
  if (signature.kind === 'chained') {
    w.writeUint(CHAINED, 4).writeRef(writeWhole(writeSignedCertificate, signature.signedCertificate))
  }
  w.writeUint(SIMPLE, 4).writeBytes(signature.signature)
}

/**
 * certificate#4 temp_key:SigPubKey valid_since:uint32 valid_until:uint32 = Certificate;
 * signed_certificate$_ certificate:Certificate certificate_signature:CryptoSignature = SignedCertificate;
 */
const readSignedCertificate = (r: CellReader): SignedCertificate => {
  r.expectTag(0x4, 4)
  return {
    certificate: { tempKey: readSigPubKey(r), validSince: r.readUint(32), validUntil: r.readUint(32) },
    signature: readCryptoSignature(r),
  }
}

const writeSignedCertificate = (w: CellWriter, { certificate, signature }: SignedCertificate): void => {
  w.writeUint(0x4, 4)
  writeSigPubKey(w, certificate.tempKey)
  w.writeUint(certificate.validSince, 32).writeUint(certificate.validUntil, 32)
  writeCryptoSignature(w, signature)
}

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
