import type { ShardIdent } from '../../codec/tlb/BlockInfo.ts'
import type { IntMsgInfo } from '../../codec/tlb/Message.ts'
import type { MsgAddressInt } from '../../codec/tlb/MsgAddress.ts'
import type { IntermediateAddress } from '../../codec/tlb/MsgEnvelope.ts'
import { masterchain } from '../../primitives/BlockId.ts'
import { getU64BE } from '../../primitives/bytes.ts'
import { shardContains } from '../../primitives/shard.ts'
import { ChainDataError } from '../store/errors.ts'

/** A place in the network: a workchain and the first 64 bits of an address. */
export type HopAddress = { readonly workchain: number; readonly prefix: bigint }

/** Where a message stands and where it goes next. */
export type Route = {
  readonly current: IntermediateAddress
  readonly next: IntermediateAddress
  readonly hop: HopAddress
}

const ALL_BITS = 96
const WORKCHAIN_BITS = 32
const STEP = 4
const ARRIVED: IntermediateAddress = { kind: 'regular', useDestBits: ALL_BITS }

const hopAddressOf = (address: MsgAddressInt): HopAddress => ({
  workchain: address.workchain,
  prefix: getU64BE(address.kind === 'std' ? address.hash : address.value, 0),
})

export const isInShard = ({ workchain, shard }: ShardIdent, hop: HopAddress): boolean =>
  hop.workchain === workchain && shardContains(shard, hop.prefix)

/** The place that an envelope names by how many bits of the destination it has taken over. */
export const hopOf = ({ source, destination }: IntMsgInfo, at: IntermediateAddress): HopAddress => {
  if (at.kind !== 'regular') return { workchain: at.workchain, prefix: at.prefix }
  return mix(hopAddressOf(source), hopAddressOf(destination), at.useDestBits)
}

const mix = (from: HopAddress, to: HopAddress, bits: number): HopAddress => {
  if (bits >= ALL_BITS) return to
  if (bits === 0) return from
  if (bits < WORKCHAIN_BITS) throw new ChainDataError(`A message stands between two workchains, at bit ${bits}.`)
  const taken = BigInt(bits - WORKCHAIN_BITS)
  const low = (1n << (64n - taken)) - 1n
  return { workchain: to.workchain, prefix: (to.prefix & ~low) | (from.prefix & low) }
}

/** The route of a new message from a shard: straight to its destination but for the bits behind the first that differ. */
export const routeFrom = (shard: ShardIdent, { source, destination }: IntMsgInfo): Route => {
  const to = hopAddressOf(destination)
  if (isInShard(shard, to)) return { current: ARRIVED, next: ARRIVED, hop: to }
  const from = hopAddressOf(source)
  if (to.workchain !== shard.workchain) {
    const next = to.workchain === masterchain || shard.workchain === masterchain ? ALL_BITS : WORKCHAIN_BITS
    return {
      current: { kind: 'regular', useDestBits: 0 },
      next: { kind: 'regular', useDestBits: next },
      hop: mix(from, to, next),
    }
  }
  let bits = WORKCHAIN_BITS + STEP
  while (isInShard(shard, mix(from, to, bits))) bits += STEP
  return {
    current: { kind: 'regular', useDestBits: bits - STEP },
    next: { kind: 'regular', useDestBits: bits },
    hop: mix(from, to, bits),
  }
}
