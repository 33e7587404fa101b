import { type Cell, wholeSlice } from '../../codec/cell/Cell.ts'
import { CellWriter } from '../../codec/cell/CellWriter.ts'
import { writeMsgAddress } from '../../codec/tlb/MsgAddress.ts'
import type { VmValue } from '../../codec/tlb/VmValue.ts'
import type { Address } from '../../primitives/Address.ts'

export const intArgument = (value: bigint): VmValue => ({ kind: 'int', value })

export const cellArgument = (cell: Cell): VmValue => ({ kind: 'cell', cell })

/** Bytes as a slice: 127 are the most that fit. */
export const bytesArgument = (bytes: Uint8Array): VmValue => ({
  kind: 'slice',
  slice: wholeSlice(new CellWriter().writeBytes(bytes).toCell()),
})

export const addressArgument = ({ workchain, hash }: Address): VmValue => {
  const w = new CellWriter()
  writeMsgAddress(w, { kind: 'std', workchain, hash, anycast: undefined })
  return { kind: 'slice', slice: wholeSlice(w.toCell()) }
}
