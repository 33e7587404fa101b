import { Cell } from '../../codec/cell/Cell.ts'
import { openSlice } from '../../codec/cell/CellReader.ts'
import { wholeSlice } from '../../codec/cell/CellSlice.ts'
import type { VmCont, VmControlData, VmSavedRegister, VmValue } from '../../codec/tlb/VmValue.ts'
import { shrink } from './bits.ts'
import {
  Continuation,
  type ContinuationKind,
  type ControlData,
  NOTHING_SAVED,
  type SavedRegisters,
} from './Continuation.ts'
import { toBig } from './integers.ts'
import { Builder, isInteger, isTuple, Slice, type Tuple, type Value } from './values.ts'

/** Between the values of the machine and those that are read from and written to bags of cells. */

export const fromVmValue = (value: VmValue): Value => {
  switch (value.kind) {
    case 'null':
      return null
    case 'int':
      return shrink(value.value)
    case 'nan':
      return Number.NaN
    case 'cell':
      return value.cell
    case 'slice': {
      const { arena, index, bitStart, bitEnd, refStart, refEnd } = value.slice
      return new Slice(arena, index, bitStart, bitEnd, refStart, refEnd)
    }
    case 'builder':
      return Builder.empty.withSlice(Slice.of(value.cell))
    case 'continuation':
      return fromVmCont(value.continuation)
    case 'tuple':
      return value.items.map(fromVmValue)
  }
}

const REGISTERS = ['c0', 'c1', 'c2', 'c3', 'c4', 'c5', undefined, 'c7'] as const

const fromControl = ({ argCount, stack, savedRegisters }: VmControlData): ControlData => {
  const save: { [Name in keyof SavedRegisters]: SavedRegisters[Name] } = { ...NOTHING_SAVED }
  for (const { register, value } of savedRegisters) {
    const name = REGISTERS[register]
    if (name !== undefined) Object.assign(save, { [name]: fromVmValue(value) })
  }
  return {
    stack: stack?.map(fromVmValue),
    nargs: argCount ?? -1,
    save: savedRegisters.length === 0 ? NOTHING_SAVED : save,
  }
}

const fromVmCont = (cont: VmCont): Continuation => {
  const parts = (kind: ContinuationKind, number: number, body?: VmCont, after?: VmCont, condition?: VmCont) =>
    new Continuation(
      kind,
      undefined,
      undefined,
      number,
      body && fromVmCont(body),
      after && fromVmCont(after),
      condition && fromVmCont(condition),
    )
  switch (cont.kind) {
    case 'ordinary': {
      const code = fromVmValue({ kind: 'slice', slice: cont.code }) as Slice
      return new Continuation('ordinary', code, fromControl(cont.control), 0)
    }
    case 'envelope':
      return new Continuation('envelope', undefined, fromControl(cont.control), 0, fromVmCont(cont.next))
    case 'quit':
      return parts('quit', cont.exitCode)
    case 'quitException':
      return parts('quitException', 0)
    case 'repeat':
      return parts('repeat', Number(cont.count), cont.body, cont.after)
    case 'until':
      return parts('until', 0, cont.body, cont.after)
    case 'again':
      return parts('again', 0, cont.body)
    case 'whileCondition':
    case 'whileBody':
      return parts(cont.kind, 0, cont.body, cont.after, cont.condition)
    case 'pushInt':
      return parts('pushInt', cont.value, cont.next)
  }
}

/** Fails by recursion depth for tuples that are nested very deep: bound them with {@link measureValues} first. */
export const toVmValue = (value: Value): VmValue => {
  if (value === null) return { kind: 'null' }
  if (isInteger(value)) return Number.isNaN(value) ? { kind: 'nan' } : { kind: 'int', value: toBig(value) }
  if (value instanceof Cell) return { kind: 'cell', cell: value }
  if (value instanceof Slice) return { kind: 'slice', slice: value }
  if (value instanceof Builder) return { kind: 'builder', cell: value.toCell() }
  if (isTuple(value)) return { kind: 'tuple', items: value.map(toVmValue) }
  return { kind: 'continuation', continuation: toVmCont(value) }
}

const toControl = (control: ControlData): VmControlData => {
  const savedRegisters: VmSavedRegister[] = []
  for (const [register, name] of REGISTERS.entries()) {
    const value = name && (control.save[name] as Value | undefined)
    if (value !== undefined) savedRegisters.push({ register, value: toVmValue(value) })
  }
  return {
    argCount: control.nargs < 0 ? undefined : control.nargs,
    stack: control.stack?.map(toVmValue),
    savedRegisters,
    codePage: 0,
  }
}

const toVmCont = ({ kind, code, control, number, body, after, condition }: Continuation): VmCont => {
  switch (kind) {
    case 'ordinary':
      return { kind, control: toControl(control!), code: code! }
    case 'envelope':
      return { kind, control: { ...toControl(control!), codePage: undefined }, next: toVmCont(body!) }
    case 'quit':
      return { kind, exitCode: number }
    case 'quitException':
      return { kind }
    case 'repeat':
      return { kind, count: BigInt(number), body: toVmCont(body!), after: toVmCont(after!) }
    case 'until':
      return { kind, body: toVmCont(body!), after: toVmCont(after!) }
    case 'again':
      return { kind, body: toVmCont(body!) }
    case 'whileCondition':
    case 'whileBody':
      return { kind, condition: toVmCont(condition!), body: toVmCont(body!), after: toVmCont(after!) }
    case 'pushInt':
      return { kind, value: number, next: toVmCont(body!) }
  }
}

/** How many values there are in all, tuples counted as often as they are referred to; stops at `most`. */
export const measureValues = (values: readonly Value[], most: number): number => {
  const pending: (readonly Value[])[] = [values]
  let count = 0
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    count += next.length
    if (count > most) return count
    for (const value of next) if (value !== null && isTuple(value)) pending.push(value)
  }
  return count
}

export const toTuple = (value: VmValue): Tuple => {
  const converted = fromVmValue(value)
  return isTuple(converted) ? converted : []
}

/** A slice of a whole cell, for values that the context of a run has as slices. */
export const sliceOfCell = (cell: Cell): Slice => {
  const { arena, index, bitStart, bitEnd, refStart, refEnd } = openSlice(wholeSlice(cell)).rest()
  return new Slice(arena, index, bitStart, bitEnd, refStart, refEnd)
}
