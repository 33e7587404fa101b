import type { ValidatorDescr } from '../../codec/tlb/ValidatorSet.ts'
import { concatBytes, putU32LE, putU64LE } from '../../primitives/bytes.ts'
import { crc32c } from '../../primitives/crc.ts'
import { sha256 } from '../../primitives/hash.ts'

/** What validators have in every shard, so that it is the same in the masterchain. */
const WEIGHT = 1n

/** TL id of a public key. */
const PUBLIC_KEY_TAG = Uint8Array.from([0xc6, 0xb4, 0x13, 0x48])

/** The hash by which a signature names the key it is of. */
export const shortKeyId = (publicKey: Uint8Array): Uint8Array => sha256(concatBytes([PUBLIC_KEY_TAG, publicKey]))

/** The one validator. Its ADNL address is that of its key: some light clients know validators with an address only. */
export const soleValidator = (publicKey: Uint8Array): ValidatorDescr => ({
  publicKey,
  weight: WEIGHT,
  adnlAddress: shortKeyId(publicKey),
})

const TAG = 0x901660ed

/**
 * The checksum by which headers and states name the validators of a session, where there is one validator: the same in every
 * shard. States have it for catchain seqno 0.
 */
export const soleValidatorHash = (
  { publicKey, weight, adnlAddress }: ValidatorDescr,
  catchainSeqno: number,
): number => {
  const bytes = new Uint8Array(12 + 72)
  putU32LE(bytes, 0, TAG)
  putU32LE(bytes, 4, catchainSeqno)
  putU32LE(bytes, 8, 1)
  bytes.set(publicKey, 12)
  putU64LE(bytes, 44, weight)
  if (adnlAddress !== undefined) bytes.set(adnlAddress, 52)
  return crc32c(bytes)
}
