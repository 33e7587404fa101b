import type { Cell } from '../../codec/cell/Cell.ts'
import { Dict, type DictType } from '../../codec/cell/Dict.ts'
import { uintKey } from '../../codec/cell/dictTypes.ts'
import { type MsgAddress, readMsgAddress, writeMsgAddress } from '../../codec/tlb/MsgAddress.ts'
import type { Address } from '../../primitives/Address.ts'
import { UnexpectedResultError } from './errors.ts'

const numberedType: DictType<number, MsgAddress> = {
  key: uintKey(8),
  value: { read: readMsgAddress, write: writeMsgAddress },
}

/** Addresses by numbers of 8 bits, in the order of those. */
export const listNumberedAddresses = (root: Cell | undefined): Address[] =>
  new Dict(numberedType, root).entries({ maxNodes: 511 }).map(([number, address]) => {
    if (address.kind !== 'std' || address.anycast !== undefined) {
      throw new UnexpectedResultError(`Address ${number} of a list should be a standard one, it is ${address.kind}.`)
    }
    return { workchain: address.workchain, hash: address.hash.slice() }
  })
