import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'

const TAG = 0x8e81278a

/** ed25519_pubkey#8e81278a pubkey:bits256 = SigPubKey; */
export const readSigPubKey = (r: CellReader): Uint8Array => {
  r.expectTag(TAG, 32)
  return r.readBytes(32)
}

export const writeSigPubKey = (w: CellWriter, publicKey: Uint8Array): void => {
  w.writeUint(TAG, 32).writeBytes(publicKey)
}
