import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'
import { decodeSingleBoc } from '../cell/decodeBoc.ts'
import { encodeBoc } from '../cell/encodeBoc.ts'
import { readWhole, writeWhole } from '../cell/wholeCell.ts'
import { DEFAULT_VM_STACK_LIMITS, type VmStackLimits } from './VmStackLimits.ts'
import { VmStackReader } from './VmStackReader.ts'
import { VmStackWriter } from './VmStackWriter.ts'
import type { VmValue } from './VmValue.ts'

/** The stack of the virtual machine, bottom first: the last entry is the top. */
export type VmStack = readonly VmValue[]

/** vm_stack#_ depth:(## 24) stack:(VmStackList depth) = VmStack; */
export const readVmStack = (r: CellReader, limits: VmStackLimits = DEFAULT_VM_STACK_LIMITS): VmStack =>
  new VmStackReader(limits).readStack(r)

/** Writes a stack as nodes do: an integer that fits 64 bits in its short form. */
export const writeVmStack = (w: CellWriter, stack: VmStack, limits: VmStackLimits = DEFAULT_VM_STACK_LIMITS): void =>
  new VmStackWriter(limits).writeStack(w, stack)

/** A stack as it travels to and from a node: a bag of one cell tree. No bytes at all stand for an empty stack. */
export const decodeVmStack = (bytes: Uint8Array, limits: VmStackLimits = DEFAULT_VM_STACK_LIMITS): VmStack =>
  bytes.length === 0 ? [] : readWhole(decodeSingleBoc(bytes), (r) => readVmStack(r, limits), 'A stack')

export const encodeVmStack = (stack: VmStack, limits: VmStackLimits = DEFAULT_VM_STACK_LIMITS): Uint8Array =>
  encodeBoc([writeWhole((w, entries: VmStack) => writeVmStack(w, entries, limits), stack)])

/** A value by itself, as the register c7 in the answer of a node. */
export const readVmStackValue = (r: CellReader, limits: VmStackLimits = DEFAULT_VM_STACK_LIMITS): VmValue =>
  new VmStackReader(limits).readLoneValue(r)

export const writeVmStackValue = (
  w: CellWriter,
  value: VmValue,
  limits: VmStackLimits = DEFAULT_VM_STACK_LIMITS,
): void => new VmStackWriter(limits).writeLoneValue(w, value)
