import { keyIdOf } from '../../adnl/keys.ts'
import { encodeTlObject } from '../../codec/tl/tlObject.ts'
import type { ValidatorDescr } from '../../codec/tlb/ValidatorSet.ts'
import { sha256 } from '../../primitives/hash.ts'
import { fromHex } from '../../primitives/hex.ts'
import type { ProvenHeader } from './ProvenHeader.ts'

/** Once a hash of consensus settings; nodes have kept its last value. */
const CONFIG_HASH = fromHex('0a5bf2399f172fee5a8e786f55a9d27149d1ed33e6b8e0cc81ef45fa3b8cb8d7')
const NO_ADDRESS = new Uint8Array(32)

/** The id of the session in which these validators made a block. */
export const sessionIdOf = ({ info }: ProvenHeader, nodes: readonly ValidatorDescr[]): Uint8Array =>
  sha256(
    encodeTlObject({
      kind: 'validator.groupNew',
      workchain: info.workchain,
      shard: info.shard,
      verticalSeqno: info.vertSeqno | 0,
      lastKeyBlockSeqno: info.prevKeyBlockSeqno | 0,
      catchainSeqno: info.genCatchainSeqno | 0,
      configHash: CONFIG_HASH,
      members: nodes.map(({ publicKey, weight, adnlAddress }) => ({
        publicKeyHash: keyIdOf(publicKey),
        adnl: adnlAddress ?? NO_ADDRESS,
        weight: BigInt.asIntN(64, weight),
      })),
    }),
  )
