import type { Address } from '../../primitives/Address.ts'
import { replaceLeadingBits } from '../../primitives/bits.ts'
import type { MsgAddress } from './MsgAddress.ts'

/**
 * The account that an address in a message stands for: an anycast prefix is put in its place. `undefined` for what is no
 * account, and for one that has no standard form.
 */
export const findStandardAddress = (address: MsgAddress): Address | undefined => {
  if (address.kind === 'none' || address.kind === 'extern') return undefined
  const { workchain, anycast } = address
  if (address.kind === 'var' && (address.bits !== 256 || (workchain << 24) >> 24 !== workchain)) return undefined
  const hash = address.kind === 'std' ? address.hash : address.value
  return { workchain, hash: anycast === undefined ? hash : replaceLeadingBits(hash, anycast.prefix, anycast.depth) }
}
