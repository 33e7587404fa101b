import { getU64BE } from '../../primitives/bytes.ts'

/** The first eight bytes of a hash as the database numbers them: what `transaction_lookup` finds a transaction by. */
export const hashKey = (hash: Uint8Array): bigint => BigInt.asIntN(64, getU64BE(hash, 0))
