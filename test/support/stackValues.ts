import assert from 'node:assert/strict'
import { type Cell, wholeSlice } from '../../src/codec/cell/Cell.ts'
import { openSlice } from '../../src/codec/cell/CellReader.ts'
import { CellWriter } from '../../src/codec/cell/CellWriter.ts'
import { readMsgAddress, writeMsgAddress } from '../../src/codec/tlb/MsgAddress.ts'
import type { VmValue } from '../../src/codec/tlb/VmValue.ts'
import { type Address, formatRawAddress } from '../../src/primitives/Address.ts'

export const intOf = (value: VmValue | undefined): bigint => {
  assert.equal(value?.kind, 'int')
  return value?.kind === 'int' ? value.value : -1n
}

export const cellOf = (value: VmValue | undefined): Cell => {
  if (value?.kind !== 'cell') assert.fail(`Expected a cell on the stack, but got ${value?.kind}.`)
  return value.cell
}

/** The address in its raw form, or the kind where it is another one. */
export const addressOf = (value: VmValue | undefined): string => {
  if (value?.kind !== 'slice') assert.fail(`Expected a slice on the stack, but got ${value?.kind}.`)
  const address = readMsgAddress(openSlice(value.slice))
  return address.kind === 'std' ? formatRawAddress(address) : address.kind
}

export const sliceArgument = (cell: Cell): VmValue => ({ kind: 'slice', slice: wholeSlice(cell) })

export const addressArgument = ({ workchain, hash }: Address): VmValue => {
  const w = new CellWriter()
  writeMsgAddress(w, { kind: 'std', workchain, hash, anycast: undefined })
  return sliceArgument(w.toCell())
}

export const intArgument = (value: bigint): VmValue => ({ kind: 'int', value })
