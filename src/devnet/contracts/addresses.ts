import type { CellWriter } from '../../codec/cell/CellWriter.ts'
import { ADDR_NONE, type AddrStd, writeMsgAddress } from '../../codec/tlb/MsgAddress.ts'
import type { Address } from '../../primitives/Address.ts'

export const toAddrStd = ({ workchain, hash }: Address): AddrStd => ({
  kind: 'std',
  workchain,
  hash,
  anycast: undefined,
})

/** An address, or two zero bits where there is none. */
export const writeAddress = (w: CellWriter, address: Address | undefined): CellWriter => {
  writeMsgAddress(w, address === undefined ? ADDR_NONE : toAddrStd(address))
  return w
}
