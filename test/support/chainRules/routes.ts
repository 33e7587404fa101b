import type { ShardIdent } from '../../../src/codec/tlb/BlockInfo.ts'
import type { MsgAddressInt } from '../../../src/codec/tlb/MsgAddress.ts'
import type { IntermediateAddress } from '../../../src/codec/tlb/MsgEnvelope.ts'
import { masterchain } from '../../../src/primitives/BlockId.ts'
import { getU64BE } from '../../../src/primitives/bytes.ts'
import { shardContains } from '../../../src/primitives/shard.ts'

/** Where a message is: a workchain, and the first 64 bits of an address there. */
export type Place = { readonly workchain: number; readonly prefix: bigint }

export const placeOf = (address: MsgAddressInt): Place => {
  const bytes = new Uint8Array(8)
  bytes.set((address.kind === 'std' ? address.hash : address.value).subarray(0, 8))
  return { workchain: address.workchain, prefix: getU64BE(bytes, 0) }
}

export const holds = ({ workchain, shard }: ShardIdent, place: Place): boolean =>
  workchain === place.workchain && shardContains(shard, place.prefix)

/** The 96 bits of workchain and prefix as one number. */
const joined = ({ workchain, prefix }: Place): bigint => (BigInt.asUintN(32, BigInt(workchain)) << 64n) | prefix

/** The place whose first bits are the destination's and whose others are the source's. */
const between = (source: Place, destination: Place, destinationBits: number): Place => {
  const low = (1n << BigInt(96 - destinationBits)) - 1n
  const bits = (joined(destination) & ~low) | (joined(source) & low)
  return { workchain: Number(BigInt.asIntN(32, bits >> 64n)), prefix: BigInt.asUintN(64, bits) }
}

export const placeOnWay = (address: IntermediateAddress, source: Place, destination: Place): Place =>
  address.kind === 'regular'
    ? between(source, destination, address.useDestBits)
    : { workchain: address.workchain, prefix: address.prefix }

/** The bits of the destination that the two addresses of a new message's envelope take over. */
export const routeOf = (own: ShardIdent, source: Place, destination: Place): { current: number; next: number } => {
  if (holds(own, destination)) return { current: 96, next: 96 }
  if (own.workchain !== destination.workchain) {
    const isDirect = own.workchain === masterchain || destination.workchain === masterchain
    return { current: 0, next: isDirect ? 96 : 32 }
  }
  let taken = 4
  while (holds(own, between(source, destination, 32 + taken))) taken += 4
  return { current: 28 + taken, next: 32 + taken }
}
