import type { CellSlice } from '../cell/Cell.ts'
import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'
import { decodeSingleBoc } from '../cell/decodeBoc.ts'
import { walkDict } from '../cell/dictNodes.ts'
import { encodeBoc } from '../cell/encodeBoc.ts'
import { CellError, PrunedBranchError } from '../cell/errors.ts'
import { PRUNED_BRANCH } from '../cell/exotic.ts'
import { readWhole, writeWhole } from '../cell/wholeCell.ts'
import { VmStackWriter } from './VmStackWriter.ts'
import {
  DEFAULT_VM_STACK_LIMITS,
  type VmCont,
  type VmControlData,
  type VmSavedRegister,
  VmStackCount,
  type VmStackLimits,
  type VmValue,
} from './VmValue.ts'

const NULL: VmValue = { kind: 'null' }
const NAN: VmValue = { kind: 'nan' }

/** Stands where a continuation is still to be read. */
const UNREAD: VmCont = { kind: 'quitException' }

const LOOP_PARTS = ['condition', 'body', 'after'] as const

/** The slots of a continuation that hold other continuations. */
type PartName = 'condition' | 'body' | 'after' | 'next'

/**
 * Reads one stack or value. A list of pairs is nested as deep as it is long, so a cell inside a value is not entered at
 * once but put on a list: how deep the calls go does not depend on the input. A value with such parts is complete when the
 * list is empty.
 *
 * What is put on the list last is read first. So a tuple or a stack is read from its last entry to its first, whatever
 * its entries hold, and grows as they come: memory follows what was read, not the lengths that were stated.
 */
class VmStackReader {
  private readonly count: VmStackCount
  private readonly pending: (() => void)[] = []

  constructor(limits: VmStackLimits) {
    this.count = new VmStackCount(limits)
  }

  readStack(r: CellReader): VmValue[] {
    const entries = this.readEntries(r, 1)
    this.readPending()
    return entries
  }

  readLoneValue(r: CellReader): VmValue {
    const value = this.readValue(r, 1)
    this.readPending()
    return value
  }

  private readPending(): void {
    for (let next = this.pending.pop(); next !== undefined; next = this.pending.pop()) next()
  }

  private readLater(r: CellReader, read: (r: CellReader) => void): void {
    const cell = r.readRef()
    this.pending.push(() => {
      read(cell)
      cell.expectEnd('A part of a stack')
    })
  }

  /**
   * vm_stack#_ depth:(## 24) stack:(VmStackList depth) = VmStack;
   * vm_stk_cons#_ {n:#} rest:^(VmStackList n) tos:VmStackValue = VmStackList (n + 1); vm_stk_nil#_ = VmStackList 0;
   */
  private readEntries(r: CellReader, level: number): VmValue[] {
    const depth = r.readUint(24)
    this.count.checkDepth(depth)
    const entries: VmValue[] = []
    if (depth > 0) this.readList(r, entries, depth, level)
    return entries
  }

  private readList(r: CellReader, entries: VmValue[], left: number, level: number): void {
    this.readLater(r, (rest) => {
      if (left > 1) this.readList(rest, entries, left - 1, level)
    })
    entries.push(this.readValue(r, level))
    if (left === 1) entries.reverse()
  }

  /**
   * vm_stk_null#00; vm_stk_tinyint#01 value:int64; vm_stk_int#0201_ value:int257; vm_stk_nan#02ff;
   * vm_stk_cell#03 cell:^Cell; vm_stk_slice#04 _:VmCellSlice; vm_stk_builder#05 cell:^Cell; vm_stk_cont#06 cont:VmCont;
   * vm_stk_tuple#07 len:(## 16) data:(VmTuple len) = VmStackValue;
   */
  private readValue(r: CellReader, level: number): VmValue {
    this.count.add(level)
    const tag = r.readUint(8)
    switch (tag) {
      case 0:
        return NULL
      case 1:
        return { kind: 'int', value: r.readInt64() }
      case 2:
        return readWideInt(r)
      case 3:
        return { kind: 'cell', cell: r.readRefCell() }
      case 4:
        return { kind: 'slice', slice: readVmCellSlice(r) }
      case 5:
        return { kind: 'builder', cell: r.readRefCell() }
      case 6:
        return { kind: 'continuation', continuation: this.readCont(r, level + 1) }
      case 7:
        return { kind: 'tuple', items: this.readTuple(r, level + 1) }
      default:
        throw new CellError(`The tag of a stack value is 0 to 7, but got ${tag}.`)
    }
  }

  /**
   * vm_tupref_nil$_ = VmTupleRef 0; vm_tupref_single$_ entry:^VmStackValue = VmTupleRef 1;
   * vm_tupref_any$_ {n:#} ref:^(VmTuple (n + 2)) = VmTupleRef (n + 2);
   * vm_tuple_nil$_ = VmTuple 0; vm_tuple_tcons$_ {n:#} head:(VmTupleRef n) tail:^VmStackValue = VmTuple (n + 1);
   */
  private readTuple(r: CellReader, level: number): VmValue[] {
    const length = r.readUint(16)
    this.count.checkTuple(length)
    const items: VmValue[] = []
    if (length > 0) this.readTupleNode(r, items, length, level)
    return items
  }

  private readTupleNode(r: CellReader, items: VmValue[], left: number, level: number): void {
    if (left > 2) this.readLater(r, (head) => this.readTupleNode(head, items, left - 1, level))
    if (left === 2) this.readTupleEntry(r, items, true, level)
    this.readTupleEntry(r, items, left === 1, level)
  }

  private readTupleEntry(r: CellReader, items: VmValue[], isFirst: boolean, level: number): void {
    this.readLater(r, (entry) => {
      items.push(this.readValue(entry, level))
      if (isFirst) items.reverse()
    })
  }

  /**
   * vmc_std$00 cdata:VmControlData code:VmCellSlice; vmc_envelope$01 cdata:VmControlData next:^VmCont;
   * vmc_quit$1000 exit_code:int32; vmc_quit_exc$1001; vmc_repeat$10100 count:uint63 body:^VmCont after:^VmCont;
   * vmc_until$110000 body:^VmCont after:^VmCont; vmc_again$110001 body:^VmCont;
   * vmc_while_cond$110010 cond:^VmCont body:^VmCont after:^VmCont;
   * vmc_while_body$110011 cond:^VmCont body:^VmCont after:^VmCont; vmc_pushint$1111 value:int32 next:^VmCont = VmCont;
   */
  private readCont(r: CellReader, level: number): VmCont {
    this.count.add(level)
    if (!r.readBit()) return this.readCodeCont(r, level)
    if (r.readBit()) return this.readLoopCont(r, level)
    if (!r.readBit()) return r.readBit() ? { kind: 'quitException' } : { kind: 'quit', exitCode: r.readInt(32) }
    r.expectTag(0b00, 2)
    return this.readParts(r, level, { kind: 'repeat', count: r.readUintWide(63), body: UNREAD, after: UNREAD }, [
      'body',
      'after',
    ])
  }

  private readCodeCont(r: CellReader, level: number): VmCont {
    const isEnvelope = r.readBit()
    const control = this.readControlData(r, level + 1)
    if (isEnvelope) return this.readParts(r, level, { kind: 'envelope', control, next: UNREAD }, ['next'])
    return { kind: 'ordinary', control, code: readVmCellSlice(r) }
  }

  /** The kinds that start with $11. */
  private readLoopCont(r: CellReader, level: number): VmCont {
    if (r.readBit()) {
      r.expectTag(1, 1)
      return this.readParts(r, level, { kind: 'pushInt', value: r.readInt(32), next: UNREAD }, ['next'])
    }
    const tag = r.readUint(3)
    switch (tag) {
      case 0b000:
        return this.readParts(r, level, { kind: 'until', body: UNREAD, after: UNREAD }, ['body', 'after'])
      case 0b001:
        return this.readParts(r, level, { kind: 'again', body: UNREAD }, ['body'])
      case 0b010:
        return this.readParts(
          r,
          level,
          { kind: 'whileCondition', condition: UNREAD, body: UNREAD, after: UNREAD },
          LOOP_PARTS,
        )
      case 0b011:
        return this.readParts(
          r,
          level,
          { kind: 'whileBody', condition: UNREAD, body: UNREAD, after: UNREAD },
          LOOP_PARTS,
        )
      default:
        throw new CellError(
          `A continuation that starts with $110 continues with $000 to $011, but got ${tag.toString(2)}.`,
        )
    }
  }

  /** Each part stands in a reference, in the order of their names. */
  private readParts<T extends VmCont>(
    r: CellReader,
    level: number,
    draft: T,
    names: readonly (keyof T & PartName)[],
  ): T {
    const parts = draft as { [Name in PartName]?: VmCont }
    for (const name of names) {
      this.readLater(r, (part) => {
        parts[name] = this.readCont(part, level + 1)
      })
    }
    return draft
  }

  /**
   * vm_ctl_data$_ nargs:(Maybe uint13) stack:(Maybe VmStack) save:VmSaveList cp:(Maybe int16) = VmControlData;
   * _ cregs:(HashmapE 4 VmStackValue) = VmSaveList;
   */
  private readControlData(r: CellReader, level: number): VmControlData {
    return {
      argCount: r.readBit() ? r.readUint(13) : undefined,
      stack: r.readBit() ? this.readEntries(r, level) : undefined,
      savedRegisters: this.readSavedRegisters(r, level),
      codePage: r.readBit() ? r.readInt(16) : undefined,
    }
  }

  private readSavedRegisters(r: CellReader, level: number): VmSavedRegister[] {
    const saved: VmSavedRegister[] = []
    const root = r.readMaybeRefCell()
    if (root === undefined) return saved
    this.pending.push(() =>
      walkDict(root, 4, (key, leaf) => {
        saved.push({ register: key[0]! >> 4, value: this.readValue(leaf, level) })
        leaf.expectEnd('A saved register')
        return true
      }),
    )
    return saved
  }
}

const readWideInt = (r: CellReader): VmValue => {
  const rest = r.readUint(7)
  if (rest === 0) return { kind: 'int', value: r.readIntWide(257) }
  if (rest === 0x7f && r.readBit()) return NAN
  throw new CellError('Expected a wide integer with seven zero bits before its value, or NaN (02ff), but got neither.')
}

/**
 * _ cell:^Cell st_bits:(## 10) end_bits:(## 10) { st_bits <= end_bits }
 *   st_ref:(#<= 4) end_ref:(#<= 4) { st_ref <= end_ref } = VmCellSlice;
 */
const readVmCellSlice = (r: CellReader): CellSlice => {
  const cell = r.readRefCell()
  const bitStart = r.readUint(10)
  const bitEnd = r.readUint(10)
  const refStart = r.readUint(3)
  const refEnd = r.readUint(3)
  // A pruned branch has bits of its own, but a slice speaks of those of the cell it stands for.
  if (cell.exoticType === PRUNED_BRANCH) throw new PrunedBranchError()
  if (bitStart > bitEnd || bitEnd > cell.bits || refStart > refEnd || refEnd > cell.refCount) {
    throw new CellError(
      `A slice from bit ${bitStart} to ${bitEnd} and from reference ${refStart} to ${refEnd} was stated of a cell ` +
        `with ${cell.bits} bits and ${cell.refCount} references.`,
    )
  }
  return { arena: cell.arena, index: cell.index, bitStart, bitEnd, refStart, refEnd }
}

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

/**
 * The same values with cells of their own: what is kept for long must not keep alive all that its cells came with. A stack of very many
 * values is given back as it is.
 */
export const detachVmStack = (stack: VmStack, maxValues = 1000): VmStack =>
  stack.every(isNumber) || hasMore(stack, maxValues) ? stack : decodeVmStack(encodeVmStack(stack))

const isNumber = ({ kind }: VmValue): boolean => kind === 'int' || kind === 'null' || kind === 'nan'

const hasMore = (stack: VmStack, limit: number): boolean => {
  let count = 0
  const visit = (values: VmStack): boolean =>
    values.some((value) => ++count > limit || (value.kind === 'tuple' && visit(value.items)))
  return visit(stack)
}

/** A value by itself, as the register c7 in the answer of a node. */
export const readVmStackValue = (r: CellReader, limits: VmStackLimits = DEFAULT_VM_STACK_LIMITS): VmValue =>
  new VmStackReader(limits).readLoneValue(r)

export const writeVmStackValue = (
  w: CellWriter,
  value: VmValue,
  limits: VmStackLimits = DEFAULT_VM_STACK_LIMITS,
): void => new VmStackWriter(limits).writeLoneValue(w, value)
