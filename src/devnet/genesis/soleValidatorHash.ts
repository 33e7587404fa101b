import { putU32LE, putU64LE } from '../../primitives/bytes.ts'
import { crc32c } from '../../primitives/crc32c.ts'

/** The weight of the one validator: what validators have in every shard, so that it is the same in the masterchain. */
export const SOLE_VALIDATOR_WEIGHT = 1n

const TAG = 0x901660ed

/**
 * The checksum by which headers and states name the validators of a session, where there is one validator: the same in every
 * shard. States have it for catchain seqno 0.
 */
export const soleValidatorHash = (publicKey: Uint8Array, catchainSeqno: number): number => {
  const bytes = new Uint8Array(12 + 72)
  putU32LE(bytes, 0, TAG)
  putU32LE(bytes, 4, catchainSeqno)
  putU32LE(bytes, 8, 1)
  bytes.set(publicKey, 12)
  putU64LE(bytes, 44, SOLE_VALIDATOR_WEIGHT)
  return crc32c(bytes)
}
