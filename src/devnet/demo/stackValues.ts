import { openSlice } from '../../codec/cell/CellReader.ts'
import { readMsgAddress } from '../../codec/tlb/MsgAddress.ts'
import type { VmStack } from '../../codec/tlb/VmStack.ts'
import type { Address } from '../../primitives/Address.ts'

/** The integer at a place of a method's result, where there is one. */
export const findInt = (stack: VmStack | undefined, place: number): bigint | undefined => {
  const value = stack?.[place]
  return value?.kind === 'int' ? value.value : undefined
}

/** The address at a place of a method's result, where there is one. */
export const findAddress = (stack: VmStack | undefined, place: number): Address | undefined => {
  const value = stack?.[place]
  if (value?.kind !== 'slice') return undefined
  const address = readMsgAddress(openSlice(value.slice))
  return address.kind === 'std' ? { workchain: address.workchain, hash: address.hash } : undefined
}
