import { Cell, type CellSlice } from '../cell/Cell.ts'
import { CellWriter } from '../cell/CellWriter.ts'
import { firstDifference, keyBit, writeLabel } from '../cell/dictNodes.ts'
import { uintKey } from '../cell/dictTypes.ts'
import { CellError } from '../cell/errors.ts'
import {
  type VmCont,
  type VmControlData,
  type VmSavedRegister,
  VmStackCount,
  type VmStackLimits,
  type VmValue,
} from './VmValue.ts'

/** A cell whose bits are written and whose references are known, but not all built. */
class PlannedCell {
  readonly bits: CellWriter
  private readonly refs: (Cell | PlannedCell)[] = []
  private cell: Cell | undefined = undefined

  constructor(bits: CellWriter) {
    this.bits = bits
  }

  addRef(ref: Cell | PlannedCell): void {
    // Refused at once, because values within one cell may be nested no deeper than it has references for.
    if (this.bits.usedRefs + this.refs.length === 4) {
      throw new CellError('A cell holds at most 4 references, a fifth was to be written.')
    }
    this.refs.push(ref)
  }

  /** Writes the references; those that are planned must be built. */
  writeRefs(): void {
    for (const ref of this.refs) this.bits.writeRef(ref instanceof Cell ? ref : ref.cell!)
  }

  build(): void {
    this.writeRefs()
    this.cell = this.bits.toCell()
  }
}

const registerKey = uintKey(4)
type RegisterEntry = { readonly key: Uint8Array; readonly value: VmValue }

/**
 * Writes one stack or value as nodes do. As in VmStackReader, calls do not go deeper with the values: what stands in cells
 * below is planned first, from the top, and built last, from the bottom.
 */
export class VmStackWriter {
  private readonly count: VmStackCount
  private readonly planned: PlannedCell[] = []
  private readonly pending: (() => void)[] = []

  constructor(limits: VmStackLimits) {
    this.count = new VmStackCount(limits)
  }

  writeStack(w: CellWriter, entries: readonly VmValue[]): void {
    const root = new PlannedCell(w)
    this.writeEntries(root, entries, 1)
    this.finish(root)
  }

  writeLoneValue(w: CellWriter, value: VmValue): void {
    const root = new PlannedCell(w)
    this.writeValue(root, value, 1)
    this.finish(root)
  }

  private finish(root: PlannedCell): void {
    for (let next = this.pending.pop(); next !== undefined; next = this.pending.pop()) next()
    for (let k = this.planned.length - 1; k >= 0; k--) this.planned[k]!.build()
    root.writeRefs()
  }

  private writeLater(parent: PlannedCell, write: (cell: PlannedCell) => void): void {
    const cell = new PlannedCell(new CellWriter())
    parent.addRef(cell)
    this.planned.push(cell)
    this.pending.push(() => write(cell))
  }

  private writeEntries(cell: PlannedCell, entries: readonly VmValue[], level: number): void {
    this.count.checkDepth(entries.length)
    cell.bits.writeUint(entries.length, 24)
    if (entries.length > 0) this.writeList(cell, entries, entries.length - 1, level)
  }

  private writeList(cell: PlannedCell, entries: readonly VmValue[], top: number, level: number): void {
    this.writeLater(cell, (rest) => {
      if (top > 0) this.writeList(rest, entries, top - 1, level)
    })
    this.writeValue(cell, entries[top]!, level)
  }

  private writeValue(cell: PlannedCell, value: VmValue, level: number): void {
    this.count.add(level)
    const { bits } = cell
    switch (value.kind) {
      case 'null':
        bits.writeUint(0, 8)
        return
      case 'int':
        if (BigInt.asIntN(64, value.value) === value.value) bits.writeUint(1, 8).writeIntWide(value.value, 64)
        else bits.writeUint(0x0100, 15).writeIntWide(value.value, 257)
        return
      case 'nan':
        bits.writeUint(0x02ff, 16)
        return
      case 'cell':
        bits.writeUint(3, 8)
        cell.addRef(value.cell)
        return
      case 'slice':
        bits.writeUint(4, 8)
        writeVmCellSlice(cell, value.slice)
        return
      case 'builder':
        bits.writeUint(5, 8)
        cell.addRef(value.cell)
        return
      case 'continuation':
        bits.writeUint(6, 8)
        this.writeCont(cell, value.continuation, level + 1)
        return
      case 'tuple':
        this.count.checkTuple(value.items.length)
        bits.writeUint(7, 8).writeUint(value.items.length, 16)
        if (value.items.length > 0) this.writeTupleNode(cell, value.items, value.items.length - 1, level + 1)
    }
  }

  private writeTupleNode(cell: PlannedCell, items: readonly VmValue[], last: number, level: number): void {
    if (last > 1) this.writeLater(cell, (head) => this.writeTupleNode(head, items, last - 1, level))
    for (let at = last === 1 ? 0 : last; at <= last; at++) {
      this.writeLater(cell, (entry) => this.writeValue(entry, items[at]!, level))
    }
  }

  private writeCont(cell: PlannedCell, continuation: VmCont, level: number): void {
    this.count.add(level)
    const { bits } = cell
    switch (continuation.kind) {
      case 'ordinary':
        bits.writeUint(0b00, 2)
        this.writeControlData(cell, continuation.control, level + 1)
        writeVmCellSlice(cell, continuation.code)
        return
      case 'envelope':
        bits.writeUint(0b01, 2)
        this.writeControlData(cell, continuation.control, level + 1)
        this.writeParts(cell, level, [continuation.next])
        return
      case 'quit':
        bits.writeUint(0b1000, 4).writeInt(continuation.exitCode, 32)
        return
      case 'quitException':
        bits.writeUint(0b1001, 4)
        return
      case 'repeat':
        bits.writeUint(0b10100, 5).writeUintWide(continuation.count, 63)
        this.writeParts(cell, level, [continuation.body, continuation.after])
        return
      case 'until':
        bits.writeUint(0b110000, 6)
        this.writeParts(cell, level, [continuation.body, continuation.after])
        return
      case 'again':
        bits.writeUint(0b110001, 6)
        this.writeParts(cell, level, [continuation.body])
        return
      case 'whileCondition':
      case 'whileBody':
        bits.writeUint(continuation.kind === 'whileCondition' ? 0b110010 : 0b110011, 6)
        this.writeParts(cell, level, [continuation.condition, continuation.body, continuation.after])
        return
      case 'pushInt':
        bits.writeUint(0b1111, 4).writeInt(continuation.value, 32)
        this.writeParts(cell, level, [continuation.next])
    }
  }

  private writeParts(cell: PlannedCell, level: number, parts: readonly VmCont[]): void {
    for (const part of parts) this.writeLater(cell, (inner) => this.writeCont(inner, part, level + 1))
  }

  private writeControlData(cell: PlannedCell, control: VmControlData, level: number): void {
    const { bits } = cell
    const { argCount, stack, savedRegisters, codePage } = control
    bits.writeBit(argCount !== undefined)
    if (argCount !== undefined) bits.writeUint(argCount, 13)
    bits.writeBit(stack !== undefined)
    if (stack !== undefined) this.writeEntries(cell, stack, level)
    bits.writeBit(savedRegisters.length > 0)
    if (savedRegisters.length > 0) {
      this.writeLater(cell, (root) => this.writeRegisters(root, sortRegisters(savedRegisters), 0, level))
    }
    bits.writeBit(codePage !== undefined)
    if (codePage !== undefined) bits.writeInt(codePage, 16)
  }

  /** A node of the dictionary of saved registers, whose first `at` key bits stand in the nodes above. */
  private writeRegisters(cell: PlannedCell, entries: readonly RegisterEntry[], at: number, level: number): void {
    const { key, value } = entries[0]!
    const split = entries.length === 1 ? 4 : firstDifference(key, entries.at(-1)!.key, at, 4)
    writeLabel(cell.bits, 4 - at, key, at, split)
    if (entries.length === 1) {
      this.writeValue(cell, value, level)
      return
    }
    for (const side of [0, 1]) {
      const half = entries.filter((entry) => keyBit(entry.key, split) === side)
      this.writeLater(cell, (child) => this.writeRegisters(child, half, split + 1, level))
    }
  }
}

const sortRegisters = (saved: readonly VmSavedRegister[]): RegisterEntry[] => {
  const sorted = saved.toSorted((a, b) => a.register - b.register)
  const double = sorted.find(({ register }, k) => k > 0 && sorted[k - 1]!.register === register)
  if (double !== undefined)
    throw new CellError(`Control register ${double.register} is saved twice in one continuation.`)
  return sorted.map(({ register, value }) => ({ key: registerKey.encode(register), value }))
}

const writeVmCellSlice = (cell: PlannedCell, slice: CellSlice): void => {
  const { arena, index, bitStart, bitEnd, refStart, refEnd } = slice
  cell.addRef(new Cell(arena, index))
  cell.bits.writeUint(bitStart, 10).writeUint(bitEnd, 10).writeUint(refStart, 3).writeUint(refEnd, 3)
}
