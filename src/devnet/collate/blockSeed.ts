import { concatBytes, putU32BE, putU64BE } from '../../primitives/bytes.ts'
import { sha256 } from '../../primitives/hash.ts'
import type { BaseState } from './BaseState.ts'

/** The random seed of a block: nobody can tell it before without the secret, and it is the same for the same block. */
export const blockSeed = (secret: Uint8Array, { ident, seqno, prev }: BaseState): Uint8Array => {
  const place = new Uint8Array(16)
  putU32BE(place, 0, ident.workchain >>> 0)
  putU64BE(place, 4, ident.shard)
  putU32BE(place, 12, seqno)
  return sha256(concatBytes([secret, place, prev[0].rootHash]))
}
